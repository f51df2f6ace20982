/** The shortened header of an Apple Health export; its document type has an internal subset. */
export const APPLE_HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
<!ATTLIST Record
  type          CDATA #REQUIRED
  unit          CDATA #IMPLIED
  value         CDATA #IMPLIED
>
]>
<HealthData locale="en_US">
 <ExportDate value="2024-02-10 09:00:00 -0800"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1990-01-01"/>
`;

/** An export of Apple Health that was made on 10 February 2024. */
export const appleFile = (...elements: readonly string[]): string =>
  `${APPLE_HEAD}${elements.join('\n')}\n</HealthData>\n`;

interface RecordParts {
  type: string;
  unit?: string;
  value: string | number;
  start: string;
  end?: string;
  source?: string;
}

/** One record: `type` without its common prefix, times without their offset of −08:00. */
export function appleRecord({
  type,
  unit,
  value,
  start,
  end = start,
  source = 'Health',
}: RecordParts): string {
  const zoned = (time: string) => (/[+-]\d{4}$/.test(time) ? time : `${time} -0800`);
  const unitText = unit === undefined ? '' : ` unit="${unit}"`;
  return ` <Record type="HK${type}" sourceName="${source}" sourceVersion="17.3"${unitText} creationDate="${zoned(end)}" startDate="${zoned(start)}" endDate="${zoned(end)}" value="${value}"/>`;
}

export const quantity = (
  name: string,
  unit: string,
  value: string | number,
  start: string,
  source?: string,
) =>
  appleRecord({
    type: `QuantityTypeIdentifier${name}`,
    unit,
    value,
    start,
    ...(source !== undefined && { source }),
  });

export const asleep = (stage: string, start: string, end: string, source = 'Watch') =>
  appleRecord({
    type: 'CategoryTypeIdentifierSleepAnalysis',
    value: `HKCategoryValueSleepAnalysis${stage}`,
    start,
    end,
    source,
  });

/** A blood pressure as Apple writes it: two records inside a correlation, repeated outside it. */
export function bloodPressure(systolic: number, diastolic: number, start: string, unit = 'mmHg'): string {
  const records = [
    quantity('BloodPressureSystolic', unit, systolic, start, 'Cuff'),
    quantity('BloodPressureDiastolic', unit, diastolic, start, 'Cuff'),
  ].join('\n');
  return `${records}\n <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" startDate="${start} -0800" endDate="${start} -0800">\n${records}\n </Correlation>`;
}

/** One of each supported record, and two unsupported ones. */
export const APPLE_FILE = appleFile(
  quantity('BodyMass', 'lb', 200, '2024-02-06 14:30:00', 'Scale'),
  quantity('BodyFatPercentage', '%', 0.216, '2024-02-06 14:30:00', 'Scale'),
  bloodPressure(121, 79, '2024-02-07 08:00:00'),
  quantity('BloodGlucose', 'mmol&lt;180.1558800000541&gt;/L', 5.4, '2024-02-07 08:05:00'),
  quantity('RestingHeartRate', 'count/min', 58, '2024-02-07 00:00:00', 'Watch'),
  quantity('HeartRate', 'count/min', 60, '2024-02-08 08:00:00', 'Watch'),
  quantity('HeartRate', 'count/min', 71, '2024-02-08 09:00:00', 'Watch'),
  quantity('StepCount', 'count', 500, '2024-02-08 09:00:00', 'Phone'),
  asleep('InBed', '2024-02-07 22:30:00', '2024-02-08 07:00:00', 'Phone'),
  asleep('AsleepCore', '2024-02-07 23:00:00', '2024-02-08 03:00:00'),
  asleep('AsleepREM', '2024-02-08 03:00:00', '2024-02-08 06:30:00'),
  asleep('AsleepUnspecified', '2024-02-07 23:15:00', '2024-02-08 06:00:00', 'Phone'),
);

import { LEFT_OUT, type PhoneMeasurements, type PhoneReading } from './phone-measurements.ts';
import { readPhoneTime, type PhoneTime, readPhoneValue, type PhoneMetric } from './phone-values.ts';

/** The attributes of an element, as the XML has them. */
export type Attributes = Readonly<Record<string, string>>;

type Adds = 'addReading' | 'addResting' | 'addPulse' | 'addPressure';

/** The HealthKit types that are read (HKQuantityTypeIdentifier). */
const QUANTITIES: Readonly<Record<string, { metric: PhoneMetric; add: Adds }>> = {
  HKQuantityTypeIdentifierBodyMass: { metric: 'weight', add: 'addReading' },
  HKQuantityTypeIdentifierBodyFatPercentage: { metric: 'bodyFat', add: 'addReading' },
  HKQuantityTypeIdentifierBloodGlucose: { metric: 'glucose', add: 'addReading' },
  HKQuantityTypeIdentifierRestingHeartRate: { metric: 'heartRate', add: 'addResting' },
  HKQuantityTypeIdentifierHeartRate: { metric: 'heartRate', add: 'addPulse' },
  HKQuantityTypeIdentifierBloodPressureSystolic: { metric: 'systolic', add: 'addPressure' },
  HKQuantityTypeIdentifierBloodPressureDiastolic: { metric: 'diastolic', add: 'addPressure' },
};

const SLEEP = 'HKCategoryTypeIdentifierSleepAnalysis';
/** Stages of HKCategoryValueSleepAnalysis that count as sleep; `Asleep` is from iOS 15 and earlier. */
const ASLEEP = new Set(
  ['Asleep', 'AsleepUnspecified', 'AsleepCore', 'AsleepDeep', 'AsleepREM'].map(
    (stage) => `HKCategoryValueSleepAnalysis${stage}`,
  ),
);

const PRESSURE = 'HKCorrelationTypeIdentifierBloodPressure';

const MAX_SOURCE = 100;

/**
 * Reads the elements of Apple Health's `export.xml`: `<Record type unit value sourceName startDate endDate>` below
 * `<HealthData>`, and the two records of a blood pressure within `<Correlation>`, which the file repeats outside of it.
 * The document type at the top of every export describes them ("HealthKit Export Version").
 */
export class AppleRecords {
  constructor(
    private readonly into: PhoneMeasurements,
    private readonly timeZone: string,
  ) {}

  /** Called for each element. @param parent the element around it */
  open(
    name: string,
    attributes: Attributes,
    parent: { name: string; attributes: Attributes },
    line: number,
  ): void {
    if (parent.name === 'HealthData') this.openTop(name, attributes, line);
    else if (name === 'Record' && parent.name === 'Correlation' && parent.attributes['type'] === PRESSURE)
      this.record(attributes, line);
  }

  private openTop(name: string, attributes: Attributes, line: number): void {
    if (name === 'Record') this.record(attributes, line);
    else if (name === 'ExportDate') this.exportDate(attributes);
    else if (name === 'Correlation') {
      const { type = name } = attributes;
      if (type !== PRESSURE) this.into.leaveOut(type, LEFT_OUT.unknown);
    } else if (name !== 'Me') this.into.leaveOut(name, LEFT_OUT.unknown);
  }

  private exportDate({ value = '' }: Attributes): void {
    const time = readPhoneTime(value, this.timeZone);
    if (time !== null) this.into.exportedAt = Math.min(this.into.exportedAt, time.at);
  }

  private record(attributes: Attributes, line: number): void {
    const { type = '' } = attributes;
    const quantity = Object.hasOwn(QUANTITIES, type) ? QUANTITIES[type] : undefined;
    if (quantity !== undefined) this.quantity(type, quantity, attributes, line);
    else if (type === SLEEP) this.sleep(attributes, line);
    else this.into.leaveOut(type === '' ? 'Record' : type, LEFT_OUT.unknown);
  }

  private time(type: string, name: string, attributes: Attributes, line: number): PhoneTime | null {
    const { [name]: text = '' } = attributes;
    const time = readPhoneTime(text, this.timeZone);
    if (time === null)
      this.into.bad(type, line, `${name}: This is not a date and time: “${text.slice(0, 40)}”`);
    return time;
  }

  private quantity(
    type: string,
    { metric, add }: { metric: PhoneMetric; add: Adds },
    attributes: Attributes,
    line: number,
  ): void {
    const time = this.time(type, 'startDate', attributes, line);
    if (time === null) return;
    const { sourceName = '' } = attributes;
    const value = readPhoneValue(metric, attributes);
    if (typeof value === 'string') {
      this.into.bad(type, line, value);
      return;
    }
    const reading: PhoneReading = {
      ...time,
      ...value,
      metric,
      source: sourceName.slice(0, MAX_SOURCE),
      line,
    };
    if (add === 'addPressure') this.addPressure(type, reading);
    else this.into[add](type, reading);
  }

  private addPressure(type: string, { metric, ...reading }: PhoneReading): void {
    if (metric === 'systolic' || metric === 'diastolic') this.into.addPressure(type, { ...reading, metric });
  }

  private sleep(attributes: Attributes, line: number): void {
    const { value = '' } = attributes;
    if (!ASLEEP.has(value)) {
      this.into.leaveOut(value === '' ? SLEEP : value, LEFT_OUT.awake);
      return;
    }
    const begin = this.time(SLEEP, 'startDate', attributes, line);
    const end = this.time(SLEEP, 'endDate', attributes, line);
    if (begin !== null && end !== null)
      this.into.addSleep(SLEEP, { at: begin.at, offset: begin.offset, end: end.at, line });
  }
}

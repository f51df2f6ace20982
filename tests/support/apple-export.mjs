// Writes an Apple Health export of any size, with years of data from a watch, a scale and a blood pressure cuff.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

const DAY_MS = 86_400_000;
const LAST_DAY = Date.UTC(2025, 11, 31);

const timeText = (at) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} +0000`;

const record = (type, unit, value, at, end, source) =>
  ` <Record type="HK${type}" sourceName="${source}" sourceVersion="11.2" device="&lt;&lt;HKDevice: 0x282d03020&gt;, name:${source}, manufacturer:Apple Inc., model:Watch, hardware:Watch5,4, software:11.2&gt;"${unit === '' ? '' : ` unit="${unit}"`} creationDate="${timeText(end)}" startDate="${timeText(at)}" endDate="${timeText(end)}" value="${value}"/>\n`;

const quantity = (name, unit, value, at, source = 'Watch') =>
  record(`QuantityTypeIdentifier${name}`, unit, value, at, at, source);

/** One day: a weight, a blood pressure, a night in stages, and `rates` heart rates with as many step counts. */
function* dayOf(day, rates) {
  yield quantity('BodyMass', 'kg', (80 + Math.sin(day / DAY_MS)).toFixed(2), day + 7 * 3_600_000, 'Scale');
  yield quantity('BloodPressureSystolic', 'mmHg', 121, day + 7.5 * 3_600_000, 'Cuff');
  yield quantity('BloodPressureDiastolic', 'mmHg', 79, day + 7.5 * 3_600_000, 'Cuff');
  for (let hour = 0; hour < 7; hour += 1) {
    const stage = `HKCategoryValueSleepAnalysisAsleep${['Core', 'Deep', 'REM'][hour % 3]}`;
    const at = day + hour * 3_600_000;
    yield record('CategoryTypeIdentifierSleepAnalysis', '', stage, at, at + 3_300_000, 'Watch');
  }
  const each = DAY_MS / rates;
  for (let index = 0; index < rates; index += 1) {
    const at = day + Math.floor(index * each);
    yield quantity('HeartRate', 'count/min', 55 + (index % 60), at);
    yield quantity('StepCount', 'count', index % 90, at);
  }
}

/**
 * @param megabytes the approximate size of the file
 * @param days the days it covers; each has as many heart rates as needed for that size
 * @returns the number of measurements in it: a weight, two blood pressure values, a night and a mean heart rate per day
 */
export async function writeAppleExport(file, { megabytes, days }) {
  const sample = [...dayOf(LAST_DAY, 1)];
  const pairBytes = sample.at(-1).length + sample.at(-2).length;
  const rates = Math.max(1, Math.round((megabytes * 1e6) / days / pairBytes));
  const out = createWriteStream(file);
  out.write(
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData ANY>\n]>\n',
  );
  out.write('<HealthData locale="en_US">\n <ExportDate value="2026-01-02 09:00:00 +0000"/>\n');
  for (let index = 0; index < days; index += 1) {
    let text = '';
    for (const line of dayOf(LAST_DAY - index * DAY_MS, rates)) text += line;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end('</HealthData>\n');
  await once(out, 'finish');
  return days * 5;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalValue,
  METRICS,
  ownMetric,
  shownValue,
  unitOf,
  valueIn,
  type Metric,
} from '#app/domain/tracking/measurements.ts';
import { readMeasurementRows, type CsvReader } from '#app/domain/tracking/measurement-csv.ts';

const metricOf = (key: string): Metric =>
  METRICS.find((metric) => metric.key === key) ?? expect.unreachable();
const anyMetric = fc.constantFrom(...METRICS);
const system = fc.constantFrom('metric' as const, 'imperial' as const);
/** A value within the limits of a measure, with one decimal. */
const within = ({ least, most }: Metric) =>
  fc.integer({ min: Math.ceil(least * 10), max: Math.floor(most * 10) }).map((tenths) => tenths / 10);

describe('the units of measures', () => {
  it.each([
    ['weight', '180', 'lb', 81.6466266],
    ['weight', '80.5', 'kg', 80.5],
    ['glucose', '100', 'mg/dL', 5.55075],
    ['systolic', '120', 'mmHg', 120],
    ['mood', '7', '', 7],
  ])('%s of %s %s is %s', (key, text, unit, value) => {
    expect(canonicalValue(metricOf(key), text, unit)).toBe(value);
  });

  it('differ between metric and imperial only for weight and glucose', () => {
    expect(METRICS.map((metric) => [unitOf(metric, 'metric'), unitOf(metric, 'imperial')])).toEqual([
      ['kg', 'lb'],
      ['%', '%'],
      ['mmHg', 'mmHg'],
      ['mmHg', 'mmHg'],
      ['bpm', 'bpm'],
      ['mmol/L', 'mg/dL'],
      ['h', 'h'],
      ['', ''],
      ['', ''],
    ]);
  });

  it('convert there and back without changing the shown decimals', () => {
    fc.assert(
      fc.property(
        anyMetric.chain((metric) => fc.tuple(fc.constant(metric), within(metric), system)),
        ([metric, value, units]) => {
          const there = valueIn(metric, value, units);
          const back = Number(there) * Number(metric[units].factor);
          const step = Number(metric[units].factor) * 10 ** -metric.decimals;
          expect(Math.abs(back - value)).toBeLessThanOrEqual(step / 2 + 1e-9);
        },
      ),
    );
  });

  it('refuse values outside the limits and units of other measures', () => {
    fc.assert(
      fc.property(anyMetric, (metric) => {
        const { unit } = metric.metric;
        expect(canonicalValue(metric, String(metric.most), unit)).toBe(metric.most);
        expect(canonicalValue(metric, String(metric.least), unit)).toBe(metric.least);
        expect(canonicalValue(metric, String(metric.most + 0.01), unit)).toBeNull();
        expect(canonicalValue(metric, String(metric.least), 'stone')).toBeNull();
      }),
    );
    expect(canonicalValue(metricOf('weight'), '0.9', 'kg')).toBeNull();
  });

  it('show a value as entered in the user’s own unit, otherwise converted', () => {
    const weight = metricOf('weight');
    const entered = { value: 81.6466266, text: '180.0', unit: 'lb' };
    expect(shownValue(weight, entered, 'imperial')).toBe('180.0 lb');
    expect(shownValue(weight, entered, 'metric')).toBe('81.6 kg');
    expect(shownValue(metricOf('mood'), { value: 7, text: '7', unit: '' }, 'imperial')).toBe('7');
    const waist = ownMetric({ key: 'own-1', name: 'Waist', unit: 'cm' });
    expect(shownValue(waist, { value: 84.25, text: '84.25', unit: 'cm' }, 'imperial')).toBe('84.25 cm');
  });
});

const READER: CsvReader = {
  metrics: METRICS,
  units: 'metric',
  timeZone: 'Europe/Berlin',
  now: new Date('2026-03-10T12:00:00Z'),
};
const rowsOf = (...rows: string[][]) => rows.map((cells, index) => ({ line: index + 1, cells }));

describe('reading a table of measurements', () => {
  const day = fc.integer({ min: 1, max: 9 }).map((n) => `2026-03-0${n}`);
  const line = fc.oneof(
    fc.tuple(day, fc.constantFrom('80', '81,5', '')),
    fc.tuple(fc.constantFrom('yesterday', '2026-02-30', '2027-01-01', '08:00'), fc.constant('80')),
    fc.tuple(day, fc.constantFrom('-1', '1e3', 'x', '9999')),
  );

  it('gives either values or one reason for each line', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const { readings, bad } = readMeasurementRows(rowsOf(['date', 'weight'], ...lines), READER);
        expect(readings.length + bad.length).toBe(lines.length);
        const good = lines.filter(([at, value]) => at.startsWith('2026-03') && /^8/.test(value));
        expect(readings.map(({ text }) => text)).toEqual(good.map(([, value]) => value.replace(',', '.')));
        for (const { line: at } of bad) expect(good).not.toContain(lines[at - 2]);
      }),
    );
  });

  it('does not depend on the order of the columns', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(['weight', 'mood', 'sleep'], { minLength: 1 }), (columns) => {
        const values: Record<string, string> = { weight: '80', mood: '5', sleep: '7.5' };
        const cells = columns.map((column) => values[column] ?? '');
        const { readings, bad } = readMeasurementRows(
          rowsOf(['Date', ...columns], ['2026-03-09', ...cells]),
          READER,
        );
        expect(bad).toEqual([]);
        expect(Object.fromEntries(readings.map(({ metric, text }) => [metric, text]))).toEqual(
          Object.fromEntries(columns.map((column) => [column, values[column]])),
        );
      }),
    );
  });

  it.each([
    ['Weight (lb)', 'weight', 'lb'],
    ['body fat', 'bodyFat', '%'],
    ['HEART RATE (bpm)', 'heartRate', 'bpm'],
    ['Systolic pressure', 'systolic', 'mmHg'],
  ])('knows the column %s', (heading, metric, unit) => {
    const { readings } = readMeasurementRows(rowsOf(['date', heading], ['2026-03-09 08:30', '50']), READER);
    expect(readings).toMatchObject([{ metric, unit, measuredAt: new Date('2026-03-09T07:30:00Z') }]);
  });

  it('reports an empty table or a missing heading', () => {
    for (const rows of [[], rowsOf([]), rowsOf(['date']), rowsOf(['when', 'weight'])])
      expect(readMeasurementRows(rows, READER)).toEqual({
        readings: [],
        bad: [{ line: 1, reason: 'The first line must be: date, then the measures' }],
      });
  });
});

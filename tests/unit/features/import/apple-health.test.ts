import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addSpan } from '#app/domain/import/phone-measurements.ts';
import { readRow } from '#app/domain/records/record-types.ts';
import type { RawFile } from '#app/domain/records/record-type.ts';
import { readImportFile } from '#app/features/import/import-file.server.ts';
import { UPLOAD_LIMITS } from '#app/features/import/import-limits.server.ts';
import {
  APPLE_FILE,
  appleFile,
  appleRecord,
  asleep,
  bloodPressure,
  quantity,
} from '#tests/support/apple-health.ts';

const SETTING = { now: new Date('2024-03-01T00:00:00Z'), timeZone: 'Europe/Berlin' };

async function* pieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += length) {
    yield bytes.subarray(at, at + length);
    await Promise.resolve();
  }
}

async function fileOf(text: string, { length = 1000, limits = UPLOAD_LIMITS } = {}): Promise<RawFile> {
  const all: RawFile = { rows: [], bad: [] };
  for await (const { rows, bad, health } of readImportFile(
    { bytes: pieces(text, length) },
    limits,
    SETTING,
  )) {
    all.rows.push(...rows);
    all.bad.push(...bad);
    if (health !== undefined) all.health = health;
  }
  return all;
}

async function measured(text: string) {
  const { rows, bad } = await fileOf(text);
  expect(bad).toEqual([]);
  return rows.map((row) => {
    const read = readRow(row, SETTING);
    if (!('record' in read) || read.record.type !== 'measurements') throw new Error(JSON.stringify(read));
    const { metric, text: value, unit, measuredAt, notes } = read.record.measurement;
    return [metric, value, unit, measuredAt.toISOString(), ...(notes === null ? [] : [notes])];
  });
}

describe('an Apple Health export', () => {
  it.each([1, 7, 100_000])('is read in pieces of %i bytes', async (length) => {
    const { rows, bad, health } = await fileOf(APPLE_FILE, { length });
    expect(bad).toEqual([]);
    expect(rows).toHaveLength(8);
    expect(health).toMatchObject({
      understood: expect.arrayContaining([
        { type: 'HKQuantityTypeIdentifierBodyMass', records: 1, taken: expect.any(String) as string },
        { type: 'HKQuantityTypeIdentifierHeartRate', records: 2, taken: expect.any(String) as string },
      ]) as unknown,
      leftOut: [
        { type: 'HKCategoryValueSleepAnalysisInBed', records: 1, reason: 'Not asleep' },
        {
          type: 'HKQuantityTypeIdentifierStepCount',
          records: 1,
          reason: 'Vialbook does not store this type',
        },
      ],
    });
  });

  it('becomes measurements in Vialbook’s units, with times in the zone of the file', async () => {
    expect(await measured(APPLE_FILE)).toEqual([
      ['weight', '200', 'lb', '2024-02-06T22:30:00.000Z'],
      ['bodyFat', '21.6', '%', '2024-02-06T22:30:00.000Z'],
      ['glucose', '5.4', 'mmol/L', '2024-02-07T16:05:00.000Z'],
      ['heartRate', '58', 'bpm', '2024-02-07T08:00:00.000Z', 'Resting'],
      ['heartRate', '65.5', 'bpm', '2024-02-08T20:00:00.000Z', 'Mean of 2 readings'],
      ['systolic', '121', 'mmHg', '2024-02-07T16:00:00.000Z'],
      ['diastolic', '79', 'mmHg', '2024-02-07T16:00:00.000Z'],
      ['sleep', '7.5', 'h', '2024-02-08T14:30:00.000Z'],
    ]);
  });

  it.each([
    ['BodyMass', 'kg', '82.55000000000001', ['weight', '82.55', 'kg']],
    ['BodyMass', 'g', '82550', ['weight', '82.55', 'kg']],
    ['BodyMass', 'st', '13.5', ['weight', '189', 'lb']],
    ['BodyMass', 'oz', '2904', ['weight', '181.5', 'lb']],
    ['BloodGlucose', 'mg/dL', '98', ['glucose', '98', 'mg/dL']],
    ['BodyFatPercentage', '%', '1.85e-1', ['bodyFat', '18.5', '%']],
    ['BodyFatPercentage', '%', '21.5', ['bodyFat', '21.5', '%']],
  ])('converts %s from %s', async (name, unit, value, expected) => {
    expect(await measured(appleFile(quantity(name, unit, value, '2024-02-06 08:00:00')))).toEqual([
      [...expected, '2024-02-06T16:00:00.000Z'],
    ]);
  });

  it('converts a blood pressure from kPa to mmHg and leaves out one with a missing number', async () => {
    const half = quantity('BloodPressureSystolic', 'mmHg', 120, '2024-02-05 08:00:00');
    const text = appleFile(bloodPressure(16, 10.6, '2024-02-06 08:00:00', 'kPa'), half);
    expect((await measured(text)).map(([metric, value, unit]) => [metric, value, unit])).toEqual([
      ['systolic', '120', 'mmHg'],
      ['diastolic', '79.5', 'mmHg'],
    ]);
    expect((await fileOf(text)).health?.leftOut).toEqual([
      { type: 'Blood pressure', records: 1, reason: 'A blood pressure with only one of its two numbers' },
    ]);
  });

  it('recognises a record by its source and time, and keeps records of two sources', async () => {
    const weight = quantity('BodyMass', 'kg', 80, '2024-02-06 08:00:00', 'A');
    const other = quantity('BodyMass', 'kg', 80, '2024-02-06 08:00:00', 'B');
    expect(await measured(appleFile(weight, weight, other))).toHaveLength(2);
    const keys = async (text: string) => (await fileOf(text)).rows.map(({ cells }) => cells['phoneKey']);
    // The same instant in another time zone.
    const moved = quantity('BodyMass', 'kg', 80, '2024-02-06 17:00:00 +0100', 'A');
    expect(await keys(appleFile(weight))).toEqual(await keys(appleFile(moved)));
  });

  it('turns more than 24 readings of a day into their mean, once the day is over', async () => {
    const day = (date: string) =>
      Array.from({ length: 30 }, (_, index) =>
        quantity(
          'BloodGlucose',
          'mg/dL',
          90 + index,
          `${date} 0${Math.floor(index / 6)}:${(index % 6) * 9 + 10}:00`,
        ),
      );
    const text = appleFile(...day('2024-02-09'), ...day('2024-02-10'));
    expect(await measured(text)).toEqual([
      ['glucose', '104.5', 'mg/dL', '2024-02-09T20:00:00.000Z', 'Mean of 30 readings'],
    ]);
    expect((await fileOf(text)).health?.leftOut).toEqual([
      { type: 'Glucose', records: 30, reason: 'The day was not over yet' },
    ]);
  });

  it('counts a night by the clock of its records, across midnight and clock changes', async () => {
    const nights = [
      asleep('AsleepCore', '2024-02-06 23:00:00', '2024-02-07 01:00:00'),
      asleep('Awake', '2024-02-07 01:00:00', '2024-02-07 01:30:00'),
      asleep('AsleepDeep', '2024-02-07 01:30:00', '2024-02-07 05:00:00'),
      // A nap on the same day, and the start of the next night.
      asleep('Asleep', '2024-02-07 14:00:00', '2024-02-07 14:30:00', 'Phone'),
      asleep('AsleepCore', '2024-02-07 18:00:00', '2024-02-07 19:00:00'),
      asleep('AsleepREM', '2023-11-05 00:30:00 -0700', '2023-11-05 06:30:00 -0800'),
    ];
    expect((await measured(appleFile(...nights))).map(([, hours]) => hours)).toEqual(['6', '1', '7']);
    const rows = (await fileOf(appleFile(...nights))).rows.map(({ cells }) => cells['phoneKey']);
    expect(rows).toEqual(
      ['2024-02-07', '2024-02-08', '2023-11-05'].map((day) => JSON.stringify(['sleep', 'day', day])),
    );
  });

  it('leaves an unfinished night for the next export', async () => {
    const text = appleFile(asleep('AsleepCore', '2024-02-09 23:00:00', '2024-02-10 05:00:00'));
    expect(await measured(text)).toEqual([]);
    expect((await fileOf(text)).health?.leftOut).toMatchObject([{ type: 'Sleep', records: 1 }]);
  });

  it.each([
    [
      'a weight of nothing',
      quantity('BodyMass', 'kg', 0, '2024-02-06 08:00:00'),
      'value: Weight must be from 1 to 700 kg, not 0 kg',
    ],
    [
      'a heart that stands still',
      quantity('HeartRate', 'count/min', 0, '2024-02-06 08:00:00'),
      'value: Heart rate must be from 10 to 350 bpm, not 0 bpm',
    ],
    [
      'no number',
      quantity('BodyMass', 'kg', 'NaN', '2024-02-06 08:00:00'),
      'value: This must be a number, not “NaN”',
    ],
    [
      'a long number',
      quantity('BodyMass', 'kg', '1e999999', '2024-02-06 08:00:00'),
      'value: This must be a number, not “1e999999”',
    ],
    [
      'another unit',
      quantity('BodyMass', 'mmHg', 80, '2024-02-06 08:00:00'),
      'unit: “mmHg” is not a known unit for this',
    ],
    [
      'no day',
      quantity('BodyMass', 'kg', 80, '2024-02-30 08:00:00'),
      'startDate: This is not a date and time: “2024-02-30 08:00:00 -0800”',
    ],
    [
      'sleep that ends before it begins',
      asleep('AsleepCore', '2024-02-06 08:00:00', '2024-02-06 07:00:00'),
      'endDate: Sleep must end within 24 hours of its start',
    ],
  ])('with %s reports the line', async (_what, record, reason) => {
    expect((await fileOf(appleFile(record))).bad).toEqual([
      { type: expect.stringMatching(/^HK/) as string, line: 18, reason },
    ]);
  });

  it('leaves out records before the year 2000', async () => {
    const text = appleFile(quantity('BodyMass', 'kg', 3.4, '1990-01-01 08:00:00'));
    expect((await fileOf(text)).health?.leftOut).toMatchObject([
      { records: 1, reason: 'Before the year 2000' },
    ]);
  });
});

const LAUGHS = `<?xml version="1.0"?><!DOCTYPE HealthData [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><HealthData>&b;</HealthData>`;

describe('a hostile XML file', () => {
  it.each([
    ['that declares entities', LAUGHS, /^Line 1: this file declares entities/],
    [
      'that reads a file',
      LAUGHS.replace('"ha"', 'SYSTEM "file:///etc/passwd"'),
      /^Line 1: this file declares entities/,
    ],
    ['with an unknown entity', appleFile('<Record type="&xxe;"/>'), /^Line 18: undefined entity/],
    ['that is cut off', APPLE_FILE.slice(0, -40), /^Line \d+: /],
    ['whose tags do not match', appleFile('<Correlation></Record>'), /^Line 18: /],
    ['that ends twice', `${APPLE_FILE}<HealthData/>`, /^Line \d+: documents may contain only one root/],
    ['of something else', '<?xml version="1.0"?><svg/>', /^This XML file is not an Apple Health export/],
    ['that is deep', appleFile('<a>'.repeat(50)), /nested too deeply/],
    [
      'with one huge value',
      appleFile(`<Record type="${'x'.repeat(1_200_000)}"/>`),
      /one of its elements is too large/,
    ],
    [
      'with a document type without end',
      `<!DOCTYPE HealthData [${'<!-- -->'.repeat(200_000)}`,
      /is too large/,
    ],
    ['with a comment without end', appleFile(`<!--${'x'.repeat(1_200_000)}`), /is too large/],
  ])('%s is refused', async (_what, text, message) => {
    await expect(fileOf(text, { length: 65_536 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(message) as string,
    });
  });

  it('with many type names lists only some of them', async () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      appleRecord({ type: `X${index}`, value: 1, start: '2024-02-06 08:00:00' }),
    );
    const left = (await fileOf(appleFile(...many))).health?.leftOut ?? [];
    expect(left).toHaveLength(201);
    expect(left.reduce((sum, { records }) => sum + records, 0)).toBe(500);
  });

  it('with too many readings is refused', async () => {
    const weights = Array.from({ length: 12 }, (_, index) =>
      quantity('BodyMass', 'kg', 80, `2024-01-${index + 10} 08:00:00`),
    );
    await expect(
      fileOf(appleFile(...weights), { limits: { bytes: 1e6, inflated: 1e6, records: 10 } }),
    ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});

it('keeps spans of sleep sorted, separate, and covering exactly what was added', () => {
  const span = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 30 }), (added) => {
      const spans: number[] = [];
      const minutes = new Set<number>();
      for (const [from, length] of added) {
        addSpan(spans, from, from + length);
        for (let minute = from; minute < from + length; minute += 1) minutes.add(minute);
      }
      for (let index = 1; index < spans.length; index += 1)
        expect(spans[index]).toBeGreaterThan(spans[index - 1] ?? 0);
      const total = spans.reduce((sum, edge, index) => sum + (index % 2 === 0 ? -edge : edge), 0);
      expect(total).toBe(minutes.size);
    }),
  );
});

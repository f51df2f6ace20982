import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonStream } from '#app/domain/import/json-stream.ts';
import { readRow } from '#app/domain/records/record-types.ts';
import type { RawFile } from '#app/domain/records/record-type.ts';
import { readImportFile } from '#app/features/import/import-file.server.ts';
import { UPLOAD_LIMITS } from '#app/features/import/import-limits.server.ts';

const SETTING = { now: new Date('2024-03-01T00:00:00Z'), timeZone: 'Europe/Berlin' };

async function* pieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += length) {
    yield bytes.subarray(at, at + length);
    await Promise.resolve();
  }
}

async function fileOf(value: unknown, length = 200): Promise<RawFile> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const all: RawFile = { rows: [], bad: [] };
  const source = { bytes: pieces(text, length) };
  for await (const { rows, bad, health } of readImportFile(source, UPLOAD_LIMITS, SETTING)) {
    all.rows.push(...rows);
    all.bad.push(...bad);
    if (health !== undefined) all.health = health;
  }
  return all;
}

async function measured(value: unknown, length?: number) {
  const { rows, bad } = await fileOf(value, length);
  expect(bad).toEqual([]);
  return rows.map((row) => {
    const read = readRow(row, SETTING);
    if (!('record' in read) || read.record.type !== 'measurements') throw new Error(JSON.stringify(read));
    const { metric, text, unit, measuredAt } = read.record.measurement;
    return `${metric} ${text} ${unit} ${measuredAt.toISOString()}`;
  });
}

const metric = (name: string, units: string, ...data: object[]) => ({ name, units, data });
const auto = (...metrics: object[]) => ({ data: { metrics } });
const at = (time: string) => ({ date: `2024-02-06 ${time} -0800` });

describe('a Health Auto Export file', () => {
  const FILE = auto(
    metric('weight_body_mass', 'kg', { ...at('14:30:00'), qty: 70 }, { ...at('14:30:00'), qty: 70 }),
    metric('body_fat_percentage', '%', { ...at('14:30:00'), qty: 21.6, source: 'Scale' }),
    metric('blood_pressure', 'mmHg', { ...at('08:00:00'), systolic: 121, diastolic: 79 }),
    metric('blood_glucose', 'mg/dL', { ...at('08:05:00'), qty: 98 }),
    metric('resting_heart_rate', 'count/min', { ...at('00:00:00'), qty: 58 }),
    metric('heart_rate', 'count/min', { date: '2024-02-07 10:00:00 -0800', Min: 50, Avg: 61.5, Max: 90 }),
    metric('sleep_analysis', 'hr', {
      date: '2024-02-06 00:00:00 -0800',
      totalSleep: 7.25,
      inBed: 8,
      sleepStart: '2024-02-05 23:00:00 -0800',
      sleepEnd: '2024-02-06 06:40:00 -0800',
    }),
    metric('step_count', 'count', { ...at('08:05:00'), qty: 500 }),
  );
  const EXPECTED = [
    'weight 70 kg 2024-02-06T22:30:00.000Z',
    'bodyFat 21.6 % 2024-02-06T22:30:00.000Z',
    'glucose 98 mg/dL 2024-02-06T16:05:00.000Z',
    'heartRate 58 bpm 2024-02-06T08:00:00.000Z',
    'heartRate 61.5 bpm 2024-02-07T20:00:00.000Z',
    'systolic 121 mmHg 2024-02-06T16:00:00.000Z',
    'diastolic 79 mmHg 2024-02-06T16:00:00.000Z',
    'sleep 7.25 h 2024-02-06T14:40:00.000Z',
  ];

  it.each([1, 7, 100_000])('is read in pieces of %i bytes', async (length) => {
    expect(await measured(FILE, length)).toEqual(EXPECTED);
    expect((await fileOf(FILE, length)).health?.leftOut).toEqual([
      { type: 'step_count', records: 1, reason: 'Vialbook does not store this type' },
    ]);
  });

  it('is read regardless of the order of its keys', async () => {
    const { metrics } = FILE.data as { metrics: { name: string; units: string; data: object[] }[] };
    const turned = metrics.map(({ name, units, data }) => ({ data, units, name }));
    expect(await measured(auto(...turned))).toEqual(EXPECTED);
  });

  it('counts each moment asleep once from sleep stages, and the longest of overlapping totals', async () => {
    const stage = (value: string, from: string, to: string) => ({
      startDate: `2024-02-06 ${from} -0800`,
      endDate: `2024-02-06 ${to} -0800`,
      value,
    });
    const stages = metric(
      'sleep_analysis',
      'hr',
      stage('Core', '01:00:00', '03:00:00'),
      stage('REM', '02:30:00', '04:00:00'),
      stage('Awake', '04:00:00', '05:00:00'),
    );
    expect(await measured(auto(stages))).toEqual(['sleep 3 h 2024-02-06T12:00:00.000Z']);
    const sum = (totalSleep: number, from: string, to: string) => ({
      totalSleep,
      sleepStart: `2024-02-06 ${from} -0800`,
      sleepEnd: `2024-02-06 ${to} -0800`,
    });
    const sums = metric(
      'sleep_analysis',
      'hr',
      sum(5, '00:00:00', '06:00:00'),
      sum(5.5, '00:10:00', '06:10:00'),
      sum(0.5, '14:00:00', '14:30:00'),
    );
    expect(await measured(auto(sums))).toEqual(['sleep 6 h 2024-02-06T22:30:00.000Z']);
    const days = metric('sleep_analysis', 'min', { date: '2024-02-06', core: 240, deep: 60, rem: 90 });
    expect(await measured(auto(days))).toEqual(['sleep 6.5 h 2024-02-06T11:00:00.000Z']);
  });

  it('may use a 12-hour clock', async () => {
    const file = auto(
      metric('weight_body_mass', 'lb', { date: '2024-02-06 2:30:00\u202fPM -0800', qty: 180 }),
    );
    expect(await measured(file)).toEqual(['weight 180 lb 2024-02-06T22:30:00.000Z']);
  });

  it.each([
    ['no value', { ...at('08:00:00') }, 'value: This must be a number, not “”'],
    ['a value below zero', { ...at('08:00:00'), qty: -1 }, 'value: This must be a number, not “-1”'],
    [
      'a weight that nobody has',
      { ...at('08:00:00'), qty: 9000 },
      'value: Weight must be from 1 to 700 kg, not 9000 kg',
    ],
    ['no time', { qty: 80 }, 'time: This is not a date and time'],
    ['something else', 5, 'This is not a record'],
  ])('with %s reports the record', async (_what, point, reason) => {
    expect(
      (await fileOf(auto(metric('weight_body_mass', 'kg', { ...at('07:00:00'), qty: 80 }, point as object))))
        .bad,
    ).toEqual([{ type: 'weight_body_mass', line: 2, reason }]);
  });
});

describe('a Health Connect file', () => {
  it('may have lists by type with the field names of its library', async () => {
    const metadata = { id: 'x', dataOrigin: { packageName: 'com.scale' } };
    const file = {
      Weight: [
        {
          time: '2024-02-06T07:00:00Z',
          zoneOffset: '+01:00',
          weight: { inKilograms: 80.5, inGrams: 80_500 },
          metadata,
        },
      ],
      BodyFat: [{ time: '2024-02-06T07:00:00Z', percentage: { value: 21.5 } }],
      BloodPressure: [
        {
          time: '2024-02-06T07:05:00Z',
          systolic: { inMillimetersOfMercury: 120 },
          diastolic: { inMillimetersOfMercury: 80 },
        },
      ],
      BloodGlucose: [
        { time: 1_707_204_000_000, level: { inMillimolesPerLiter: 5.5, inMilligramsPerDeciliter: 99.1 } },
      ],
      HeartRate: [
        {
          startTime: '2024-02-06T07:00:00Z',
          samples: [60, 70].map((beatsPerMinute) => ({ time: '2024-02-06T07:00:00Z', beatsPerMinute })),
        },
      ],
      SleepSession: [
        {
          startTime: '2024-02-05T22:00:00Z',
          endTime: '2024-02-06T06:00:00Z',
          stages: [
            { stage: 4, startTime: '2024-02-05T22:00:00Z', endTime: '2024-02-06T02:00:00Z' },
            { stage: 1, startTime: '2024-02-06T02:00:00Z', endTime: '2024-02-06T03:00:00Z' },
            { stage: 6, startTime: '2024-02-06T03:00:00Z', endTime: '2024-02-06T06:00:00Z' },
          ],
        },
      ],
      Steps: [{ count: 5 }],
    };
    expect(await measured(file)).toEqual([
      'weight 80.5 kg 2024-02-06T07:00:00.000Z',
      'bodyFat 21.5 % 2024-02-06T07:00:00.000Z',
      'glucose 5.5 mmol/L 2024-02-06T07:20:00.000Z',
      'heartRate 65 bpm 2024-02-06T11:00:00.000Z',
      'systolic 120 mmHg 2024-02-06T07:05:00.000Z',
      'diastolic 80 mmHg 2024-02-06T07:05:00.000Z',
      'sleep 7 h 2024-02-06T06:00:00.000Z',
    ]);
    expect((await fileOf(file)).rows[0]?.cells['phoneKey']).toBe(
      '["weight","com.scale","2024-02-06T07:00:00.000Z"]',
    );
  });

  it('may have all records in one list, or plain numbers', async () => {
    const records = [
      { recordType: 'WeightRecord', time: '2024-02-06T07:00:00Z', weight: { value: 178, unit: 'pounds' } },
      { type: 'RestingHeartRate', time: '2024-02-06T07:00:00Z', beatsPerMinute: 55 },
    ];
    expect(await measured({ records })).toEqual([
      'weight 178 lb 2024-02-06T07:00:00.000Z',
      'heartRate 55 bpm 2024-02-06T07:00:00.000Z',
    ]);
    const webhook = {
      timestamp: '2024-02-06T09:00:00Z',
      app_version: '1.0',
      weight: [{ kilograms: 80, time: '2024-02-06T07:00:00Z' }],
      blood_pressure: [{ systolic: 120, diastolic: 80, time: '2024-02-06T07:00:00Z' }],
      sleep: [{ session_end_time: '2024-02-06T06:00:00Z', duration_seconds: 27_000, stages: [] }],
    };
    expect(await measured(webhook)).toEqual([
      'weight 80 kg 2024-02-06T07:00:00.000Z',
      'systolic 120 mmHg 2024-02-06T07:00:00.000Z',
      'diastolic 80 mmHg 2024-02-06T07:00:00.000Z',
      'sleep 7.5 h 2024-02-06T06:00:00.000Z',
    ]);
  });
});

describe('a hostile JSON file', () => {
  it.each([
    ['that is cut off', '{"data":{"metrics":[{"name":"x"', /cut off/],
    ['with something behind its end', '{"data":{}}{}', /not valid JSON/],
    ['with a comma too many', '{"data":{"metrics":[1,]}}', /not valid JSON/],
    ['with the wrong bracket', '{"data":{"metrics":[}}', /not valid JSON/],
    ['that is deep', `{"data":${'{"a":'.repeat(200)}`, /nested too deeply/],
    ['with a deep record', `{"Weight":[${'['.repeat(200)}`, /nested too deeply/],
    ['with one huge value', `{"data":"${'x'.repeat(1_100_000)}"}`, /too large/],
  ])('%s is refused', async (_what, text, message) => {
    await expect(fileOf(text, 65_536)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(message) as string,
    });
  });

  it('cannot reach inherited object properties', async () => {
    const file = auto(
      metric('__proto__', 'kg', { ...at('08:00:00'), qty: 1 }),
      metric('constructor', 'kg', { ...at('08:00:00'), qty: 1 }),
    );
    expect((await fileOf(file)).health?.leftOut.map(({ type }) => type)).toEqual([
      '__proto__',
      'constructor',
    ]);
    const units = auto(metric('weight_body_mass', 'constructor', { ...at('08:00:00'), qty: 1 }));
    expect((await fileOf(units)).bad).toHaveLength(1);
  });
});

it('reads the entries of every list from a JSON stream as JSON.parse does', () => {
  const json = fc.json({ maxDepth: 4 });
  fc.assert(
    fc.property(fc.array(json, { maxLength: 5 }), fc.integer({ min: 1, max: 9 }), (entries, length) => {
      const text = `{"a" : [${entries.join(' ,\n')}]}`;
      const found: unknown[] = [];
      const stream = new JsonStream({
        isWhole: (path) => typeof path.at(-1) === 'number',
        onValue: (_path, value) => found.push(value),
        onEnd: () => undefined,
      });
      for (let from = 0; from < text.length; from += length) stream.push(text.slice(from, from + length));
      stream.end();
      const asText = (value: unknown): unknown =>
        typeof value === 'number'
          ? Number(value)
          : Array.isArray(value)
            ? value.map(asText)
            : value !== null && typeof value === 'object'
              ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asText(inner)]))
              : value;
      const numbers = (value: unknown): unknown =>
        JSON.parse(
          JSON.stringify(value, (_key, inner: unknown) =>
            typeof inner === 'number'
              ? `#${inner}`
              : typeof inner === 'string' && inner.trim() !== '' && Number.isFinite(Number(inner))
                ? `#${Number(inner)}`
                : inner,
          ),
        );
      expect(numbers(found)).toEqual(numbers(asText(JSON.parse(`[${entries.join(',')}]`))));
    }),
  );
});

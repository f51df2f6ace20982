import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvTable, rowsOfTable } from '#app/domain/records/csv-table.ts';
import { DOSES } from '#app/domain/records/doses.ts';
import { MEASUREMENTS } from '#app/domain/records/measurements.ts';
import { canonicalValue, METRICS, ownMetric } from '#app/domain/tracking/measurements.ts';
import { INJECTION_SITES } from '#app/domain/records/injection-sites.ts';
import { NUTRITION } from '#app/domain/records/nutrition.ts';
import { SIDE_EFFECTS } from '#app/domain/records/side-effects.ts';
import { jsonWriter, readRow } from '#app/domain/records/record-types.ts';
import { SCHEDULES } from '#app/domain/records/schedules.ts';
import type { ExportCells, ImportedRecord, RawFile } from '#app/domain/records/record-type.ts';
import { JsonRecords } from '#app/domain/import/json-records.ts';
import { lineField, notesField } from '#app/domain/forms/fields.ts';
import type { ExportType } from '#app/domain/records/type-names.ts';
import { logSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import { nutritionSchema } from '#app/domain/tracking/nutrition-schema.ts';
import { scheduleSchema } from '#app/domain/schedules/schedule-schema.ts';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';

const NOW = new Date('2090-06-01T12:00:00Z');
const SETTING = { now: NOW, timeZone: 'Asia/Tokyo' };

function throughFiles(type: ExportType, cells: ExportCells): RawFile[] {
  const table = csvTable([type], false);
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const csv = [table.header, table.placer(type)(cells)].map((line) => line.map(quote).join(',')).join('\r\n');
  const [header = [], line = []] = parse(csv, { relax_column_count: true }) as unknown as string[][];
  const json = new JsonRecords().push(`{"${type}":[${jsonWriter(type)(cells)}]}`);
  if ('problem' in json) throw new Error(json.problem);
  return [rowsOfTable(header, [{ line: 2, cells: line }]), json];
}

/** The cells of a record when it is exported again. */
function exported(record: ImportedRecord, id: string): ExportCells {
  if (record.type === 'schedules') {
    const { fields, moves: _moves, swaps: _swaps, ...rest } = record;
    const { name = '', compoundId = null, route = null, notes = null, endDate = null } = fields;
    const { reminderLeadMinutes = 0, timeZone = '', ramp = null, course = null } = fields;
    const doseAmount = ramp?.start ?? fields.doseAmount ?? '';
    const firstDueAt = fields.firstDueAt === undefined ? null : new Date(fields.firstDueAt);
    const nulls = { compoundId, route, notes, endDate, ramp, course, firstDueAt };
    return SCHEDULES.cells({
      ...fields,
      ...rest,
      ...nulls,
      name: name ?? '',
      doseAmount,
      reminderLeadMinutes,
      timeZone,
    });
  }
  if (record.type === 'doses') {
    const { takenAt, name, amount, unit, site, notes } = record;
    return DOSES.cells({
      id,
      takenAt,
      name,
      actualDose: amount,
      doseAmount: amount,
      doseUnit: unit,
      site,
      notes,
    });
  }
  const { createdAt } = record as { createdAt: Date };
  if (record.type === 'nutrition') return NUTRITION.cells({ ...record.entry, id, createdAt });
  if (record.type === 'sideEffects')
    return SIDE_EFFECTS.cells({ ...record.effect, id, createdAt, images: [] });
  if (record.type === 'injectionSites') return INJECTION_SITES.cells({ ...record.entry, id, createdAt });
  if (record.type === 'measurements') return MEASUREMENTS.cells({ ...record.measurement, id, createdAt });
  throw new Error(record.type);
}

function comesBack(type: ExportType, cells: ExportCells): void {
  for (const { rows, bad } of throughFiles(type, cells)) {
    expect(bad).toEqual([]);
    const read = rows.map((row) => readRow(row, SETTING));
    const again = read.map((each) =>
      'record' in each ? exported(each.record, cells[0] ?? '') : each.reason,
    );
    expect(again).toEqual([cells]);
  }
}

/** Texts that spreadsheets and parsers may get wrong but that the forms accept. */
const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '\t',
      "'",
      '"',
      ',',
      ';',
      'a',
      '0',
      'µ',
      '\n',
      '\r',
      '{',
      '\\',
      '💉',
    ),
    maxLength: 30,
  }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    "=cmd|'/C calc'!A0",
    '","',
    '{"$gt":""}',
    '<script>',
    '\u2028',
    "''=1",
    'null',
    '1e5',
    '\ufeffx',
  ),
);
const lineText = hostile.map((text) => lineField('', 100).parse(text));
const notes = hostile.map((text) => notesField('').parse(text));
const hostileUnit = hostile
  .map((text) => lineField('', 30).parse(text) ?? '')
  .filter((text) => text.length <= 20);
const named = lineText.filter((text) => text !== null);
const instant = fc.integer({ min: 1_500_000_000_000, max: NOW.getTime() }).map((ms) => new Date(ms));
const day = fc
  .integer({ min: 0, max: 9000 })
  .map((days) => new Date(days * 86_400_000 + 1.6e12).toISOString().slice(0, 10));
const decimal = (most: number, digits: number) =>
  fc.integer({ min: 1, max: most * 10 ** digits }).map((units) => (units / 10 ** digits).toFixed(digits));
const idOf = (prefix: string) => fc.constant(`${prefix}_0123456789abcdef01234567`);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const frequency = fc.oneof(
  fc.constant({ kind: 'daily' }),
  fc.constant({ kind: 'once' }),
  fc
    .subarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], { minLength: 1 })
    .map((weekdays) => ({ kind: 'weekdays', weekdays })),
  fc.integer({ min: 1, max: 365 }).map((every) => ({ kind: 'interval', every })),
  fc
    .tuple(fc.integer({ min: 1, max: 365 }), fc.integer({ min: 1, max: 365 }))
    .map(([on, off]) => ({ kind: 'cycle', on, off })),
  fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last')).map((day) => ({ kind: 'monthly', day })),
  fc.integer({ min: 1, max: 8760 }).map((everyHours) => ({ kind: 'after-last', everyHours })),
  fc.record(
    {
      kind: fc.constant('as-needed'),
      minGapHours: fc.integer({ min: 1, max: 8760 }),
      maxPerDay: fc.integer({ min: 1, max: 24 }),
    },
    { requiredKeys: ['kind'] },
  ),
);
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const schedule = fc
  .record({
    name: named,
    compoundId: orNull(idOf('vial')),
    endsWithVial: fc.boolean(),
    doseAmount: decimal(100, 3),
    doseUnit: fc.constantFrom('mg', 'mcg'),
    frequency,
    times: fc.uniqueArray(time, { minLength: 1, maxLength: 24 }),
    timeZone: fc.constantFrom('Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires'),
    startDate: fc.constant('2090-01-01'),
    firstDueAt: fc.constant('2090-01-01T06:30:00.000Z'),
    endDate: orNull(fc.constantFrom('2090-01-01', '2091-12-31')),
    route: orNull(named.filter((text) => text.length <= 60)),
    reminderLeadMinutes: fc.integer({ min: 0, max: 120 }),
    notes,
    ramp: orNull(
      fc.constantFrom(
        { start: '0.25', step: '0.25', everyWeeks: 4, target: '1' },
        { start: '5', step: '-1', everyWeeks: 1, target: '2.5' },
      ),
    ),
    course: orNull(fc.constant({ weeksOn: 8, weeksOff: 4 })),
  })
  .map((fields) => scheduleSchema.safeParse(fields))
  .filter((parsed) => parsed.success)
  .map((parsed) => parsed.data);

describe('export and import restore', () => {
  it('every schedule, whatever its kind', () => {
    const state = fc.record({
      createdAt: instant,
      isActive: fc.boolean(),
      nextDoseDate: orNull(instant),
      lastDoseDate: orNull(instant),
    });
    const stop = fc.option(instant, { nil: null });
    fc.assert(
      fc.property(schedule, state, stop, (fields, more, stopsAt) => {
        const stopped = stopsAt === null ? {} : { stopsAt };
        const record = {
          ...{ type: 'schedules' as const, id: 'sched_0123456789abcdef01234567', fields },
          ...{ ...more, ...stopped },
        };
        comesBack('schedules', exported(record, record.id));
      }),
      { numRuns: 300 },
    );
  });

  it('every day of nutrition', () => {
    const amount = orNull(decimal(2000, 3));
    const amounts = { calories: amount, protein: amount, carbs: amount, fat: amount, water: amount };
    fc.assert(
      fc.property(
        fc.record({ date: day, ...amounts, notes, createdAt: instant }),
        ({ createdAt, ...sent }) => {
          fc.pre(Object.values(sent).filter((value) => value !== null).length > 1);
          const {
            date,
            calories = null,
            protein = null,
            carbs = null,
            fat = null,
            water = null,
          } = nutritionSchema.parse(sent);
          const values = { calories, protein, carbs, fat, water, notes: sent.notes };
          comesBack(
            'nutrition',
            NUTRITION.cells({ id: 'meal_0123456789abcdef01234567', date, ...values, createdAt }),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('every dose that was taken', () => {
    const dose = fc.record({
      id: idOf('dose'),
      takenAt: instant,
      name: named,
      actualDose: orNull(decimal(90, 3)),
      doseAmount: decimal(90, 3),
      doseUnit: fc.constantFrom('mg', 'mcg'),
      site: orNull(fc.constantFrom(...SITE_IDS)),
      notes,
    });
    fc.assert(
      fc.property(dose, (fields) => comesBack('doses', DOSES.cells(fields))),
      { numRuns: 300 },
    );
  });

  it('every side effect, whatever time zone its last day was entered in', () => {
    const effect = fc.record({
      id: idOf('fx'),
      createdAt: instant,
      name: named,
      severity: fc.integer({ min: 1, max: 5 }),
      startedAt: instant,
      compoundId: orNull(idOf('vial')),
      doseId: orNull(idOf('dose')),
      notes,
      end: fc.constantFrom('none', 'day', 'day before in another zone', 'instant'),
    });
    fc.assert(
      fc.property(effect, ({ end, ...rest }) => {
        const at = rest.startedAt.getTime();
        const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
        const ends = {
          none: null,
          day: dayOf(at),
          'day before in another zone': dayOf(at - 43_200_000),
          instant: rest.startedAt.toISOString(),
        };
        comesBack(
          'sideEffects',
          SIDE_EFFECTS.cells({ ...rest, resolvedDate: ends[end as keyof typeof ends], images: [] }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('every injection', () => {
    const entry = fc.record({
      site: fc.constantFrom(...SITE_IDS),
      takenAt: instant,
      name: lineText,
      compoundId: orNull(idOf('vial')),
      dose: orNull(decimal(100_000, 3)),
      doseUnit: fc.constantFrom('mg' as const, 'mcg' as const),
      volume: orNull(decimal(100, 3)),
      pain: orNull(fc.integer({ min: 0, max: 10 })),
      notes,
    });
    fc.assert(
      fc.property(entry, orNull(idOf('dose')), instant, (sent, doseId, createdAt) => {
        expect(logSiteSchema.safeParse({ ...sent, takenAt: sent.takenAt.toISOString() }).success).toBe(true);
        comesBack(
          'injectionSites',
          INJECTION_SITES.cells({ ...sent, id: 'site_0123456789abcdef01234567', doseId, createdAt }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('every measurement', () => {
    const measure = fc.oneof(
      fc.constantFrom(...METRICS).chain((metric) =>
        fc.record({
          key: fc.constant(metric.key),
          unit: fc.constantFrom(metric.metric.unit, metric.imperial.unit),
        }),
      ),
      fc.record({ key: fc.constant('own-0123456789abcdef'), unit: hostileUnit }),
    );
    fc.assert(
      fc.property(
        measure,
        decimal(10, 3),
        instant,
        notes,
        instant,
        ({ key, unit }, entered, measuredAt, note, createdAt) => {
          const metric = METRICS.find((known) => known.key === key) ?? ownMetric({ key, name: key, unit });
          const value = canonicalValue(metric, entered, unit);
          fc.pre(value !== null);
          const row = {
            id: 'health_0123456789abcdef01234567',
            metric: key,
            measuredAt,
            value,
            text: entered,
            unit,
            notes: note,
          };
          comesBack('measurements', MEASUREMENTS.cells({ ...row, createdAt }));
        },
      ),
      { numRuns: 300 },
    );
  });
});

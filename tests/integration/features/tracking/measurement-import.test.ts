import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkCsv,
  importCsv,
  measurementTrend,
  listMeasurements,
} from '#app/features/tracking/health/measurements.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

let people = 0;
const premium = (more = {}) =>
  newPerson(db, `table-${(people += 1)}@example.org`, { plan: 'trial', ...more });

describe('a pasted table of measurements', () => {
  const TABLE = [
    'date,weight (lb),Heart rate,mood',
    '2090-03-01,180,60,7',
    '',
    '2090-03-02 07:30,179.5,,',
    'yesterday,178,,',
    '2090-03-04,177,400,5',
    '2090-03-05,,,',
    '2091-03-05,177,,',
  ].join('\n');

  it('is checked first, and every bad line is listed with its reason', async () => {
    const { ctx } = await premium({ timeZone: 'Europe/Berlin' });
    const { readings, bad } = await checkCsv(ctx, { text: TABLE });
    expect(
      readings.map(({ metric, measuredAt, text, unit }) => [metric, measuredAt.toISOString(), text, unit]),
    ).toEqual([
      ['weight', '2090-03-01T11:00:00.000Z', '180', 'lb'],
      ['heartRate', '2090-03-01T11:00:00.000Z', '60', 'bpm'],
      ['mood', '2090-03-01T11:00:00.000Z', '7', ''],
      ['weight', '2090-03-02T06:30:00.000Z', '179.5', 'lb'],
    ]);
    expect(bad).toEqual([
      {
        line: 5,
        reason: 'The first column must be a date up to today, such as 2026-03-09 or 2026-03-09 08:30',
      },
      { line: 6, reason: 'Heart rate: “400” is not a valid value' },
      { line: 7, reason: 'This line has no values' },
      {
        line: 8,
        reason: 'The first column must be a date up to today, such as 2026-03-09 or 2026-03-09 08:30',
      },
    ]);
    expect((await listMeasurements(ctx)).total).toBe(0);
  });

  it('is imported without its bad lines, and importing it again adds nothing', async () => {
    const { ctx } = await premium();
    expect(await importCsv(ctx, { text: TABLE })).toBe(4);
    expect(await importCsv(ctx, { text: `${TABLE}\n2090-03-06,176,,` })).toBe(1);
    expect((await listMeasurements(ctx)).total).toBe(5);
    const trend = await measurementTrend(ctx, 'weight', 30);
    expect(trend?.measurements.map(({ text }) => text)).toEqual(['180', '179.5', '176']);
    expect((await measurementTrend(ctx, 'weight', 5))?.measurements).toHaveLength(1);
    expect((await measurementTrend(ctx, 'weight', null))?.measurements).toHaveLength(3);
    expect(await measurementTrend(ctx, 'nothing', 30)).toBeNull();
  });

  it.each([
    ['time,weight\n1,2', 'The first line must be: date, then the measures'],
    ['date\n2090-03-01', 'The first line must be: date, then the measures'],
    ['date,height\n2090-03-01,180', 'Unknown measure “height”'],
    ['date,weight (stone)\n2090-03-01,12', 'Unknown measure “weight (stone)”'],
  ])('with the heading of %j is refused', async (text, reason) => {
    const { ctx } = await premium();
    expect(await checkCsv(ctx, { text })).toEqual({ readings: [], bad: [{ line: 1, reason }] });
  });

  it('may use tabs or semicolons as separators, and decimal commas', async () => {
    const { ctx } = await premium();
    const texts = ['date;weight\n2090-03-01;80,5', 'date\tweight\n2090-03-01\t80.5'];
    for (const text of texts) expect((await checkCsv(ctx, { text })).readings[0]?.value).toBe(80.5);
    expect(await codeOf(checkCsv(ctx, { text: ' ' }))).toBe('INVALID_INPUT');
    expect(await codeOf(checkCsv(ctx, { text: 'date,weight\n"2090' }))).toBe('INVALID_INPUT');
    expect(await codeOf(checkCsv(ctx, { text: `date,weight${'\n2090-03-01,80'.repeat(5001)}` }))).toBe(
      'INVALID_INPUT',
    );
  });
});

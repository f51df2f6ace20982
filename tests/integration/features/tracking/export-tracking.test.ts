import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExportType } from '#app/domain/records/type-names.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { logSite } from '#app/features/tracking/sites/injection-sites.server.ts';
import { saveNutrition } from '#app/features/tracking/nutrition/nutrition.server.ts';
import { addSideEffect } from '#app/features/tracking/side-effects/side-effects.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
let ada: Person;
beforeAll(async () => {
  db = await openTestDatabase();
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial', timeZone: 'America/New_York' });
  const { ctx } = ada;
  // One of each late on the 5th in New York, when it is already the 6th in UTC, and one on the 6th.
  for (const day of ['05', '06']) {
    const at = `2090-03-${day}T23:30`;
    await logSite(ctx, {
      site: 'deltoid-left',
      takenAt: at,
      name: '=A',
      dose: '00,250',
      doseUnit: 'mcg',
      volume: '0.10',
      pain: 0,
    });
    await addSideEffect(ctx, {
      name: '+Nausea',
      severity: 3,
      startedAt: at,
      resolvedDate: '2090-03-07',
      notes: `on ${day}`,
    });
    await saveNutrition(ctx, { date: `2090-03-${day}`, calories: '2100.50', notes: '-' });
  }
  const other = await newPerson(db, 'other@example.org', { plan: 'trial' });
  await addSideEffect(other.ctx, { name: 'Not hers', severity: 1, startedAt: '2090-03-05T08:00' });
});
afterAll(() => db.dispose());

const TYPES: ExportType[] = ['nutrition', 'sideEffects', 'injectionSites'];
async function file(format: 'csv' | 'json' | 'pdf', more: object = {}) {
  const prepared = await prepareExport(ada.ctx, { format, types: TYPES, includeMetadata: false, ...more });
  return { prepared, text: await textOf(prepared.open()) };
}

it('exports tracked entries with all their fields, oldest first', async () => {
  const { prepared, text } = await file('json');
  expect(prepared.totalRecords).toBe(6);
  const data = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
  expect(data['injectionSites']).toMatchObject([
    {
      site: 'deltoid-left',
      takenAt: '2090-03-06T04:30:00.000Z',
      name: '=A',
      dose: 0.25,
      doseUnit: 'mcg',
      volume: 0.1,
      pain: 0,
      notes: null,
      doseId: null,
    },
    { takenAt: '2090-03-07T04:30:00.000Z' },
  ]);
  expect(data['sideEffects']).toMatchObject([
    {
      name: '+Nausea',
      severity: 3,
      startedAt: '2090-03-06T04:30:00.000Z',
      resolvedDate: '2090-03-07',
      imageCount: 0,
    },
    { notes: 'on 06' },
  ]);
  expect(data['nutrition']).toMatchObject([
    { date: '2090-03-05', calories: 2100.5, protein: null, notes: '-' },
    { date: '2090-03-06' },
  ]);
});

it('exports the days from start to end in the user’s own time zone', async () => {
  const { prepared, text } = await file('json', { startDate: '2090-03-05', endDate: '2090-03-05' });
  expect(prepared.totalRecords).toBe(3);
  const data = JSON.parse(text) as Record<string, unknown[]>;
  expect(TYPES.map((type) => data[type]?.length)).toEqual([1, 1, 1]);
});

it('exports tracked entries as one CSV table in which nothing runs as a formula', async () => {
  const { text } = await file('csv');
  const rows = parse<Record<string, string>>(text, { bom: true, columns: true });
  expect(rows.map(({ dataType }) => dataType)).toEqual([
    'nutrition',
    'nutrition',
    'sideEffects',
    'sideEffects',
    'injectionSites',
    'injectionSites',
  ]);
  expect(rows[0]).toMatchObject({ calories: '2100.5', notes: "'-", severity: '' });
  expect(rows[2]).toMatchObject({ name: "'+Nausea", severity: '3' });
  expect(rows[4]).toMatchObject({ name: "'=A", dose: '0.25', pain: '0' });
});

it('exports tracked entries as a PDF file, for premium accounts only', async () => {
  expect((await file('pdf')).text.startsWith('%PDF-')).toBe(true);
  const free = await newPerson(db, 'free@example.org');
  await expect(prepareExport(free.ctx, { format: 'csv', types: ['nutrition'] })).rejects.toMatchObject({
    code: 'PREMIUM_REQUIRED',
  });
});

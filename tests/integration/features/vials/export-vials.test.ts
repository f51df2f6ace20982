import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unguardFormula } from '#app/domain/records/csv-table.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { correctRemaining, discardVial, addVial } from '#app/features/vials/vials.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
let ada: Person;
beforeAll(async () => {
  db = await openTestDatabase();
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
  const third = { name: '=TB-500', totalAmount: '5', waterMl: '3', cost: '39.90', currency: 'USD' };
  const { id } = await addVial(ada.ctx, { ...third, reconstitutionDate: '2090-03-01', notes: 'a,b\n"c"' });
  await correctRemaining(ada.ctx, id, { remainingAmount: '1.1' });
  db.clock.advance(1000);
  const gone = await addVial(ada.ctx, { name: 'Sealed', totalAmount: '10' });
  await discardVial(ada.ctx, gone.id);
  const other = await newPerson(db, 'other@example.org', { plan: 'trial' });
  await addVial(other.ctx, { name: 'Not hers', totalAmount: '1' });
});
afterAll(() => db.dispose());

async function file(format: 'csv' | 'json', more: object = {}) {
  const prepared = await prepareExport(ada.ctx, {
    format,
    types: ['compounds'],
    includeMetadata: false,
    ...more,
  });
  return { prepared, text: await textOf(prepared.open()) };
}

it('the export has all vials with all their fields, whatever the dates', async () => {
  const { prepared, text } = await file('json', { startDate: '2001-01-01', endDate: '2001-01-02' });
  expect(prepared.totalRecords).toBe(2);
  const { compounds } = JSON.parse(text) as { compounds: Record<string, unknown>[] };
  expect(compounds).toMatchObject([
    {
      name: '=TB-500',
      totalAmount: 5,
      waterMl: 3,
      concentration: 5 / 3,
      remainingAmount: 1.1,
      reconstitutionDate: '2090-03-01',
      expirationDate: null,
      beyondUseDate: '2090-03-29',
      status: 'reconstituted',
      cost: 39.9,
      currency: 'USD',
      notes: 'a,b\n"c"',
    },
    { name: 'Sealed', status: 'discarded', remainingAmount: 0, totalAmount: 10, concentration: null },
  ]);
});

it('the CSV export has the same contents, and no name runs as a formula', async () => {
  const { text } = await file('csv');
  const rows = parse<Record<string, string>>(text, { bom: true, columns: true });
  expect(rows.map((row) => [row['name'], row['remainingAmount'], row['status']])).toEqual([
    ["'=TB-500", '1.1', 'reconstituted'],
    ['Sealed', '0', 'discarded'],
  ]);
  expect(unguardFormula(rows[0]?.['name'] ?? '')).toBe('=TB-500');
  expect(rows[0]?.['notes']).toBe('a,b\n"c"');
});

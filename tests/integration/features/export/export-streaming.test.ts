import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportFormat } from '#app/domain/export/export-schema.ts';
import { prepareExport, type PreparedExport } from '#app/features/export/export.server.ts';
import { calculation } from '#tests/support/calculations.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { bytesOf, textOf } from '#tests/support/streams.ts';
import { sized } from '#tests/support/size.ts';

const ROWS = sized(4000, 6000);

let db: TestDatabase;
let person: Person;
let ids: string[];

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
  person = await newPerson(db, 'long@example.org', { plan: 'trial' });
  const userId = person.signedIn.user.id;
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const _id = `calc_${String(index).padStart(6, '0')}`;
    const shown = {
      peptideName: null,
      nameKey: '\uffff',
      notes: null,
      concentration: 2.5,
      injectionVolume: 0.1,
    };
    const owned = { _id, userId, shelf: 'kept', saveKey: _id, createdAt: new Date(4e12 + index) };
    return { ...owned, type: 'reconstitution', input: calculation(), ...shown };
  });
  await testConnection(db)
    .collection('calculations')
    .insertMany(rows as never[]);
  // Written directly to the database, because the product would have logged it.
  await testConnection(db)
    .collection('calculation_counters')
    .insertOne({ _id: `${userId}/kept`, userId, shelf: 'kept', revision: 1 } as never);
  ids = rows.map(({ _id }) => _id);
});
afterAll(() => db.dispose());

function prepare(format: ExportFormat, ctx = person.ctx): Promise<PreparedExport> {
  const input = { format, types: ['calculations' as const], startDate: '2000-01-01', includeMetadata: false };
  return prepareExport(ctx, input, person.email);
}

describe('a long export', () => {
  it('is complete and in order', async () => {
    const csv = await textOf((await prepare('csv')).open());
    const lines = csv.split('\r\n').slice(1, -1);
    expect(lines.map((line) => line.split(',')[1])).toEqual(ids);
    const json = JSON.parse(await textOf((await prepare('json')).open())) as {
      calculations: { id: string }[];
    };
    expect(json.calculations.map(({ id }) => id)).toEqual(ids);
    const pdf = await bytesOf((await prepare('pdf')).open());
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(100);
  });

  it.each(['csv', 'json', 'pdf'] as const)('does not run ahead of a slow reader of %s', async (format) => {
    const prepared = await prepare(format);
    expect(prepared.totalRecords).toBe(ROWS);
    let told = 0;
    const stream = await prepared.open((records) => (told = records));
    await once(stream, 'readable');
    stream.read(1);
    // Meanwhile the terminal reads all of it, which gives the other export enough time to run ahead.
    await bytesOf((await prepare(format, db.ctx(TERMINAL))).open());
    expect(told).toBeLessThan(ROWS);
    stream.destroy();
  });

  it('reports its progress', async () => {
    const steps: number[] = [];
    await bytesOf((await prepare('csv')).open((records) => steps.push(records)));
    expect(steps.at(-1)).toBe(ROWS);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(steps.length).toBeGreaterThan(2);
  });
});

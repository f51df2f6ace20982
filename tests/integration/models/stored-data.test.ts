import { afterAll, beforeAll, expect, it } from 'vitest';
import { STORED_DATA, STORED_KINDS, storedLines } from '#app/domain/site/stored-data.ts';
import { HOLDINGS, NOBODYS } from '#models/store/personal-data.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';

/** The privacy page is made from a list; the database has nothing that is not on it. */
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const models = () => Object.values(testConnection(db).models);

it('names every collection with personal data, and no others', () => {
  const names = models().map(({ collection }) => collection.collectionName);
  const expected = names.filter((name) => !(name in NOBODYS));
  expect(Object.keys(STORED_DATA).sort()).toEqual([...new Set(expected)].sort());
});

it('names every field of those collections, and no others', () => {
  for (const { schema, collection } of models()) {
    const described = STORED_DATA[collection.collectionName];
    if (described === undefined) continue;
    const { fields, technical, touched } = described;
    const top = new Set(Object.keys(schema.paths).map((path) => path.split('.')[0]));
    const named = [...Object.keys(fields), ...technical].filter((name) => name !== '');
    expect([...named].sort(), collection.collectionName).toEqual([...top].sort());
    for (const field of touched) expect(top, collection.collectionName).toContain(field.split('.')[0]);
  }
});

it('uses every kind, and says which data outlives the account', () => {
  const used = new Set(Object.values(STORED_DATA).map(({ kind }) => kind));
  expect([...used].sort()).toEqual(Object.keys(STORED_KINDS).sort());
  for (const [name, { keptBecause }] of Object.entries(HOLDINGS))
    if (keptBecause !== undefined)
      expect(STORED_KINDS[STORED_DATA[name]?.kind ?? 'account'].kept).toContain(
        'under the account’s id alone',
      );
});

it('describes each collection in its own sentence', () => {
  for (const { title, what, kept } of storedLines(true)) {
    expect(title).toMatch(/^[A-Z]/);
    expect(what).toMatch(/^[A-Z].+\.$/);
    expect(kept).toMatch(/^[A-Z].+\.$/);
  }
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';

/** Rows whose time is over, where the server does not remove them by itself. */
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

it('removes expired rows only from the collection whose index does not', async () => {
  const throttles = testConnection(db).collection<{ _id: string; expiresAt: Date }>('throttles');
  const secrets = testConnection(db).collection<{ _id: string; expiresAt: Date }>('one_time_secrets');
  const now = db.clock.now();
  const [over, later] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
  // By its own clock, which is decades behind the test's, the database has nothing to remove yet.
  const rows = [
    { _id: 'over', expiresAt: over },
    { _id: 'later', expiresAt: later },
  ];
  await secrets.insertMany(rows);
  // A server that has no such indexes made plain ones, here as everywhere.
  const isServers = (await secrets.indexes()).some(
    ({ expireAfterSeconds }) => expireAfterSeconds !== undefined,
  );
  expect(await db.repos.expiredRows.remove(now)).toBe(isServers ? 0 : 1);
  expect(await secrets.countDocuments({})).toBe(isServers ? 2 : 1);

  await throttles.dropIndex('expiresAt_1');
  await throttles.createIndex({ expiresAt: 1 });
  await throttles.insertMany(rows);
  expect(await db.repos.expiredRows.remove(now)).toBe(1);
  expect((await throttles.find().toArray()).map(({ _id }) => _id)).toEqual(['later']);
  expect(await secrets.countDocuments({})).toBe(isServers ? 2 : 1);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROWS_AT_ONCE } from '#models/store/writes.server.ts';
import { seedCalculations } from '#tests/support/calculations.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';

const ROWS = 2300;

/** What the database was told to remove or change, each command as the number of rows that it names. */
const sizes: number[] = [];
let db: TestDatabase;
let rounds = 0;

beforeAll(async () => {
  db = await openTestDatabase({ monitorCommands: true });
  testConnection(db)
    .getClient()
    .on('commandStarted', ({ commandName, command }) => {
      if (command[commandName] !== 'calculations') return;
      for (const { q, limit, multi } of command['deletes'] ?? command['updates'] ?? [])
        if (limit === 0 || multi === true) sizes.push(q._id?.$in?.length ?? Infinity);
    });
});
afterAll(() => db.dispose());

let userId: string;
beforeEach(async () => {
  userId = `user${(rounds += 1)}`;
  await seedCalculations(db, userId, ROWS, { signInId: 'ended' });
  await seedCalculations(db, `other${rounds}`, 10, { signInId: 'ended' });
  sizes.length = 0;
});

const count = (filter: object) => testConnection(db).collection('calculations').countDocuments(filter);

/** No command has more rows than the bound, and together they have them all. */
function expectPieces(): void {
  expect(Math.max(...sizes)).toBeLessThanOrEqual(ROWS_AT_ONCE);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(ROWS);
}

describe('removing large numbers of rows', () => {
  it('are removed in batches when a session ends, without affecting other accounts', async () => {
    await db.repos.calculations.clearSignIn(userId, 'ended');
    expect(await count({ userId })).toBe(0);
    expect(await count({ userId: `other${rounds}` })).toBe(10);
    expectPieces();
  });

  it('are saved in batches when an account becomes Premium', async () => {
    await db.repos.calculations.keep(userId);
    expect(await count({ userId, shelf: 'kept' })).toBe(ROWS);
    expectPieces();
  });

  it('are removed in batches with the account', async () => {
    await db.repos.personalData.deleteOwned({ id: userId, email: 'gone@example.org' });
    expect(await count({ userId })).toBe(0);
    expectPieces();
  });

  it('are removed even while others remove rows at the same time', async () => {
    await Promise.all(Array.from({ length: 4 }, () => db.repos.calculations.clearSignIn(userId, 'ended')));
    expect(await count({ userId })).toBe(0);
  });
});

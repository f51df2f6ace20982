import { afterAll, beforeAll, expect, it } from 'vitest';
import { scheduleDeletion } from '#app/features/accounts/account-deletion.server.ts';
import { purgeDueAccounts } from '#app/features/accounts/index.server.ts';
import { compactWhenDue } from '#app/features/system/index.server.ts';
import { openTestDatabase, TERMINAL, VISITOR, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true });
});
afterAll(() => db.dispose());

/** The results of several workers that run at the same time. */
const compactedBy = async (workers: number) =>
  (await Promise.all(Array.from({ length: workers }, () => compactWhenDue(db.ctx(TERMINAL))))).filter(Boolean)
    .length;

async function deleteAccount(email: string): Promise<void> {
  const { ctx } = await newPerson(db, email);
  await scheduleDeletion(ctx, { email });
  db.clock.advance(49 * HOUR);
  expect(await purgeDueAccounts(db.ctx(TERMINAL))).toBe(1);
}

it('compaction runs five minutes after a deletion, in one worker, at most once a day', async () => {
  const staying = await newPerson(db, 'stays@example.org');
  expect(await compactedBy(2)).toBe(0);
  await deleteAccount('leaves@example.org');
  expect(await compactedBy(2)).toBe(0);
  db.clock.advance(6 * MINUTE);
  expect(await compactedBy(4)).toBe(1);
  expect(await compactedBy(2)).toBe(0);

  await deleteAccount('leaves-too@example.org');
  db.clock.advance(6 * MINUTE);
  expect(await compactedBy(2)).toBe(1);
  await db.repos.processSignals.ask('compact-database', db.clock.now());
  db.clock.advance(23 * HOUR);
  expect(await compactedBy(2)).toBe(0);
  db.clock.advance(HOUR);
  expect(await compactedBy(2)).toBe(1);
  expect(await db.repos.users.find(staying.signedIn.user.id)).toMatchObject({
    email: 'stays@example.org',
  });
});

it('compaction is refused for visitors', async () => {
  await expect(compactWhenDue(db.ctx(VISITOR))).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

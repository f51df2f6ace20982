import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { purgeDueAccounts, scheduleDeletion } from '#app/features/accounts/account-deletion.server.ts';
import { seedCalculations } from '#tests/support/calculations.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { CLI_PATH } from '#tests/support/cli.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { sized } from '#tests/support/size.ts';
import { databaseEnv } from '#tests/support/named-deployment.ts';

/** A purge whose process is killed midway is finished by the next one. */
const ROWS = sized(10_000, 20_000);
const HOUR_MS = 3_600_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ ownEngine: true, realTime: true });
});
afterAll(() => db.dispose());

it('a killed purge is finished by the next one', async () => {
  const { ctx, email, signedIn } = await newPerson(db, 'leaves@example.org');
  const { id: userId } = signedIn.user;
  await seedCalculations(db, userId, ROWS);
  const twoDaysAgo = () => new Date(Date.now() - 49 * HOUR_MS);
  const actor = { ...ctx.actor, authenticatedAt: twoDaysAgo() };
  await scheduleDeletion({ ...ctx, actor: actor as Ctx['actor'], now: twoDaysAgo }, { email });
  const rows = () => testConnection(db).collection('calculations').countDocuments({ userId });

  const child = spawn(process.execPath, [CLI_PATH, 'admin', 'purge', '--yes'], {
    env: databaseEnv({ ...process.env, DATA_DIR: db.directory }),
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await expect.poll(rows, { interval: 5 }).toBeLessThan(ROWS);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await rows()).toBeGreaterThan(0);
  expect(await db.repos.users.find(userId)).not.toBeNull();

  // A killed purge counts as interrupted after a while.
  const later = () => new Date(Date.now() + HOUR_MS);
  expect(await purgeDueAccounts({ ...db.ctx(TERMINAL), now: later })).toBe(1);
  expect(await rows()).toBe(0);
  expect(await db.repos.users.find(userId)).toBeNull();
});

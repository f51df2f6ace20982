import type { Connection } from 'mongoose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { purgeDueAccounts } from '#app/features/accounts/account-deletion.server.ts';
import { countUsers, listUsers } from '#app/features/admin/users/users.server.ts';
import { startDemoAccount } from '#app/features/accounts/registration.server.ts';
import { addressParts } from '#models/accounts/address-part.server.ts';
import { createMigrationStatus, runMigrations } from '#models/store/migrations/run.server.ts';
import { searchableAddresses } from '#models/store/migrations/searchable-addresses.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
let connection: Connection;
const parts = () => connection.collection<{ _id: string; userId: string; part: string }>('address_parts');

beforeEach(async () => {
  db = await openTestDatabase();
  connection = testConnection(db);
});
afterEach(() => db.dispose());

const found = async (search: string) => {
  const { users } = await listUsers(db.ctx(TERMINAL), { search });
  expect(await countUsers(db.ctx(TERMINAL), { search })).toBe(users.length);
  return users.map(({ email }) => email);
};

it('follows an account from its registration over a change of its address to its end', async () => {
  const { signedIn } = await newPerson(db, 'first.name@example.org');
  expect(await found('name@ex')).toEqual(['first.name@example.org']);
  const { id } = signedIn.user;
  await db.transaction(async () => {
    expect(
      await db.repos.users.replaceEmail(id, 'first.name@example.org', 'other@new.example', db.clock.now()),
    ).toBe(true);
  });
  expect(await found('name@ex')).toEqual([]);
  expect(await found('her@new')).toEqual(['other@new.example']);
  // A change that does not happen changes nothing here either.
  expect(
    await db.repos.users.replaceEmail(id, 'wrong@example.org', 'third@example.org', db.clock.now()),
  ).toBe(false);
  expect(await found('third')).toEqual([]);
  await db.repos.users.scheduleDeletion(id, db.clock.now());
  await purgeDueAccounts(db.ctx(TERMINAL));
  expect(await parts().countDocuments({ userId: id })).toBe(0);
  expect(await found('other')).toEqual([]);
});

it('has no part of a demo', async () => {
  await startDemoAccount(db.ctx(), { timeZone: 'UTC', fill: () => Promise.resolve() });
  expect(await parts().countDocuments()).toBe(0);
  expect(await found('demo-')).toEqual([]);
  expect(await found('@demo.invalid')).toHaveLength(1);
});

it('has a part for each character, and notes where a text comes a second time', () => {
  expect(addressParts('u', 'aba@b').map(({ part }) => part)).toEqual([
    'aba@b',
    'ba@b',
    'a@b',
    '\0a',
    '@b',
    'b',
    '\0b',
  ]);
});

it('finds accounts of older versions by the beginning of their address until a migration beside the program is done', async () => {
  for (let n = 0; n < 90; n += 1) await newPerson(db, `person${n}@example.org`);
  await parts().deleteMany({});
  const migrations = [searchableAddresses];
  await runMigrations(connection, SILENT_LOG, migrations);
  // Starting does not wait for it.
  const status = createMigrationStatus(connection, migrations);
  expect(await status.list()).toMatchObject([{ state: 'waiting', changed: 0 }]);
  expect(await found('person8')).toHaveLength(11);
  expect(await found('erson8')).toEqual([]);
  expect((await listUsers(db.ctx(TERMINAL), { search: '@example' })).users).toHaveLength(20);
  // A person registers meanwhile.
  await newPerson(db, 'person800@example.org');
  const done = await Promise.all([status.finish(SILENT_LOG), status.finish(SILENT_LOG)]);
  expect(Math.max(...done)).toBe(1);
  expect(await status.list()).toMatchObject([{ state: 'done', changed: 91 }]);
  expect(await found('erson8')).toHaveLength(12);
  expect(await status.finish(SILENT_LOG)).toBe(0);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiToken, resolveApiToken } from '#app/features/accounts/api-tokens.server.ts';
import {
  addPasskey,
  addPasskeyOptions,
  signInPasskeyOptions,
} from '#app/features/accounts/passkeys.server.ts';
import { resolveSession, signOut } from '#app/features/accounts/sessions.server.ts';
import { signIn, signInWithPasskey } from '#app/features/accounts/sign-in.server.ts';
import { generateAllDoses } from '#app/features/schedules/dose-generation.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { shardKeyOf } from '#models/store/shard-keys.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { calculation, saveAll } from '#tests/support/calculations.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, PASSWORD, type Person } from '#tests/support/people.ts';
import { BODY } from '#tests/support/schedule-people.ts';
import { ShardWatch } from '#tests/support/shard-watch.ts';
import { readShardKeys, statementsOf } from '../../../scripts/sharding.mjs';

let db: TestDatabase;
let ada: Person;

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' }, monitorCommands: true });
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
});
afterAll(() => db.dispose());

/** The reads that ask all shards, and the writes that name none, while something runs. */
async function askedOfAll(work: () => Promise<unknown>): Promise<string[]> {
  const watch = new ShardWatch();
  const client = testConnection(db).getClient();
  client.on('commandStarted', watch.note);
  await work().finally(() => client.off('commandStarted', watch.note));
  expect(watch.counts.all).toBeGreaterThan(0);
  return [...watch.reads, ...watch.writes];
}

describe('the table of shard keys', () => {
  const keys = readShardKeys();
  const models = () => Object.values(testConnection(db).models);

  it('has every collection, as the program knows it', () => {
    const names = models().map(({ collection }) => collection.collectionName);
    expect([...keys.keys()].toSorted()).toEqual([...new Set([...names, 'migrations'])].toSorted());
    for (const [name, key] of keys) expect([name, shardKeyOf(name)]).toEqual([name, key]);
  });

  it('names keys that begin an index, and that every unique index has', () => {
    for (const { collection, schema } of models()) {
      const key = keys.get(collection.collectionName) ?? null;
      if (key === null) continue;
      const indexes = schema.indexes();
      const first = indexes.map(([fields]) => Object.keys(fields)[0]);
      expect({ name: collection.collectionName, first: ['_id', ...first] }).toEqual({
        name: collection.collectionName,
        first: expect.arrayContaining([key]) as string[],
      });
      for (const [fields, options] of indexes)
        if (options.unique) expect(Object.keys(fields)[0], collection.collectionName).toBe(key);
    }
  });
});

describe('no other shard is asked', () => {
  it('by a sign-in with a password, a saved calculation, a page, and the sign-out', async () => {
    const asked = await askedOfAll(async () => {
      const { token } = await signIn(db.ctx(), { email: ada.email, password: PASSWORD });
      const ctx = await ctxOfToken(db, token);
      await saveAll(ctx, [calculation()]);
      expect(await resolveSession(db.ctx(), token)).not.toBeNull();
      await signOut(ctx);
      expect(
        await testConnection(db).collection('secret_owners').countDocuments({ userId: ada.signedIn.user.id }),
      ).toBe(1);
    });
    expect(asked).toEqual(['secret_owners: userId']);
  });

  it('by an API token and a passkey', async () => {
    const { secret } = await createApiToken(ada.ctx, { name: 'Script', scope: 'read', life: '30' });
    const device = new Authenticator(ada.ctx.appUrl);
    await addPasskey(ada.ctx, { name: 'Phone', passkey: device.make(await addPasskeyOptions(ada.ctx)) });
    const asked = await askedOfAll(async () => {
      expect(await resolveApiToken(db.ctx(), secret)).not.toBeNull();
      const passkey = device.use(await signInPasskeyOptions(db.ctx()));
      expect(await signInWithPasskey(db.ctx(), { passkey })).toHaveProperty('signedIn.token');
    });
    expect(asked).toEqual([]);
  });

  it('by the job that makes doses, but for the plans that need some', async () => {
    await createSchedule(ada.ctx, { ...BODY, startDate: '2090-03-10' });
    db.clock.advance(5 * 86_400_000);
    const asked = await askedOfAll(async () =>
      expect(await generateAllDoses(db.ctx(TERMINAL))).toBeGreaterThan(0),
    );
    expect(asked).toEqual(['schedules: claimedUntil, isActive, madeUntil']);
  });
});

it('old audit entries are looked for on all shards, and removed where they are', async () => {
  const { auditLists } = db.repos;
  const remove = () => auditLists.deleteBefore(new Date(db.clock.now().getTime() + 1000));
  const asked = await askedOfAll(async () => expect(await remove()).toBeGreaterThan(0));
  expect(asked).toEqual(['audit: at']);
});

it('finds a secret that an earlier version gave out, and from then on by its owner', async () => {
  const { token } = await signIn(db.ctx(), { email: ada.email, password: PASSWORD });
  // Earlier versions did not note the owners.
  await testConnection(db).collection('secret_owners').deleteMany({});
  const resolve = () => resolveSession(db.ctx(), token);
  expect(await askedOfAll(resolve)).toEqual(['sessions: _id']);
  expect(await askedOfAll(resolve)).toEqual([]);
  expect((await resolve())?.actor.id).toBe(ada.signedIn.user.id);
});

describe('mongos', () => {
  const [userId, other] = ['u', 'v'];
  const read = (filter: object) => statementsOf('find', { filter }, 'userId')[0]?.values;
  const refused = (name: string, command: object) => statementsOf(name, command, 'userId')[0]?.refusal;

  it('finds the shards of a filter by the values of its key', () => {
    expect(read({ userId })).toEqual([userId]);
    expect(read({ userId: { $in: [userId, other] } })).toEqual([userId, other]);
    expect(read({ $and: [{ _id: 1 }, { userId: { $eq: userId } }] })).toEqual([userId]);
    expect(read({ $or: [{ userId }, { userId: other }] })).toEqual([userId, other]);
    expect(read({ $or: [{ userId }, { _id: 1 }] })).toBeNull();
    expect(read({ userId: { $gt: userId } })).toBeNull();
    expect(read({})).toBeNull();
  });

  it('refuses changes of one document that it cannot send to one shard', () => {
    const update = (q: object, more: object = {}, u: object = { $set: { n: 1 } }) =>
      refused('update', { updates: [{ q, u, ...more }] });
    expect(update({ userId })).toBeNull();
    expect(update({ _id: 1 })).toBeNull();
    expect(update({ n: 1 })).toMatch(/without the shard key/);
    expect(update({ n: 1 }, { multi: true })).toBeNull();
    expect(update({ _id: 1 }, { upsert: true })).toMatch(/upsert/);
    expect(update({ userId }, {}, { $set: { userId: other } })).toMatch(/change of the shard key/);
    expect(refused('delete', { deletes: [{ q: { n: 1 }, limit: 1 }] })).toMatch(/without the shard key/);
    expect(refused('findAndModify', { query: { _id: 1 }, update: {} })).toMatch(/without the shard key/);
    expect(refused('findAndModify', { query: { userId, _id: 1 }, update: {} })).toBeNull();
  });
});

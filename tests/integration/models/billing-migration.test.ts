import type { Connection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { billingView } from '#app/domain/billing/billing-state.ts';
import { applyReferralPayment, getReferrals } from '#app/features/referrals/referrals.server.ts';
import { referralPlace } from '#app/features/referrals/referrals.server.ts';
import { billingAsReported } from '#models/store/migrations/billing.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { namingShards } from '#tests/support/shard-watch.ts';

let db: TestDatabase;
let connection: Connection;
beforeEach(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' }, monitorCommands: true });
  connection = testConnection(db);
});
afterEach(() => db.dispose());

const at = new Date('2089-12-01T08:00:00Z');
const later = new Date('2089-12-05T08:00:00Z');
const idOf = ({ signedIn }: Person) => signedIn.user.id;
const stored = (name: string) => connection.collection<{ _id: string }>(name);

/** Runs the whole migration, each piece twice: a process that is killed before it notes a piece repeats it. */
async function migrate(): Promise<void> {
  const migration = namingShards(connection, billingAsReported);
  let cursor: string | null = null;
  do {
    await migration.step(connection, cursor);
    const next = await migration.step(connection, cursor);
    cursor = next?.cursor ?? null;
  } while (cursor !== null);
}

/** All documents that it may change. */
async function everything(): Promise<unknown[]> {
  const names = ['billing', 'users', 'billing_issues', 'referrals'];
  return Promise.all(names.map((name) => stored(name).find().sort({ _id: 1 }).toArray()));
}

/** A user with a code, and one who registered with it. */
async function pair(): Promise<{ referrer: Person; referred: Person; place: string }> {
  const referrer = await newPerson(db, 'referrer@example.org');
  const ref = (await getReferrals(referrer.ctx)).invitation?.code ?? expect.unreachable('no code');
  const referred = await newPerson(db, 'referred@example.org', { ref });
  return { referrer, referred, place: referralPlace(idOf(referred)) };
}

const standingOf = async (place: string) => (await db.repos.referrals.findByPlace(place))?.status;

describe('subscriptions that were pieced together from events', () => {
  const former = (id: string, status: string, failedAt: Date[] = []) => ({
    id,
    customerId: 'cus_1',
    userId: 'u1',
    status,
    plan: 'monthly',
    currentPeriodEnd: later,
    cancelAt: null,
    observedAt: later,
    observedBy: 'evt_1',
    observedAs: 'updated',
    goodAt: null,
    failedAt,
    closedAt: null,
  });

  it('get the shape in which they are reported, and keep what they say', async () => {
    const subscriptions = [former('sub_1', 'past_due', [at, later]), former('sub_2', 'canceled')];
    const nothing = { troubles: [], card: null, firstPaidAt: at, takenBack: [], lastEventAt: later };
    const row = { userId: 'u1', version: 7, state: { ...nothing, subscriptions }, toCancelSince: null };
    await stored('billing').insertOne({ _id: 'u1', ...row });
    await migrate();
    const { state, version } = await db.repos.billing.find('u1');
    expect(version).toBe(7);
    const { lastEventAt: _lastEventAt, ...kept } = nothing;
    const facts = { customerId: 'cus_1', plan: 'monthly', currentPeriodEnd: later, cancelAt: null };
    const rest = { ...facts, createdAt: later, closedAt: null };
    const unpaid = { since: at, amountCents: 0 };
    expect(state).toEqual({
      ...kept,
      subscriptions: [
        { id: 'sub_1', status: 'past_due', unpaid, ...rest },
        { id: 'sub_2', status: 'canceled', unpaid: null, ...rest },
      ],
    });
    expect(billingView(state)).toMatchObject({ billingStatus: 'past_due', pastDueSince: at });
    const before = await everything();
    await migrate();
    expect(await everything()).toEqual(before);
  });
});

it('counters that kept writers apart are gone', async () => {
  const person = await newPerson(db, 'counted@example.org');
  const id = idOf(person) as never;
  await stored('users').updateOne({ _id: id }, { $set: { billingVersion: 3, creditRevision: 2 } });
  await stored('billing_issues').insertOne({ _id: 'u1:in_1', userId: 'u1', version: 3 } as never);
  await migrate();
  const user = await stored('users').findOne({ _id: id });
  expect(Object.keys(user ?? {})).not.toEqual(expect.arrayContaining(['billingVersion']));
  expect(Object.keys(user ?? {})).not.toEqual(expect.arrayContaining(['creditRevision']));
  expect(await stored('billing_issues').findOne({})).toEqual({ _id: 'u1:in_1', userId: 'u1' });
});

describe('a referral that was half credited', () => {
  const halfDone = (place: string, fields: object) =>
    stored('referrals').updateOne({ _id: place }, { $set: { isSettled: false, ...fields } });

  it('is credited wholly by the event that is delivered again', async () => {
    const { referrer, referred, place } = await pair();
    const { grantId } = (await db.repos.referrals.findByPlace(place)) ?? expect.unreachable('no referral');
    // One of the two has its days already.
    const grant = { id: grantId, grantedAt: db.clock.now(), days: 30, reversedAt: null };
    await db.repos.users.setCredit(idOf(referrer), [grant], null);
    await halfDone(place, { standing: 'credited', creditedAt: at });
    await migrate();
    expect(await standingOf(place)).toBe('pending');
    expect(await stored('referrals').countDocuments({ isSettled: { $exists: true } })).toBe(0);
    const credits = await applyReferralPayment(db.ctx(), idOf(referred), 'made');
    // Both, so that the charges of both are moved.
    expect(credits.map(({ userId }) => userId)).toEqual([idOf(referrer), idOf(referred)]);
    for (const person of [referrer, referred])
      expect(await db.repos.users.findCredit(idOf(person))).toHaveLength(1);
  });

  it('that was taken back by half is taken back wholly', async () => {
    const { referrer, referred, place } = await pair();
    await applyReferralPayment(db.ctx(), idOf(referred), 'made');
    await halfDone(place, { standing: 'reversed', reversedAt: at });
    await migrate();
    expect(await standingOf(place)).toBe('credited');
    expect(await applyReferralPayment(db.ctx(), idOf(referred), 'taken-back')).toHaveLength(2);
    for (const person of [referrer, referred])
      expect(await db.repos.users.findCredit(idOf(person))).toMatchObject([{ reversedAt: db.clock.now() }]);
  });

  it('that was never credited stays so, and one that is whole stays as it is', async () => {
    const { referred, place } = await pair();
    await halfDone(place, { standing: 'reversed', reversedAt: at });
    await migrate();
    expect(await standingOf(place)).toBe('pending');
    expect(await applyReferralPayment(db.ctx(), idOf(referred), 'taken-back')).toEqual([]);
    await stored('referrals').updateOne({ _id: place }, { $set: { isSettled: true } as never });
    await migrate();
    expect(await standingOf(place)).toBe('reversed');
  });
});

it('a registration that was interrupted before it recorded its referral counts', async () => {
  const { referrer, referred, place } = await pair();
  const before = await stored('referrals').findOne({ _id: place });
  await stored('referrals').deleteOne({ _id: place });
  await migrate();
  const { grantId: _grantId, ...expected } = before as unknown as { grantId: string };
  expect(await stored('referrals').findOne({ _id: place })).toMatchObject(expected);
  expect(await applyReferralPayment(db.ctx(), idOf(referred), 'made')).toHaveLength(2);
  expect((await getReferrals(referrer.ctx)).totals.credited).toBe(1);
});

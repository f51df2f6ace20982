import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { scheduleDeletion, purgeDueAccounts } from '#app/features/accounts/account-deletion.server.ts';
import { getAccount } from '#app/features/accounts/profile.server.ts';
import { cancelClosedSubscriptions, endPremium } from '#app/features/billing/billing-changes.server.ts';
import { getBilling, startCheckout } from '#app/features/billing/billing.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { payTestCheckout } from '#app/features/billing/test-checkout.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { buyPlan } from '#tests/support/billing.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const terminal = () => db.ctx(TERMINAL);
const DAY = 86_400_000;

/** The status of a user's subscription at the provider. */
async function atProvider({ signedIn }: Person): Promise<string | undefined> {
  const { state } = await db.repos.billing.find(signedIn.user.id);
  const id = state.subscriptions[0]?.id ?? '';
  return (await db.ctx().payments.getSubscription(id)).status;
}

/** The terminal, while the provider does not answer. */
function withoutProvider(): Ctx {
  const refuse = () => Promise.reject(new AppError('PROVIDER_UNAVAILABLE', 'no answer'));
  const ctx = terminal();
  return { ...ctx, payments: { ...ctx.payments, cancelNow: refuse, deleteCustomer: refuse } };
}

describe('a suspended account’s subscription', () => {
  it('is cancelled at the provider at once, and not restored by a reinstatement', async () => {
    const { person } = await buyPlan(await newPerson(db, 'suspended@example.org'));
    const { email } = person;
    await changeUser(terminal(), 'suspend', { reason: 'test', email });
    expect(await atProvider(person)).toBe('canceled');
    const user = await changeUser(terminal(), 'reinstate', { reason: 'test', email });
    expect(user).toMatchObject({ subscription: 'free', subscriptionStatus: 'canceled' });
  });

  it('ends for good; a reinstatement restores a grant, and the rest of a trial', async () => {
    const { person } = await buyPlan(await newPerson(db, 'granted@example.org'));
    const { email } = person;
    const of = { reason: 'test', email };
    await changeUser(terminal(), 'upgrade', of);
    expect(await changeUser(terminal(), 'suspend', of)).toMatchObject({
      subscription: 'free',
      subscriptionStatus: 'canceled',
    });
    expect(await changeUser(terminal(), 'reinstate', of)).toMatchObject({
      subscription: 'premium',
      subscriptionStatus: 'active',
    });

    const trial = await newPerson(db, 'in-trial@example.org', { plan: 'trial' });
    const ofTrial = { reason: 'test', email: trial.email };
    await changeUser(terminal(), 'suspend', ofTrial);
    const { id } = trial.signedIn.user;
    const before = await db.repos.users.find(id);
    const later = { ...terminal(), now: () => new Date((before?.suspendedAt?.getTime() ?? 0) + 40 * DAY) };
    expect(await changeUser(later, 'reinstate', ofTrial)).toMatchObject({
      subscription: 'premium',
      subscriptionStatus: 'trial',
      trialDaysLeft: 14,
    });
    const after = await db.repos.users.find(id);
    const gained = (after?.trialEndsAt?.getTime() ?? 0) - (before?.trialEndsAt?.getTime() ?? 0);
    expect(gained).toBe(40 * DAY);
  });

  it('ends here even if the provider does not answer, and is cancelled there later', async () => {
    const { person } = await buyPlan(await newPerson(db, 'unanswered@example.org'));
    await changeUser(withoutProvider(), 'suspend', { reason: 'test', email: person.email });
    expect(await atProvider(person)).toBe('active');
    const { billingStatus } = (await db.repos.users.find(person.signedIn.user.id)) ?? {};
    expect(billingStatus).toBe('canceled');
    expect(await cancelClosedSubscriptions(terminal())).toBe(1);
    expect(await atProvider(person)).toBe('canceled');
    expect(await cancelClosedSubscriptions(terminal())).toBe(0);
    await expect(cancelClosedSubscriptions(person.ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is also cancelled if bought in a checkout that was still open', async () => {
    const person = await newPerson(db, 'open-checkout@example.org');
    const { url } = await startCheckout(person.ctx, { plan: 'monthly' });
    await changeUser(terminal(), 'suspend', { reason: 'test', email: person.email });
    await payTestCheckout(person.ctx, url.split('/').at(-1) ?? '');
    expect(await atProvider(person)).toBe('canceled');
    const user = await changeUser(terminal(), 'reinstate', { reason: 'test', email: person.email });
    expect(user.subscription).toBe('free');
  });
});

describe('a downgrade', () => {
  it('ends grant, trial, credit and subscription at once, and deletes nothing', async () => {
    const { person } = await buyPlan(await newPerson(db, 'downgraded@example.org', { plan: 'trial' }));
    const { id } = person.signedIn.user;
    const later = new Date(db.clock.now().getTime() + 30 * DAY);
    await testConnection(db)
      .collection('users')
      .updateOne({ _id: id as never }, { $set: { grantedAt: db.clock.now(), creditUntil: later } });
    await endPremium(terminal(), id);
    const isFree = { isPremium: false, status: 'active' };
    const { entitlement, billing } = await getBilling(person.ctx);
    expect([entitlement, billing.billingStatus]).toEqual([expect.objectContaining(isFree), 'canceled']);
    expect(await atProvider(person)).toBe('canceled');
    await changeUser(terminal(), 'suspend', { reason: 'test', email: person.email });
    await changeUser(terminal(), 'reinstate', { reason: 'test', email: person.email });
    expect((await db.repos.users.find(id))?.billingStatus).toBe('canceled');
    const user = await db.repos.users.find(id);
    expect(user).toMatchObject({ grantedAt: null, trialEndsAt: db.clock.now(), creditUntil: db.clock.now() });
    expect(user?.trialStartedAt).not.toBeNull();
    expect((await getAccount(person.ctx)).trialAvailable).toBe(false);
  });

  it('changes nothing for a free account', async () => {
    const person = await newPerson(db, 'never-paid@example.org');
    await endPremium(terminal(), person.signedIn.user.id);
    expect(await db.repos.users.find(person.signedIn.user.id)).toMatchObject({
      trialEndsAt: null,
      creditUntil: null,
      billingStatus: 'none',
    });
    expect((await getAccount(person.ctx)).subscriptionStatus).toBe('active');
  });
});

describe('a deletion', () => {
  it('waits for the provider, cancels there, and keeps payment records under the id alone', async () => {
    const { person, act } = await buyPlan(await newPerson(db, 'leaves@example.org'));
    await act('card-declines', 'end-period');
    const { id } = person.signedIn.user;
    const customerId = (await db.repos.users.find(id))?.stripeCustomerId ?? '';
    const [fact] = (await db.repos.billing.find(id)).state.subscriptions;
    await scheduleDeletion(person.ctx, { email: person.email });
    db.clock.advance(2 * DAY);
    expect(await purgeDueAccounts(withoutProvider())).toBe(0);
    expect(await db.repos.users.find(id)).not.toBeNull();
    db.clock.advance(11 * 60_000);
    expect(await purgeDueAccounts(terminal())).toBe(1);
    expect((await db.ctx().payments.getSubscription(fact?.id ?? '')).status).toBe('canceled');
    await expect(
      db.ctx().payments.createPortalSession({ customerId, returnUrl: 'http://localhost:3000/' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const names = [
      'billing',
      'billing_events',
      'stripe_customers',
      'users',
      'billing_issues',
      'subscription_events',
    ];
    const database = testConnection(db).db;
    const left = await Promise.all(
      names.map(async (name) => {
        const rows = (await database?.collection(name).find().toArray()) ?? [];
        return rows.some((row) => JSON.stringify(row).includes(id));
      }),
    );
    expect(left).toEqual([false, false, false, false, true, true]);
  });
});

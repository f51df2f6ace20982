import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAccount } from '#app/features/accounts/profile.server.ts';
import {
  getBilling,
  openPortal,
  startCheckout,
  changePlan,
  previewPlanChange,
  startTrial,
} from '#app/features/billing/billing.server.ts';
import { confirmEmail, askForEmailChange } from '#app/features/accounts/email-change.server.ts';
import {
  actAtTestPortal,
  getTestCheckout,
  getTestPortal,
  payTestCheckout,
} from '#app/features/billing/test-checkout.server.ts';
import { buyPlan } from '#tests/support/billing.ts';
import { openTestDatabase, VISITOR, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const DAY = 86_400_000;
const inDays = (days: number) => new Date(db.clock.now().getTime() + days * DAY);
const idOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? '';
const userOf = ({ signedIn }: Person) => db.repos.users.find(signedIn.user.id);
const mailsTo = async (email: string) =>
  (await db.mails()).filter(({ to }) => to === email).map(({ subject }) => subject);

describe('the free trial', () => {
  it('starts once with 100 requests at once', async () => {
    const person = await newPerson(db, 'hundred@example.org');
    const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(startTrial(person.ctx))));
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
    expect(codes.filter((code) => code === 'TRIAL_USED')).toHaveLength(99);
    expect((await userOf(person))?.trialEndsAt).toEqual(inDays(14));
  });
});

describe('a purchase', () => {
  it('makes nobody premium before the provider reports the payment', async () => {
    const person = await newPerson(db, 'buys@example.org');
    const { url } = await startCheckout(person.ctx, { plan: 'yearly' });
    expect(url).toMatch(/^http:\/\/localhost:3000\/upgrade\/test-checkout\/cs_test_/);
    expect((await getAccount(person.ctx)).subscription).toBe('free');
    expect(await payTestCheckout(person.ctx, idOf(url))).toBe('http://localhost:3000/upgrade/return');
    const overview = await getBilling(person.ctx);
    expect(overview).toMatchObject({
      mode: 'test',
      entitlement: { isPremium: true, source: 'subscription', status: 'active' },
      billing: { billingStatus: 'active', plan: 'yearly', cancelAtPeriodEnd: false },
      nextCharge: { amountCents: 3000, at: new Date('2091-03-10T12:00:00Z') },
      canBuy: false,
      canManage: true,
      isDouble: false,
    });
    expect(await mailsTo(person.email)).toEqual(['Premium is on']);
    const account = await userOf(person);
    expect(account?.stripeCustomerId).toMatch(/^cus_test_/);
    expect(account?.billingStatus).toBe('active');
  });

  it('is refused to accounts with a subscription, whatever its status', async () => {
    const customer = await buyPlan(await newPerson(db, 'twice@example.org'));
    const again = () => codeOf(startCheckout(customer.person.ctx, { plan: 'monthly' }));
    expect(await again()).toBe('ALREADY_SUBSCRIBED');
    await customer.act('card-declines', 'end-period');
    expect(await again()).toBe('ALREADY_SUBSCRIBED');
    await customer.act('end-period');
    expect((await getBilling(customer.person.ctx)).billing.billingStatus).toBe('canceled');
    expect(await again()).toBe('done');
  });

  it('opens one checkout for two clicks, and another one after it was paid and has ended', async () => {
    const person = await newPerson(db, 'presses@example.org');
    const urls = await Promise.all(
      Array.from({ length: 5 }, async () => (await startCheckout(person.ctx, { plan: 'monthly' })).url),
    );
    expect(new Set(urls).size).toBe(1);
    expect((await startCheckout(person.ctx, { plan: 'yearly' })).url).not.toBe(urls[0]);
    const { act } = await buyPlan(person);
    await act('cancel', 'end-period');
    expect((await startCheckout(person.ctx, { plan: 'monthly' })).url).not.toBe(urls[0]);
  });

  it('charges nothing before the trial ends, and says when', async () => {
    const person = await newPerson(db, 'tries@example.org', { plan: 'trial' });
    const trialEnd = inDays(14);
    expect((await getBilling(person.ctx)).firstChargeAt).toEqual(trialEnd);
    await buyPlan(person);
    expect(await getBilling(person.ctx)).toMatchObject({
      entitlement: { source: 'subscription' },
      billing: { isFreeUntilPeriodEnd: true, currentPeriodEnd: trialEnd },
      nextCharge: { amountCents: 500, at: trialEnd },
    });
  });

  it.each(['', 'weekly', '__proto__', 'constructor', ['monthly', 'yearly'], { $gt: '' }, 1, null])(
    'of the plan %j is INVALID_INPUT and opens nothing',
    async (plan) => {
      const person = await newPerson(db, `plan-${Math.random()}@example.org`);
      expect(await codeOf(startCheckout(person.ctx, { plan: plan as 'monthly' }))).toBe('INVALID_INPUT');
      expect((await userOf(person))?.stripeCustomerId).toBeNull();
    },
  );

  it('needs a signed-in user', async () => {
    const ctx = db.ctx(VISITOR);
    for (const call of [
      () => startCheckout(ctx, { plan: 'monthly' }),
      () => openPortal(ctx),
      () => getBilling(ctx),
      () => previewPlanChange(ctx),
      () => getTestCheckout(ctx, 'cs'),
      () => getTestPortal(ctx, 'bps'),
    ])
      expect(await codeOf(call())).toBe('UNAUTHENTICATED');
  });
});

describe('the life of a subscription', () => {
  it('goes through a failed renewal, the grace period, recovery, cancellation and its end', async () => {
    const customer = await buyPlan(await newPerson(db, 'life@example.org'));
    const { ctx, email } = customer.person;
    await customer.act('card-declines', 'end-period');
    const failed = await getBilling(ctx);
    expect(failed).toMatchObject({
      entitlement: { isPremium: true, status: 'past_due' },
      billing: { billingStatus: 'past_due' },
      nextCharge: null,
    });
    expect(failed.graceEndsAt?.getTime()).toBeGreaterThan(inDays(6.9).getTime());
    const userId = customer.person.signedIn.user.id;
    expect(await db.repos.billingIssues.list(userId)).toMatchObject([
      { type: 'payment_failed', status: 'open', amountCents: 500, resolvedAt: null },
    ]);
    await customer.act('new-card', 'retry-payment');
    expect((await getAccount(ctx)).subscriptionStatus).toBe('active');
    expect(await db.repos.billingIssues.list(userId)).toMatchObject([{ status: 'resolved' }]);
    await customer.act('cancel');
    const cancelled = await getBilling(ctx);
    expect(cancelled).toMatchObject({
      entitlement: { isPremium: true },
      billing: { cancelAtPeriodEnd: true },
      nextCharge: null,
    });
    expect(cancelled.billing.endsAt).toEqual(cancelled.billing.currentPeriodEnd);
    await customer.act('end-period');
    expect((await getBilling(ctx)).entitlement).toMatchObject({ isPremium: false, status: 'canceled' });
    expect(await mailsTo(email)).toEqual([
      'Premium is on',
      'A payment for Vialbook failed',
      'Your payment went through',
      expect.stringMatching(/^Premium ends on /),
      'Your Vialbook subscription has ended',
    ]);
    const { cents } = await db.repos.billingAdmin.countEvents(inDays(-1), inDays(1));
    expect(cents).toBeGreaterThanOrEqual(1000);
  });

  it('loses premium after the grace period, and nothing else', async () => {
    const customer = await buyPlan(await newPerson(db, 'grace@example.org'));
    await customer.act('card-declines', 'end-period');
    expect((await getAccount(customer.person.ctx)).subscription).toBe('premium');
    db.clock.advance(8 * DAY);
    expect(await getAccount(customer.person.ctx)).toMatchObject({
      subscription: 'free',
      subscriptionStatus: 'past_due',
    });
  });
});

describe('a change of plan', () => {
  it('costs what was shown', async () => {
    const { person } = await buyPlan(await newPerson(db, 'changes@example.org'));
    const { plan, asOf, dueNowCents } = await previewPlanChange(person.ctx);
    expect([plan, dueNowCents]).toEqual(['yearly', 2500]);
    expect(await codeOf(changePlan(person.ctx, { plan: 'monthly', asOf: asOf.toISOString() }))).toBe(
      'ALREADY_SUBSCRIBED',
    );
    await changePlan(person.ctx, { plan, asOf: asOf.toISOString() });
    const { billing } = await getBilling(person.ctx);
    expect(billing).toMatchObject({ plan: 'yearly', billingStatus: 'active' });
  });

  it('is refused at an outdated price, with a declined card, and after a cancellation', async () => {
    const { person, act } = await buyPlan(await newPerson(db, 'refused@example.org'));
    const old = (await previewPlanChange(person.ctx)).asOf.toISOString();
    db.clock.advance(16 * 60_000);
    expect(await codeOf(changePlan(person.ctx, { plan: 'yearly', asOf: old }))).toBe('CHANGED_MEANWHILE');
    expect(await codeOf(changePlan(person.ctx, { plan: 'yearly', asOf: 'soon' }))).toBe('INVALID_INPUT');
    await act('card-declines');
    const { asOf } = await previewPlanChange(person.ctx);
    expect(await codeOf(changePlan(person.ctx, { plan: 'yearly', asOf: asOf.toISOString() }))).toBe(
      'PAYMENT_REFUSED',
    );
    expect((await getBilling(person.ctx)).billing.plan).toBe('monthly');
    await act('cancel');
    expect(await codeOf(previewPlanChange(person.ctx))).toBe('WRONG_STATE');
  });
});

describe('the test mode', () => {
  it('shows checkout and portal only to their owner', async () => {
    const owner = await newPerson(db, 'owner@example.org');
    const other = await newPerson(db, 'other@example.org');
    const checkout = idOf((await startCheckout(owner.ctx, { plan: 'monthly' })).url);
    for (const call of [getTestCheckout, payTestCheckout])
      expect(await codeOf(call(other.ctx, checkout))).toBe('NOT_FOUND');
    expect((await getTestCheckout(owner.ctx, checkout)).isOpen).toBe(true);
    await payTestCheckout(owner.ctx, checkout);
    const portal = idOf((await openPortal(owner.ctx)).url);
    expect(await codeOf(getTestPortal(other.ctx, portal))).toBe('NOT_FOUND');
    expect(await codeOf(actAtTestPortal(other.ctx, portal, { action: 'cancel' }))).toBe('NOT_FOUND');
    expect((await getBilling(owner.ctx)).billing.cancelAtPeriodEnd).toBe(false);
    expect(await codeOf(actAtTestPortal(owner.ctx, portal, { action: 'steal' as 'cancel' }))).toBe(
      'INVALID_INPUT',
    );
  });

  it('has nothing to manage for accounts that never bought anything', async () => {
    const { ctx } = await newPerson(db, 'nothing@example.org');
    expect(await codeOf(openPortal(ctx))).toBe('NO_SUBSCRIPTION');
    expect(await getBilling(ctx)).toMatchObject({ canManage: false, canBuy: true, nextCharge: null });
  });
});

it('a customer that the provider no longer knows is created again', async () => {
  const person = await newPerson(db, 'forgotten@example.org');
  await db.repos.users.setStripeCustomer(person.signedIn.user.id, 'cus_gone');
  await buyPlan(person);
  expect((await userOf(person))?.stripeCustomerId).toMatch(/^cus_test_/);
  expect((await getAccount(person.ctx)).subscription).toBe('premium');
});

it('a change of address does not affect the subscription', async () => {
  const { person } = await buyPlan(await newPerson(db, 'moving@example.org'));
  await askForEmailChange(person.ctx, { email: 'moved-on@example.org' });
  const mail = (await db.mails()).filter(({ to }) => to === 'moved-on@example.org').at(-1);
  await confirmEmail(db.ctx(), /confirm-email\/([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1] ?? '');
  expect((await getBilling(person.ctx)).billing.billingStatus).toBe('active');
});

describe('with billing off', () => {
  it('every payment call is NOT_CONFIGURED, and everybody has everything', async () => {
    const off = await openTestDatabase({ env: { BILLING: 'off' } });
    try {
      const { ctx } = await newPerson(off, 'off@example.org');
      for (const call of [
        () => startCheckout(ctx, { plan: 'monthly' }),
        () => openPortal(ctx),
        () => previewPlanChange(ctx),
        () => getTestCheckout(ctx, 'cs_test_1'),
      ])
        expect(await codeOf(call())).toBe('NOT_CONFIGURED');
      expect(await getBilling(ctx)).toMatchObject({
        mode: 'off',
        canBuy: false,
        entitlement: { isPremium: true, source: 'server' },
      });
    } finally {
      await off.dispose();
    }
  });
});

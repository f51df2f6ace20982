import { describe, expect, it } from 'vitest';
import { billingView, type BillingView, NO_BILLING } from '#app/domain/billing/billing-state.ts';
import { planTexts, type PlanFacts } from '#app/domain/billing/plan-texts.ts';
import type { Entitlement } from '#app/domain/billing/plans.ts';

const may = new Date('2026-05-10T22:30:00Z');
const none = billingView(NO_BILLING);

const premiumBy = (source: Entitlement['source'], trialDaysLeft: number | null = null): Entitlement => ({
  isPremium: source !== null,
  subscription: source === null ? 'free' : 'premium',
  status: 'active',
  source,
  trialDaysLeft,
});

function words(source: Entitlement['source'], billing: Partial<BillingView>, more: Partial<PlanFacts> = {}) {
  return planTexts({
    entitlement: premiumBy(source, source === 'trial' ? 3 : null),
    billing: { ...none, ...billing },
    trialEndsAt: null,
    creditUntil: null,
    hasPaid: true,
    graceEndsAt: null,
    nextCharge: null,
    timeZone: 'UTC',
    ...more,
  }).join(' ');
}

const running: Partial<BillingView> = {
  billingStatus: 'active',
  plan: 'monthly',
  currentPeriodEnd: may,
  subscriptionId: 'sub_1',
};

describe('the texts about a user’s plan', () => {
  it('name the renewal and its price, minus credit', () => {
    const nextCharge = { amountCents: 250, at: may };
    expect(words('subscription', running, { nextCharge })).toBe(
      'You have Premium, paid monthly. It renews on 10 May 2026 for $2.50.',
    );
    expect(words('subscription', running)).toBe('You have Premium, paid monthly. It renews on 10 May 2026.');
  });

  it('show dates in the reader’s time zone', () => {
    expect(words('subscription', running, { timeZone: 'Europe/Berlin' })).toContain('11 May 2026');
  });

  it('name the first charge after free days, or the next one for someone who has paid before', () => {
    const free = { ...running, isFreeUntilPeriodEnd: true };
    const nextCharge = { amountCents: 500, at: may };
    expect(words('subscription', free, { nextCharge, hasPaid: false })).toContain(
      'The first charge of $5.00 is on 10 May 2026.',
    );
    expect(words('subscription', free)).toContain('The next charge is on 10 May 2026.');
  });

  it('promise no renewal after a cancellation', () => {
    const cancelled = { ...running, cancelAtPeriodEnd: true, endsAt: may };
    const text = words('subscription', cancelled);
    expect(text).toContain('It is cancelled and ends on 10 May 2026. Nothing more is charged');
    expect(text).not.toContain('renews');
  });

  it('name the end of the grace period while a payment is outstanding', () => {
    const unpaid = { ...running, billingStatus: 'past_due' as const };
    expect(words('subscription', unpaid, { graceEndsAt: may })).toMatch(
      /the last payment failed\. Premium stays on until 10 May 2026\./,
    );
    expect(words(null, unpaid)).toBe('The last payment failed and Premium has stopped. Nothing was deleted.');
  });

  it.each<[Entitlement['source'], Partial<PlanFacts>, RegExp]>([
    ['grant', {}, /Complimentary, no end date/],
    ['credit', { creditUntil: may }, /from referrals until 10 May 2026/],
    [
      'trial',
      { trialEndsAt: may },
      /runs for 3 more days, until 10 May 2026\. After that you are on the free plan/,
    ],
    [
      null,
      { trialEndsAt: may },
      /Your free trial ended on 10 May 2026\. You are on the free plan.* Nothing was deleted\./,
    ],
    [null, {}, /^You are on the free plan: .* session ends\.$/],
  ])('for the source %s say how long it lasts', (source, facts, expected) => {
    expect(words(source, {}, facts)).toMatch(expected);
  });

  it('say that a subscription has ended', () => {
    expect(words(null, { billingStatus: 'canceled' })).toMatch(
      /^Your subscription has ended\. .* Nothing was deleted\.$/,
    );
  });
});

import { describe, expect, it } from 'vitest';
import {
  billingView,
  type BillingView,
  NO_BILLING,
  shiftedRenewal,
} from '#app/domain/billing/billing-state.ts';

const DAY = 86_400_000;
const now = new Date('2026-03-01T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * DAY);
const view = (changes: Partial<BillingView> = {}): BillingView => ({
  ...billingView(NO_BILLING),
  billingStatus: 'active',
  subscriptionId: 'sub_1',
  currentPeriodEnd: inDays(20),
  ...changes,
});

describe('credit of a paying account', () => {
  it('moves the next charge by its days', () => {
    expect(shiftedRenewal(view(), 30, now)).toEqual({
      kind: 'move',
      subscriptionId: 'sub_1',
      until: inDays(50),
    });
  });

  it('moves the charge closer again when taken back, leaving time to cancel', () => {
    const long = view({ currentPeriodEnd: inDays(50) });
    expect(shiftedRenewal(long, -30, now)).toMatchObject({ until: inDays(20) });
    expect(shiftedRenewal(view(), -30, now)).toMatchObject({ until: inDays(2) });
  });

  it('never moves the charge later when days are taken back', () => {
    expect(shiftedRenewal(view({ currentPeriodEnd: inDays(1) }), -30, now)).toEqual({ kind: 'nothing' });
  });

  it.each<[string, Partial<BillingView>]>([
    ['has never bought', { subscriptionId: null, billingStatus: 'none' }],
    ['has cancelled', { cancelAtPeriodEnd: true }],
    ['has ended', { billingStatus: 'canceled' }],
  ])('moves nothing where the account %s', (_, changes) => {
    expect(shiftedRenewal(view(changes), 30, now)).toEqual({ kind: 'nothing' });
  });

  it.each<[string, Partial<BillingView>]>([
    ['an unpaid bill', { billingStatus: 'past_due' }],
    ['a purchase that is not confirmed', { billingStatus: 'none' }],
    ['an unknown period', { currentPeriodEnd: null }],
  ])('waits for %s', (_, changes) => {
    expect(shiftedRenewal(view(changes), 30, now)).toEqual({ kind: 'wait' });
  });
});

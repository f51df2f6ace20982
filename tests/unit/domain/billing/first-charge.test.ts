import { describe, expect, it } from 'vitest';
import { firstChargeAt, firstPayment } from '#app/domain/billing/billing-state.ts';

const now = new Date('2026-03-01T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);

describe('the first charge', () => {
  it('is due immediately without a trial or credit', () => {
    expect(firstChargeAt({ trialEndsAt: null, creditUntil: null }, now)).toBeNull();
    expect(firstChargeAt({ trialEndsAt: inDays(-1), creditUntil: now }, now)).toBeNull();
  });

  it('waits for the trial and for the credit, whichever is longer', () => {
    expect(firstChargeAt({ trialEndsAt: inDays(9), creditUntil: null }, now)).toEqual(inDays(9));
    expect(firstChargeAt({ trialEndsAt: inDays(9), creditUntil: inDays(40) }, now)).toEqual(inDays(40));
  });

  it('stays within what Stripe accepts: above 48 hours, below 730 days', () => {
    const soon = firstChargeAt({ trialEndsAt: inDays(0.5), creditUntil: null }, now);
    expect(soon?.getTime()).toBeGreaterThan(inDays(2).getTime());
    expect(soon?.getTime()).toBeLessThan(inDays(2.1).getTime());
    const far = firstChargeAt({ trialEndsAt: null, creditUntil: inDays(3000) }, now);
    expect(far?.getTime()).toBeLessThan(inDays(730).getTime());
  });
});

describe('the first payment', () => {
  it('is made, and taken back only by its own refund', () => {
    expect(firstPayment({ firstPaidAt: null, takenBack: [now] })).toBe('none');
    expect(firstPayment({ firstPaidAt: now, takenBack: [] })).toBe('made');
    expect(firstPayment({ firstPaidAt: now, takenBack: [inDays(0.001)] })).toBe('taken-back');
    expect(firstPayment({ firstPaidAt: now, takenBack: [inDays(28)] })).toBe('made');
  });
});

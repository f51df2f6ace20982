import type { BillingView } from './billing-view.ts';

/** What an account's owner is told by mail when their payment changes. */
export type BillingNotice =
  | 'subscription-started'
  | 'payment-failed'
  | 'payment-recovered'
  | 'cancellation-scheduled'
  | 'subscription-ended';

/** What the change from one standing to the next means for the account's owner; null when nothing to write about. */
export function billingNotice(before: BillingView, after: BillingView): BillingNotice | null {
  if (before.billingStatus !== after.billingStatus) {
    if (after.billingStatus === 'past_due') return 'payment-failed';
    if (after.billingStatus === 'canceled') return 'subscription-ended';
    if (after.billingStatus !== 'active') return null;
    return before.billingStatus === 'past_due' ? 'payment-recovered' : 'subscription-started';
  }
  const runs = after.billingStatus === 'active' || after.billingStatus === 'past_due';
  return runs && !before.cancelAtPeriodEnd && after.cancelAtPeriodEnd ? 'cancellation-scheduled' : null;
}

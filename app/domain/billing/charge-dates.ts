import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { BillingView } from './billing-state.ts';
import type { EntitlementSources } from './plans.ts';

/** A charge is never brought nearer than this: its owner may still want to cancel. */
const NEAREST_MS = 2 * DAY_MS;

/** What becomes of credit that was given to, or taken back from, an account that pays. */
type ShiftVerdict =
  /** There is no charge to move: the credit itself stands, and a purchase respects it. */
  | { kind: 'nothing' }
  /** The payment provider has not said yet how it stands. */
  | { kind: 'wait' }
  | { kind: 'move'; subscriptionId: string; until: Date };

/**
 * Where the next charge moves by days of credit: days that somebody pays for already are not lost. Days taken back bring
 * it nearer, but not to within two days, and never later than it was.
 */
export function shiftedRenewal(view: BillingView, days: number, now: Date): ShiftVerdict {
  const { billingStatus, subscriptionId, currentPeriodEnd, cancelAtPeriodEnd } = view;
  if (subscriptionId === null || billingStatus === 'canceled' || cancelAtPeriodEnd)
    return { kind: 'nothing' };
  if (billingStatus !== 'active' || currentPeriodEnd === null) return { kind: 'wait' };
  const end = currentPeriodEnd.getTime();
  const goal = end + days * DAY_MS;
  const until = days > 0 ? goal : Math.min(end, Math.max(goal, now.getTime() + NEAREST_MS));
  if (until === end) return { kind: 'nothing' };
  return { kind: 'move', subscriptionId, until: new Date(until) };
}

/** Stripe refuses a free time that ends sooner than 48 hours from now; the minutes are for the way there. */
const SHORTEST_MS = 2 * DAY_MS + 10 * 60_000;

/** Stripe refuses a free time above 730 days. */
const LONGEST_MS = 729 * DAY_MS;

/**
 * When the first charge of a new subscription is due: at the end of a running trial and of referral credit, so that
 * nobody pays for days they have. Less than Stripe's shortest free time is rounded up to it, in the customer's favour.
 * @returns null to charge at once
 */
export function firstChargeAt(
  sources: Pick<EntitlementSources, 'trialEndsAt' | 'creditUntil'>,
  now: Date,
): Date | null {
  const end = Math.max(sources.trialEndsAt?.getTime() ?? 0, sources.creditUntil?.getTime() ?? 0);
  const left = end - now.getTime();
  if (left <= 0) return null;
  return new Date(now.getTime() + Math.min(Math.max(left, SHORTEST_MS), LONGEST_MS));
}

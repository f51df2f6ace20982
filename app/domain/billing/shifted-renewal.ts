import { DAY_MS } from './plan-constants.ts';
import type { BillingView } from './billing-view.ts';

/** A charge is never brought nearer than this: its owner may still want to cancel. */
const NEAREST_MS = 2 * DAY_MS;

/** What becomes of credit that was given to, or taken back from, an account that pays. */
export type ShiftVerdict =
  /** There is no charge to move: the credit itself stands, and a purchase respects it. */
  | { kind: 'nothing' }
  /** The payment provider has not said yet how it stands. */
  | { kind: 'wait' }
  | { kind: 'move'; subscriptionId: string; until: Date };

/**
 * Where the next charge moves by days of credit (decisions, section 13: days that somebody pays for already are not
 * lost). Days taken back bring it nearer, but not to within two days, and never later than it was.
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

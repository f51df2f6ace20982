import { DAY_MS } from './plan-constants.ts';
import type { BillingState } from './billing-state.ts';

/** What an account's first payment means for whoever referred it. */
export type FirstPayment = 'none' | 'made' | 'taken-back';

/**
 * Whether the first payment was made, and whether it was refunded or disputed since. A payment and the bill it pays
 * carry times of their own, seconds apart; payments lie weeks apart, so those within a day are the same one.
 */
export function firstPayment(state: Pick<BillingState, 'firstPaidAt' | 'takenBack'>): FirstPayment {
  const { firstPaidAt } = state;
  if (firstPaidAt === null) return 'none';
  const isFirst = (paidAt: Date) => Math.abs(paidAt.getTime() - firstPaidAt.getTime()) < DAY_MS;
  return state.takenBack.some(isFirst) ? 'taken-back' : 'made';
}

import type { FirstPayment } from '#app/domain/billing/billing-state.ts';

/** The status of a referral. It only moves to the right: pending, credited, reversed. */
export type ReferralStatus = 'pending' | 'credited' | 'reversed';

/** What happens to the credit of a referral's two accounts. */
export type CreditChange = 'grant' | 'reverse' | null;

const STATUS_AFTER = {
  none: 'pending',
  made: 'credited',
  'taken-back': 'reversed',
} as const satisfies Record<FirstPayment, ReferralStatus>;

const RANK: Record<ReferralStatus, number> = { pending: 0, credited: 1, reversed: 2 };

/**
 * The status that follows from the referred account's first payment. A payment that was refunded before it was credited
 * is never credited; one that was reversed is never credited again.
 */
export function nextStatus(
  current: ReferralStatus,
  payment: FirstPayment,
): { standing: ReferralStatus; change: CreditChange } {
  const next = STATUS_AFTER[payment];
  if (RANK[next] <= RANK[current]) return { standing: current, change: null };
  if (next === 'credited') return { standing: next, change: 'grant' };
  return { standing: next, change: current === 'credited' ? 'reverse' : null };
}

/** The two accounts of a registration with a code. */
export interface Referral {
  referrerId: string;
  referredId: string;
}

/**
 * Whether a referral may exist: nobody refers themselves. The key of the ledger sees to it that an account is referred at
 * most once.
 */
export function mayRefer({ referrerId, referredId }: Referral): boolean {
  return referrerId !== referredId;
}

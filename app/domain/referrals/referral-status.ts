import type { FirstPayment } from '#app/domain/billing/billing-state.ts';

/** Where a referral stands. It only moves to the right: pending, credited, reversed. */
export type ReferralStanding = 'pending' | 'credited' | 'reversed';

/** What is to be done to the two accounts of a referral. */
export type CreditChange = 'grant' | 'reverse' | null;

const STANDING = { none: 'pending', made: 'credited', 'taken-back': 'reversed' } as const satisfies Record<
  FirstPayment,
  ReferralStanding
>;

const RANK: Record<ReferralStanding, number> = { pending: 0, credited: 1, reversed: 2 };

/**
 * What a referral becomes by what is known of the referred account's first payment. A payment that is taken back
 * before it was credited is never credited; one that was reversed is never credited again.
 */
export function nextStanding(
  current: ReferralStanding,
  payment: FirstPayment,
): { standing: ReferralStanding; change: CreditChange } {
  const told = STANDING[payment];
  if (RANK[told] <= RANK[current]) return { standing: current, change: null };
  if (told === 'credited') return { standing: told, change: 'grant' };
  return { standing: told, change: current === 'credited' ? 'reverse' : null };
}

/** What is known of the two when an account registers with a code. */
export interface Referral {
  referrerId: string;
  referredId: string;
}

/**
 * Whether a referral can exist: nobody refers themselves. An account is referred at most once because the ledger is
 * keyed by the referred account.
 */
export function mayRefer({ referrerId, referredId }: Referral): boolean {
  return referrerId !== referredId;
}

/** The sums over a ledger, for the page. */
export function referralTotals(
  ledger: readonly { standing: ReferralStanding }[],
): Record<ReferralStanding, number> {
  const totals = { pending: 0, credited: 0, reversed: 0 };
  for (const { standing } of ledger) totals[standing] += 1;
  return totals;
}

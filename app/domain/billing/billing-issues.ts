import type { BillingState, BillingProblem, BillingProblemType } from './billing-state.ts';

/** A billing issue as the payment provider's events make it; an admin may resolve or escalate it besides. */
export interface IssueFact {
  /** The same whenever it is computed; unique within the account. */
  id: string;
  type: BillingProblemType;
  amountCents: number;
  description: string;
  openedAt: Date;
  /** When the payment provider told that it is over; null while it is not. */
  resolvedAt: Date | null;
}

const DESCRIPTIONS: Record<BillingProblemType, string> = {
  payment_failed: 'A payment for the subscription failed.',
  card_expired: 'The card on file expires at the end of the month.',
  dispute: 'The bank disputes a payment and has taken it back.',
  refund_request: 'A refund was asked for and has not been paid out.',
};

/** Another card, or the same one prolonged, ends the problem with the one that was about to expire. */
function resolvedAt(problem: BillingProblem, openedAt: Date, state: BillingState): Date | null {
  if (problem.closedAt !== null && problem.closedAt >= openedAt) return problem.closedAt;
  if (problem.type !== 'card_expired' || state.card === null) return null;
  return state.card.seenAt > openedAt ? state.card.seenAt : null;
}

/** The billing issues of an account, the oldest first. A function of the state alone: write each by its id. */
export function issuesOf(state: BillingState): IssueFact[] {
  return state.troubles
    .flatMap((problem) => {
      if (problem.openedAt === null) return [];
      const { id, type, amountCents, openedAt } = problem;
      const description = DESCRIPTIONS[type];
      return [
        { id, type, amountCents, description, openedAt, resolvedAt: resolvedAt(problem, openedAt, state) },
      ];
    })
    .sort((a, b) => a.openedAt.getTime() - b.openedAt.getTime());
}

/** Where a billing issue stands; an admin may escalate or resolve one that is open. */
export const ISSUE_STATUSES = ['open', 'escalated', 'resolved'] as const;

export type IssueStatus = (typeof ISSUE_STATUSES)[number];

/** A billing issue with what became of it. */
export interface IssueRecord extends IssueFact {
  status: IssueStatus;
}

/**
 * What becomes of a recorded issue when the payment provider's facts are known better. Its end there ends it here; a
 * new opening, later than the one on record, opens it again; else what an admin has made of it stays.
 */
export function nextIssue(known: IssueRecord | null, fact: IssueFact): IssueRecord {
  if (fact.resolvedAt !== null) return { ...fact, status: 'resolved' };
  if (known === null || known.openedAt < fact.openedAt) return { ...fact, status: 'open' };
  return { ...fact, status: known.status, resolvedAt: known.status === 'resolved' ? known.resolvedAt : null };
}

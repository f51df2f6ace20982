import type { IssueFact } from './billing-issues.ts';

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

import { describe, expect, it } from 'vitest';
import { nextIssue, type IssueRecord, type IssueFact } from '#app/domain/billing/billing-state.ts';

const day = (n: number) => new Date(Date.UTC(2026, 2, n));
const fact: IssueFact = {
  id: 'payment_failed:in_1',
  type: 'payment_failed',
  amountCents: 500,
  description: 'A payment for the subscription failed.',
  openedAt: day(1),
  resolvedAt: null,
};
const record = (changes: Partial<IssueRecord>): IssueRecord => ({ ...fact, status: 'open', ...changes });

describe('a recorded billing issue', () => {
  it('is open when first reported, and resolved when reported as resolved', () => {
    expect(nextIssue(null, fact)).toEqual(record({}));
    const over = { ...fact, resolvedAt: day(2) };
    expect(nextIssue(null, over)).toEqual(record({ status: 'resolved', resolvedAt: day(2) }));
  });

  it.each(['escalated', 'resolved'] as const)(
    'stays %s by an admin when the same is told again',
    (status) => {
      const resolvedAt = status === 'resolved' ? day(3) : null;
      expect(nextIssue(record({ status, resolvedAt }), fact)).toEqual(record({ status, resolvedAt }));
    },
  );

  it('is resolved when the provider says so, whatever an admin has set', () => {
    const over = { ...fact, resolvedAt: day(4) };
    for (const known of [record({}), record({ status: 'escalated' })])
      expect(nextIssue(known, over)).toEqual(record({ status: 'resolved', resolvedAt: day(4) }));
  });

  it('opens again when it happens again later', () => {
    const again = { ...fact, openedAt: day(5) };
    const known = record({ status: 'resolved', resolvedAt: day(4) });
    expect(nextIssue(known, again)).toEqual(record({ openedAt: day(5) }));
  });

  it('takes a corrected amount without reopening', () => {
    const known = record({ status: 'escalated' });
    expect(nextIssue(known, { ...fact, amountCents: 700 })).toEqual(
      record({ status: 'escalated', amountCents: 700 }),
    );
  });
});

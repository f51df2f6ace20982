import type { Connection } from 'mongoose';
import { nextIssue, type IssueRecord } from '#app/domain/billing/billing-issue-record.ts';
import type { IssueFact } from '#app/domain/billing/billing-issues.ts';
import { billingIssueSchema, type BillingIssueRow } from './billing-issue.model.server.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

function toRecord(row: BillingIssueRow): IssueRecord {
  const { _id, userId: _owner, version: _version, issueId, ...rest } = row;
  return { id: issueId, ...rest };
}

/** Billing issues, each written once for its account however often it is told. */
export function createBillingIssueRepository(connection: Connection) {
  const model = modelOf<BillingIssueRow>(connection, 'BillingIssue', billingIssueSchema);

  /** @returns false when somebody else wrote it meanwhile: look again */
  async function write(userId: string, fact: IssueFact, version: number): Promise<boolean> {
    const row = await model.findOne({ userId, issueId: fact.id }).lean();
    if (row !== null && row.version >= version) return true;
    const { id: issueId, ...next } = nextIssue(row === null ? null : toRecord(row), fact);
    if (row !== null) {
      const { version: seen, status } = row;
      const result = await model.updateOne(
        { userId, issueId, version: seen, status },
        { $set: { ...next, version } },
      );
      return result.matchedCount === 1;
    }
    try {
      await model.create({ _id: `${userId}:${issueId}`, userId, issueId, ...next, version });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    /** Brings one issue to what is known at a version of the account's billing; an older version changes nothing. */
    async record(userId: string, fact: IssueFact, version: number): Promise<void> {
      while (!(await write(userId, fact, version)));
    },

    /** An account's issues, the oldest first. */
    async list(userId: string): Promise<IssueRecord[]> {
      const rows = await model.find({ userId }).sort({ openedAt: 1, issueId: 1 }).lean();
      return rows.map(toRecord);
    },
  };
}

export type BillingIssueRepository = ReturnType<typeof createBillingIssueRepository>;

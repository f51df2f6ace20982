import { Schema, type Connection } from 'mongoose';
import {
  ISSUE_STATUSES,
  type IssueStatus,
  nextIssue,
  type IssueRecord,
  type IssueFact,
} from '#app/domain/billing/billing-issues.ts';
import type { TroubleType } from '#app/domain/billing/billing-state.ts';
import { insertUnlessTaken } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `billing_issues`. People are named by id alone. */
export interface BillingIssueRow {
  /** The owner's id and the issue's, which is unique within the account. */
  _id: string;
  userId: string;
  issueId: string;
  type: TroubleType;
  /** US cents. */
  amountCents: number;
  description: string;
  status: IssueStatus;
  openedAt: Date;
  resolvedAt: Date | null;
  /** The version of the account's billing that it was written from. */
  version: number;
}

export const billingIssueSchema = new Schema<BillingIssueRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    issueId: { type: String, required: true },
    type: { type: String, required: true },
    amountCents: { type: Number, required: true },
    description: { type: String, required: true },
    status: { type: String, enum: ISSUE_STATUSES, required: true },
    openedAt: { type: Date, required: true },
    resolvedAt: { type: Date, default: null },
    version: { type: Number, required: true },
  },
  { collection: 'billing_issues' },
);

billingIssueSchema.index({ userId: 1, issueId: 1 }, { unique: true });
// Listed by administrators.
billingIssueSchema.index({ status: 1, openedAt: 1, _id: 1 });

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
    return insertUnlessTaken(model, { _id: `${userId}:${issueId}`, userId, issueId, ...next, version });
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

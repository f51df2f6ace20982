import { Schema } from 'mongoose';
import { ISSUE_STATUSES, type IssueStatus } from '#app/domain/billing/billing-issue-record.ts';
import type { TroubleType } from '#app/domain/billing/billing-state.ts';

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

import { Schema } from 'mongoose';
import type { BillingState } from '#app/domain/billing/billing-state.ts';

/** A document of `billing`: all that the payment provider has told about one account. */
export interface BillingRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** Counts the changes, from 1. */
  version: number;
  state: BillingState;
  /** Since when a subscription that was ended from here waits to be cancelled at the provider; else null. */
  toCancelSince: Date | null;
}

export const billingSchema = new Schema<BillingRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    version: { type: Number, required: true },
    state: { type: Schema.Types.Mixed, required: true },
    toCancelSince: { type: Date, default: null },
  },
  { collection: 'billing', minimize: false },
);

billingSchema.index({ userId: 1 });
// Found by the step that cancels at the provider what could not be cancelled at once.
billingSchema.index({ toCancelSince: 1 });

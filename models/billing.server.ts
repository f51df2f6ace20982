import { Schema, trusted, type Connection } from 'mongoose';
import { type BillingState, NO_BILLING } from '#app/domain/billing/billing-state.ts';
import { subscriptionsToCancel } from '#app/domain/billing/reduce-events.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `billing`: all that the payment provider has told about one account. */
interface BillingRow {
  /** The account's id. */
  _id: string;
  userId: string;
  /** Counts the changes, from 1. */
  version: number;
  state: BillingState;
  /** Since when a subscription that was ended from here waits to be cancelled at the provider; else null. */
  toCancelSince: Date | null;
}

const billingSchema = new Schema<BillingRow>(
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

/** What is known of an account, and which change of it this is; version 0 is an account nothing is known of. */
interface BillingRecord {
  state: BillingState;
  version: number;
}

/** What the payment provider has told, one document for each account. */
export function createBillingRepository(connection: Connection) {
  const model = modelOf<BillingRow>(connection, 'Billing', billingSchema);
  return {
    async find(userId: string): Promise<BillingRecord> {
      const row = await model.findOne({ userId }, { state: 1, version: 1 }).lean();
      return row === null ? { state: NO_BILLING, version: 0 } : { state: row.state, version: row.version };
    },

    /**
     * Writes what follows on the version that was read, unless another change came first.
     * @returns the new version; null when it was too late: read again
     */
    async replace(userId: string, known: number, state: BillingState, at: Date): Promise<number | null> {
      const version = known + 1;
      const waits = subscriptionsToCancel(state).length > 0;
      const next = { version, state, toCancelSince: waits ? at : null };
      if (known > 0) {
        const result = await model.updateOne({ userId, version: known }, { $set: next });
        return result.modifiedCount === 1 ? version : null;
      }
      try {
        await model.create({ _id: userId, userId, ...next });
        return version;
      } catch (error) {
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },

    /** Accounts of anybody with a subscription to cancel at the provider, the longest waiting first. */
    async findToCancel(until: Date, limit: number): Promise<string[]> {
      const rows = await model
        .find({ toCancelSince: trusted({ $lte: until }) }, { userId: 1 })
        .sort({ toCancelSince: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ userId }) => userId);
    },
  };
}

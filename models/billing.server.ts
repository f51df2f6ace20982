import { trusted, type Connection } from 'mongoose';
import { NO_BILLING, type BillingState } from '#app/domain/billing/billing-state.ts';
import { subscriptionsToCancel } from '#app/domain/billing/reduce-events.ts';
import { billingSchema, type BillingRow } from './billing.model.server.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** What is known of an account, and which change of it this is; version 0 is an account nothing is known of. */
export interface BillingRecord {
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

export type BillingRepository = ReturnType<typeof createBillingRepository>;

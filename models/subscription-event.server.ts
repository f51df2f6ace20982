import { trusted, type Connection } from 'mongoose';
import type { LedgerRow } from '#app/domain/billing/billing-history-row.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { subscriptionEventSchema, type SubscriptionEventRow } from './subscription-event.model.server.ts';
import { STREAM_BATCH } from './stream-batch.ts';

/** What the payment provider told. */
export function createSubscriptionEventRepository(connection: Connection) {
  const model = modelOf<SubscriptionEventRow>(connection, 'SubscriptionEvent', subscriptionEventSchema);
  return {
    /** Writes a line of the billing record. A second time changes nothing. */
    async record(userId: string, { id, ...line }: LedgerRow): Promise<void> {
      try {
        await model.create({ _id: id, userId, ...line });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /** The last lines of the billing record over all accounts, the newest first. */
    async listLatest(limit: number): Promise<(LedgerRow & { userId: string })[]> {
      const rows = await model.find({}).sort({ createdAt: -1 }).limit(limit).lean();
      return rows.map(({ _id, ...line }) => ({ id: _id, ...line }) as LedgerRow & { userId: string });
    },

    /** US cents received since then over all accounts, refunds taken off. */
    async sumReceived(since: Date): Promise<number> {
      const cursor = model
        .find({ createdAt: trusted({ $gte: since }), status: 'success' }, { amountCents: 1 })
        .lean()
        .cursor({ batchSize: STREAM_BATCH });
      let cents = 0;
      for await (const event of cursor) cents += event.amountCents;
      return cents;
    },
  };
}

export type SubscriptionEventRepository = ReturnType<typeof createSubscriptionEventRepository>;

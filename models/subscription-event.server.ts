import { Schema, trusted, type Connection } from 'mongoose';
import type { LedgerRow } from '#app/domain/billing/subscription-events.ts';
import { insertUnlessTaken } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { STREAM_BATCH } from './streams.server.ts';

/** A document of `subscription_events`, keyed by the provider's event id so that each is applied once. */
export interface SubscriptionEventRow {
  _id: string;
  userId: string;
  eventType: string;
  /** US cents; negative for a refund. */
  amountCents: number;
  status: 'success' | 'failed' | 'pending';
  createdAt: Date;
  /** A short sentence for the admin. */
  details: string;
}

export const subscriptionEventSchema = new Schema<SubscriptionEventRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    eventType: { type: String, required: true },
    amountCents: { type: Number, required: true },
    status: { type: String, required: true },
    createdAt: { type: Date, required: true },
    details: { type: String, default: '' },
  },
  { collection: 'subscription_events' },
);

subscriptionEventSchema.index({ userId: 1, createdAt: -1 });
// Summed by the admin statistics, and listed there.
subscriptionEventSchema.index({ createdAt: 1, _id: 1 });
subscriptionEventSchema.index({ eventType: 1, createdAt: 1, _id: 1 });

/** What the payment provider told. */
export function createSubscriptionEventRepository(connection: Connection) {
  const model = modelOf<SubscriptionEventRow>(connection, 'SubscriptionEvent', subscriptionEventSchema);
  return {
    /** Writes a line of the billing record. A second time changes nothing. */
    async record(userId: string, { id, ...line }: LedgerRow): Promise<void> {
      await insertUnlessTaken(model, { _id: id, userId, ...line });
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

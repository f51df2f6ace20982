import { Schema } from 'mongoose';

/** A document of `subscription_events`, keyed by the provider's event id so that each is applied once. */
export interface SubscriptionEventRow {
  _id: string;
  userId: string;
  eventType: string;
  /** US cents; negative for a refund. */
  amountCents: number;
  status: 'success' | 'failed' | 'pending';
  createdAt: Date;
}

export const subscriptionEventSchema = new Schema<SubscriptionEventRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    eventType: { type: String, required: true },
    amountCents: { type: Number, required: true },
    status: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'subscription_events' },
);

subscriptionEventSchema.index({ userId: 1, createdAt: -1 });
// Summed by the admin statistics.
subscriptionEventSchema.index({ createdAt: 1 });

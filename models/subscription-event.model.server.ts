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

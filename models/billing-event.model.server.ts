import { Schema } from 'mongoose';

/** A document of `billing_events`: an event of the payment provider that has been applied to its end. */
export interface BillingEventRow {
  /** The provider's id of the event. */
  _id: string;
  userId: string;
  type: string;
  at: Date;
  /** Long after the provider's last attempt to deliver it again; a later copy would change nothing either. */
  expiresAt: Date;
}

export const billingEventSchema = new Schema<BillingEventRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    type: { type: String, required: true },
    at: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'billing_events' },
);

billingEventSchema.index({ userId: 1 });
billingEventSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

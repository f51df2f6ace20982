import { Schema } from 'mongoose';

/** A document of `stripe_customers`: whose a customer of the payment provider is. */
export interface StripeCustomerRow {
  /** The provider's id of the customer. */
  _id: string;
  userId: string;
}

export const stripeCustomerSchema = new Schema<StripeCustomerRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
  },
  { collection: 'stripe_customers' },
);

stripeCustomerSchema.index({ userId: 1 });

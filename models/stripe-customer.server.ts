import { Schema, type Connection } from 'mongoose';
import { insertUnlessTaken } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `stripe_customers`: whose a customer of the payment provider is. */
interface StripeCustomerRow {
  /** The provider's id of the customer. */
  _id: string;
  userId: string;
}

const stripeCustomerSchema = new Schema<StripeCustomerRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
  },
  { collection: 'stripe_customers' },
);

stripeCustomerSchema.index({ userId: 1 });

/** Whose a customer of the payment provider is: its events name the customer alone. */
export function createStripeCustomerRepository(connection: Connection) {
  const model = modelOf<StripeCustomerRow>(connection, 'StripeCustomer', stripeCustomerSchema);
  return {
    /** Remembers whose a customer is. A second time changes nothing. */
    async link(customerId: string, userId: string): Promise<void> {
      await insertUnlessTaken(model, { _id: customerId, userId });
    },

    async findOwner(customerId: string): Promise<string | null> {
      const row = await model.findById(customerId).lean();
      return row?.userId ?? null;
    },

    /** Forgets an owner's customers: what the provider tells of them from now on is about nobody. */
    async unlink(userId: string): Promise<void> {
      await model.deleteMany({ userId });
    },
  };
}

import type { Connection } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { stripeCustomerSchema, type StripeCustomerRow } from './stripe-customer.model.server.ts';

/** Whose a customer of the payment provider is: its events name the customer alone. */
export function createStripeCustomerRepository(connection: Connection) {
  const model = modelOf<StripeCustomerRow>(connection, 'StripeCustomer', stripeCustomerSchema);
  return {
    /** Remembers whose a customer is. A second time changes nothing. */
    async link(customerId: string, userId: string): Promise<void> {
      try {
        await model.create({ _id: customerId, userId });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
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

export type StripeCustomerRepository = ReturnType<typeof createStripeCustomerRepository>;

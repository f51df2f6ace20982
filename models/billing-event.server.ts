import type { Connection } from 'mongoose';
import { DAY_MS } from '#app/domain/billing/plan-constants.ts';
import { billingEventSchema, type BillingEventRow } from './billing-event.model.server.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** Stripe delivers for three days, and again by hand for thirty. */
const KEPT_DAYS = 90;

/** Which events of the payment provider have been applied to their end. */
export function createBillingEventRepository(connection: Connection) {
  const model = modelOf<BillingEventRow>(connection, 'BillingEvent', billingEventSchema);
  return {
    async isApplied(userId: string, eventId: string): Promise<boolean> {
      return (await model.exists({ _id: eventId, userId })) !== null;
    },

    /** Notes that all of an event is done. A second time changes nothing. */
    async markApplied(userId: string, event: { id: string; type: string }, at: Date): Promise<void> {
      const { id, type } = event;
      const expiresAt = new Date(at.getTime() + KEPT_DAYS * DAY_MS);
      try {
        await model.create({ _id: id, userId, type, at, expiresAt });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
  };
}

export type BillingEventRepository = ReturnType<typeof createBillingEventRepository>;

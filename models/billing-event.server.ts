import { Schema, type Connection } from 'mongoose';
import { DAY_MS } from '#app/domain/time/durations.ts';
import { insertUnlessTaken } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `billing_events`: an event of the payment provider that has been applied to its end. */
interface BillingEventRow {
  /** The provider's id of the event. */
  _id: string;
  userId: string;
  type: string;
  at: Date;
  /** Long after the provider's last attempt to deliver it again; a later copy would change nothing either. */
  expiresAt: Date;
}

const billingEventSchema = new Schema<BillingEventRow>(
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
      await insertUnlessTaken(model, { _id: id, userId, type, at, expiresAt });
    },
  };
}

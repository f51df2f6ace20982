import { trusted, type Connection } from 'mongoose';
import { modelOf } from './model-of.server.ts';
import { subscriptionEventSchema, type SubscriptionEventRow } from './subscription-event.model.server.ts';

/** What the payment provider told. */
export function createSubscriptionEventRepository(connection: Connection) {
  const model = modelOf<SubscriptionEventRow>(connection, 'SubscriptionEvent', subscriptionEventSchema);
  return {
    /** US cents received since then over all accounts, refunds taken off. */
    async sumReceived(since: Date): Promise<number> {
      const cursor = model
        .find({ createdAt: trusted({ $gte: since }), status: 'success' }, { amountCents: 1 })
        .lean()
        .cursor();
      let cents = 0;
      for await (const event of cursor) cents += event.amountCents;
      return cents;
    },
  };
}

export type SubscriptionEventRepository = ReturnType<typeof createSubscriptionEventRepository>;

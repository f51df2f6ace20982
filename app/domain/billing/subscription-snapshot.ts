import type * as z from 'zod';
import type { SubscriptionSnapshot } from './billing-event.ts';
import { planOfInterval } from './paid-plan.ts';
import { subscriptionObject } from './stripe-objects.ts';

function toSnapshot(object: z.output<typeof subscriptionObject>): SubscriptionSnapshot {
  const [item] = object.items.data;
  const currentPeriodEnd = item?.current_period_end ?? object.current_period_end;
  return {
    id: object.id,
    customerId: object.customer,
    userId: object.metadata?.userId ?? null,
    status: object.status,
    plan: planOfInterval(item?.price?.recurring?.interval),
    currentPeriodEnd,
    cancelAt: object.cancel_at ?? (object.cancel_at_period_end ? currentPeriodEnd : null),
  };
}

/**
 * A subscription object of Stripe, as it is known here.
 * @throws ZodError when it is none
 */
export function subscriptionSnapshot(object: unknown): SubscriptionSnapshot {
  return toSnapshot(subscriptionObject.parse(object));
}

import Stripe from 'stripe';
import type { Plan } from '#app/domain/billing/plans.ts';
import type { TestAction } from '#app/domain/billing/billing-schema.ts';
import { receiveWebhook } from '#app/features/billing/webhook-pages.server.ts';
import { openPortal, startCheckout } from '#app/features/billing/billing.server.ts';
import { actAtTestPortal, payTestCheckout } from '#app/features/billing/test-checkout.server.ts';
import type { TestDatabase } from './database.ts';
import type { Person } from './people.ts';

export const WEBHOOK_SECRET = 'whsec_known_to_the_tests';

const signer = new Stripe('sk_test_signs_only');

const idOf = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';

/** A paying user, with the portal where everything else is done. */
export interface Customer {
  person: Person;
  act(...actions: TestAction[]): Promise<void>;
}

/** Goes to the checkout, pays there, and opens the portal. */
export async function buyPlan(person: Person, plan: Plan = 'monthly'): Promise<Customer> {
  const checkout = await startCheckout(person.ctx, { plan });
  await payTestCheckout(person.ctx, idOf(checkout.url));
  const portal = idOf((await openPortal(person.ctx)).url);
  return {
    person,
    async act(...actions) {
      for (const action of actions) await actAtTestPortal(person.ctx, portal, { action });
    },
  };
}

/** Signs a body like Stripe would now. */
export function signed(database: TestDatabase, event: object, options: { at?: Date; secret?: string } = {}) {
  const { at = database.clock.now(), secret = WEBHOOK_SECRET } = options;
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(at.getTime() / 1000);
  return { payload, signature: signer.webhooks.generateTestHeaderString({ payload, timestamp, secret }) };
}

/** Delivers a correctly signed event. */
export function deliver(database: TestDatabase, event: object): Promise<void> {
  const { payload, signature } = signed(database, event);
  return receiveWebhook(database.ctx(), payload, signature);
}

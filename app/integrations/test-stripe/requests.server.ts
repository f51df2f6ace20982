import { PLAN_INTERVAL, planOfInterval, PLANS, type Plan } from '#app/domain/billing/paid-plan.ts';
import { numberAt, textAt, type FormBody } from './form-body.server.ts';
import { invalid, missing } from './api-error.server.ts';
import type { Scene } from './context.server.ts';
import { entryOf, type TestCustomer, type TestSubscription } from './state.server.ts';

/** Prices made beforehand, as the settings name them. */
export type PriceIds = Readonly<Partial<Record<Plan, string>>>;

/** One request to the test Stripe. */
export interface Call {
  scene: Scene;
  /** The id in the path, if there is one. */
  id: string;
  body: FormBody;
  prices: PriceIds;
  /** Origin of this site, where the test Stripe's pages are. */
  appUrl: string;
}

/** The customer that a request names. */
export function customerFor(
  { scene, body }: Call,
  id: string | undefined = textAt(body, 'customer'),
): TestCustomer {
  const customer = entryOf(scene.world.customers, id);
  if (customer === undefined) throw missing('customer', id ?? '');
  return customer;
}

/** The subscription that a request names. */
export function subscriptionFor({ scene }: Call, id: string | undefined): TestSubscription {
  const subscription = entryOf(scene.world.subscriptions, id);
  if (subscription === undefined) throw missing('subscription', id ?? '');
  return subscription;
}

/** The plan that the first line of a request names, by a price or by its description; null without one. */
export function planFor({ body, prices }: Call, ...path: string[]): Plan | null {
  const price = textAt(body, ...path, '0', 'price');
  const known = PLANS.find((plan) => price !== undefined && price === prices[plan]);
  if (known) return known;
  if (price !== undefined) throw missing('price', price);
  const interval = textAt(body, ...path, '0', 'price_data', 'recurring', 'interval');
  if (interval === undefined) return null;
  const plan = planOfInterval(interval);
  if (plan === null)
    throw invalid(`Invalid interval: must be one of ${Object.values(PLAN_INTERVAL).join(', ')}`);
  return plan;
}

/** A time that a request names; refused when it is nearer than Stripe allows for a trial. */
export function trialEndFor({ scene, body }: Call, least: number, ...path: string[]): number | null {
  const end = numberAt(body, ...path);
  if (end === undefined) return null;
  if (end < scene.now + least)
    throw invalid('The `trial_end` date has to be further in the future.', 'trial_end');
  return end;
}

import { PLAN_INTERVAL, type Plan } from '#app/domain/billing/paid-plan.ts';
import { PRICE_CENTS } from '#app/domain/billing/plan-constants.ts';
import type { Settings } from '#app/domain/settings/settings.ts';

/** Prices made beforehand at Stripe; without them each checkout brings its own. */
export type PriceSettings = Pick<Settings, 'STRIPE_PRICE_MONTHLY' | 'STRIPE_PRICE_YEARLY'>;

/** Stripe's id of a plan's price, if one is configured. */
export function priceId(plan: Plan, settings: PriceSettings): string | undefined {
  return plan === 'monthly' ? settings.STRIPE_PRICE_MONTHLY : settings.STRIPE_PRICE_YEARLY;
}

/** The price of a plan, spelled out. */
export function priceData(plan: Plan) {
  return {
    currency: 'usd',
    unit_amount: PRICE_CENTS[plan],
    recurring: { interval: PLAN_INTERVAL[plan] },
  };
}

/** What a checkout sells. */
export function lineItem(plan: Plan, settings: PriceSettings) {
  const price = priceId(plan, settings);
  if (price !== undefined) return { price, quantity: 1 };
  return { price_data: { ...priceData(plan), product_data: { name: 'Vialbook Premium' } }, quantity: 1 };
}

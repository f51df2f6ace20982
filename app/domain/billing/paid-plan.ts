import type { PRICE_CENTS } from './plan-constants.ts';

/** What can be bought: premium by the month or by the year. */
export type Plan = keyof typeof PRICE_CENTS;

/** The plans, the shorter period first. */
export const PLANS = ['monthly', 'yearly'] as const satisfies readonly Plan[];

/** Stripe's word for the period of a plan. */
export const PLAN_INTERVAL = { monthly: 'month', yearly: 'year' } as const satisfies Record<Plan, string>;

/** The plan that is billed each `interval`, Stripe's word; null for a period that is not sold here. */
export function planOfInterval(interval: string | null | undefined): Plan | null {
  return PLANS.find((plan) => PLAN_INTERVAL[plan] === interval) ?? null;
}

import { DAY_MS } from '#app/domain/time/durations.ts';

/** Length of the free trial, in days. Once per account, no card. */
const TRIAL_DAYS = 14;

/** How long an unpaid subscription keeps premium, in days. */
export const PAST_DUE_GRACE_DAYS = 7;

/** Active vials a free account may have. */
export const FREE_VIAL_LIMIT = 3;

/** Saved calculations from which a free account is shown the upsell. */
export const FREE_HISTORY_HINT = 10;

/** Prices in US cents. */
export const PRICE_CENTS = { monthly: 500, yearly: 3000 } as const;

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

/** When a trial that starts now ends: exactly fourteen times 24 hours later. */
export function trialEnd(startedAt: Date): Date {
  return new Date(startedAt.getTime() + TRIAL_DAYS * DAY_MS);
}

/** The parts of the dashboard that only premium accounts may open. */
const PREMIUM_AREAS = ['tracking', 'schedule', 'reminders', 'analytics', 'vendors'] as const;

/** True for the first path segment below `/dashboard` of a premium area. */
export function isPremiumArea(segment: string): boolean {
  return PREMIUM_AREAS.some((area) => area === segment);
}

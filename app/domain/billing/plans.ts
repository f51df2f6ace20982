import { DAY_MS } from '#app/domain/time/calendar.ts';

/** Length of the free trial, in days. Once per account, no card. */
const TRIAL_DAYS = 14;

/** How long an unpaid subscription keeps premium, in days. */
const PAST_DUE_GRACE_DAYS = 7;

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

/** The plan billed each `interval` (Stripe's term); null for a period that we do not sell. */
export function planOfInterval(interval: string | null | undefined): Plan | null {
  return PLANS.find((plan) => PLAN_INTERVAL[plan] === interval) ?? null;
}

/** When a trial ends: exactly 14 times 24 hours after its start. */
export function trialEnd(startedAt: Date): Date {
  return new Date(startedAt.getTime() + TRIAL_DAYS * DAY_MS);
}

/** The areas of the dashboard that only premium accounts may open. */
const PREMIUM_AREAS = ['tracking', 'schedule', 'reminders', 'analytics', 'vendors'] as const;

/** True if `/dashboard/<segment>` is a premium area. */
export function isPremiumArea(segment: string): boolean {
  return PREMIUM_AREAS.some((area) => area === segment);
}

/** The status of a paid subscription, as last reported by the payment provider. */
export type BillingStatus = 'none' | 'active' | 'past_due' | 'canceled';

/** Everything that can make an account premium. */
export interface EntitlementSources {
  billingStatus: BillingStatus;
  /** When the first payment failed, while `billingStatus` is `past_due`. */
  pastDueSince: Date | null;
  trialEndsAt: Date | null;
  /** End of earned referral time. */
  creditUntil: Date | null;
  /** Set while premium granted by an admin lasts. */
  grantedAt: Date | null;
  suspendedAt: Date | null;
}

export type Subscription = 'free' | 'premium';
export type SubscriptionStatus = 'active' | 'trial' | 'past_due' | 'canceled';
/** `server`: nobody sells anything on this server, so everybody has everything. */
export type EntitlementSource = 'server' | 'subscription' | 'grant' | 'credit' | 'trial';

/** What an account may use now. It is computed, never stored. */
export interface Entitlement {
  isPremium: boolean;
  subscription: Subscription;
  status: SubscriptionStatus;
  /** The strongest source that makes it premium; null for a free account. */
  source: EntitlementSource | null;
  /** Whole days left, rounded up, while the trial is what makes it premium; else null. */
  trialDaysLeft: number | null;
}

/** The instant from which an unpaid subscription no longer counts. */
export function graceEndsAt(pastDueSince: Date): Date {
  return new Date(pastDueSince.getTime() + PAST_DUE_GRACE_DAYS * DAY_MS);
}

/** A first payment that failed after this instant still counts as paid now. */
export function graceStart(now: Date): Date {
  return new Date(now.getTime() - PAST_DUE_GRACE_DAYS * DAY_MS);
}

function runs(until: Date | null, now: Date): until is Date {
  return until !== null && until.getTime() > now.getTime();
}

function paidNow(sources: EntitlementSources, now: Date): boolean {
  if (sources.billingStatus === 'active') return true;
  return (
    sources.billingStatus === 'past_due' &&
    sources.pastDueSince !== null &&
    runs(graceEndsAt(sources.pastDueSince), now)
  );
}

/** Where and when an account's entitlement is asked for. An operation's context is one. */
export interface EntitlementTerms {
  now(): Date;
  /** False on a server that sells nothing. */
  isSelling: boolean;
}

function strongestSource(
  sources: EntitlementSources,
  now: Date,
  isSelling: boolean,
): EntitlementSource | null {
  if (sources.suspendedAt !== null) return null;
  if (!isSelling) return 'server';
  if (paidNow(sources, now)) return 'subscription';
  if (sources.grantedAt !== null) return 'grant';
  if (runs(sources.creditUntil, now)) return 'credit';
  return runs(sources.trialEndsAt, now) ? 'trial' : null;
}

function statusOf(sources: EntitlementSources, source: EntitlementSource | null): SubscriptionStatus {
  const { billingStatus } = sources;
  if (source === 'server') return 'active';
  if (billingStatus === 'past_due') return 'past_due';
  if (source === 'trial') return 'trial';
  // An ended subscription does not matter once premium has been granted.
  return billingStatus === 'canceled' && source !== 'grant' ? 'canceled' : 'active';
}

/**
 * The one place that decides whether an account is premium: a server that sells nothing; a paid subscription, with a grace
 * of seven days when a payment fails; an admin's grant; referral credit; a running trial. A suspended account is not.
 */
export function entitlementOf(sources: EntitlementSources, terms: EntitlementTerms): Entitlement {
  const now = terms.now();
  const source = strongestSource(sources, now, terms.isSelling);
  const left =
    source === 'trial' && sources.trialEndsAt ? sources.trialEndsAt.getTime() - now.getTime() : null;
  return {
    isPremium: source !== null,
    subscription: source === null ? 'free' : 'premium',
    status: statusOf(sources, source),
    source,
    trialDaysLeft: left === null ? null : Math.ceil(left / DAY_MS),
  };
}

/** The active vials of an account whose plan has a limit. */
export interface VialRoom {
  used: number;
  limit: number;
}

/** Shown when the plan has no room for another vial. */
export const PLAN_LIMIT_MESSAGE = `The free plan has room for ${FREE_VIAL_LIMIT} active vials. Use up or discard one, or upgrade to Premium for unlimited vials.`;

import { DAY_MS } from '#app/domain/time/durations.ts';
import { PAST_DUE_GRACE_DAYS } from './plans.ts';

/** Where a paid subscription stands, as the payment provider last told. */
export type BillingStatus = 'none' | 'active' | 'past_due' | 'canceled';

/** Everything that can make an account premium. */
export interface EntitlementSources {
  billingStatus: BillingStatus;
  /** When the first payment failed, while `billingStatus` is `past_due`. */
  pastDueSince: Date | null;
  trialEndsAt: Date | null;
  /** End of earned referral time. */
  creditUntil: Date | null;
  /** Set while an admin grants premium. */
  grantedAt: Date | null;
  suspendedAt: Date | null;
}

export type Subscription = 'free' | 'premium';
export type SubscriptionStatus = 'active' | 'trial' | 'past_due' | 'canceled';
export type EntitlementSource = 'subscription' | 'grant' | 'credit' | 'trial';

/** What an account may use now. Always computed, never stored. */
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

/** The instant after which a first failed payment still counts as paid now. */
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

function strongestSource(sources: EntitlementSources, now: Date): EntitlementSource | null {
  if (sources.suspendedAt !== null) return null;
  if (paidNow(sources, now)) return 'subscription';
  if (sources.grantedAt !== null) return 'grant';
  if (runs(sources.creditUntil, now)) return 'credit';
  return runs(sources.trialEndsAt, now) ? 'trial' : null;
}

function statusOf(sources: EntitlementSources, source: EntitlementSource | null): SubscriptionStatus {
  if (sources.billingStatus === 'past_due' || sources.billingStatus === 'canceled')
    return sources.billingStatus;
  return source === 'trial' ? 'trial' : 'active';
}

/**
 * The one place that decides whether an account is premium: a paid subscription, with a grace
 * of seven days when a payment fails; an admin's grant; referral credit; a running trial. A suspended account is not.
 */
export function entitlementOf(sources: EntitlementSources, now: Date): Entitlement {
  const source = strongestSource(sources, now);
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

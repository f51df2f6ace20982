import { DAY_MS } from './plan-constants.ts';
import type { EntitlementSources } from './entitlement.ts';

/** Stripe refuses a free time that ends sooner than 48 hours from now; the minutes are for the way there. */
const SHORTEST_MS = 2 * DAY_MS + 10 * 60_000;

/** Stripe refuses a free time above 730 days. */
const LONGEST_MS = 729 * DAY_MS;

/**
 * When the first charge of a new subscription is due: at the end of a running trial and of referral credit, so that
 * nobody pays for days they have. Less than Stripe's shortest free time is rounded up to it, in the customer's favour.
 * @returns null to charge at once
 */
export function firstChargeAt(
  sources: Pick<EntitlementSources, 'trialEndsAt' | 'creditUntil'>,
  now: Date,
): Date | null {
  const end = Math.max(sources.trialEndsAt?.getTime() ?? 0, sources.creditUntil?.getTime() ?? 0);
  const left = end - now.getTime();
  if (left <= 0) return null;
  return new Date(now.getTime() + Math.min(Math.max(left, SHORTEST_MS), LONGEST_MS));
}

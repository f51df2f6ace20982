export {
  DAY_MS,
  FREE_HISTORY_HINT,
  FREE_VIAL_LIMIT,
  PAST_DUE_GRACE_DAYS,
  PRICE_CENTS,
  TRIAL_DAYS,
} from './constants.ts';
export {
  entitlementOf,
  graceEndsAt,
  graceStart,
  type BillingStatus,
  type Entitlement,
  type EntitlementSource,
  type EntitlementSources,
  type Subscription,
  type SubscriptionStatus,
} from './entitlement.ts';
export { isPremiumArea, PREMIUM_AREAS } from './premium-areas.ts';
export { trialEnd } from './trial.ts';

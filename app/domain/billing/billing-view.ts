import type { BillingStatus } from './entitlement.ts';
import type { Plan } from './paid-plan.ts';
import type { BillingState, SubscriptionFact } from './billing-state.ts';
import { isFinal, isGood, isUnpaid } from './subscription-fact.ts';

/** Where an account's payment stands, for its entitlement and for its owner to read. */
export interface BillingView {
  billingStatus: BillingStatus;
  /** When the first payment of the unpaid stretch failed, while `billingStatus` is `past_due`; else null. */
  pastDueSince: Date | null;
  /** The subscription that decides the status; null when there never was one. */
  subscriptionId: string | null;
  customerId: string | null;
  plan: Plan | null;
  /** End of what has been paid for, or of the free time before the first charge. */
  currentPeriodEnd: Date | null;
  /** When it ends by itself; null while it renews. */
  endsAt: Date | null;
  cancelAtPeriodEnd: boolean;
  /** No money has been taken for it yet: trial or credit days come first. */
  isFreeUntilPeriodEnd: boolean;
}

function statusOf(fact: SubscriptionFact): BillingStatus {
  if (fact.closedAt !== null || fact.status === 'canceled' || fact.status === 'paused') return 'canceled';
  if (isGood(fact)) return 'active';
  return isUnpaid(fact) ? 'past_due' : 'none';
}

const STRENGTH: Record<BillingStatus, number> = { active: 3, past_due: 2, canceled: 1, none: 0 };

/** The stronger subscription first, of equal ones the one told of last. */
function byStrength(a: SubscriptionFact, b: SubscriptionFact): number {
  const strength = STRENGTH[statusOf(b)] - STRENGTH[statusOf(a)];
  if (strength !== 0) return strength;
  const newness = b.observedAt.getTime() - a.observedAt.getTime();
  return newness === 0 ? Number(a.id < b.id) - Number(a.id > b.id) : newness;
}

const NOTHING: BillingView = {
  billingStatus: 'none',
  pastDueSince: null,
  subscriptionId: null,
  customerId: null,
  plan: null,
  currentPeriodEnd: null,
  endsAt: null,
  cancelAtPeriodEnd: false,
  isFreeUntilPeriodEnd: false,
};

/**
 * Where an account's payment stands, from all that is known. Of several subscriptions the best one counts.
 */
export function billingView(state: BillingState): BillingView {
  const [fact] = [...state.subscriptions].sort(byStrength);
  if (fact === undefined) return NOTHING;
  const billingStatus = statusOf(fact);
  const runs = billingStatus === 'active' || billingStatus === 'past_due';
  return {
    billingStatus,
    pastDueSince: billingStatus === 'past_due' ? (fact.failedAt[0] ?? fact.observedAt) : null,
    subscriptionId: fact.id,
    customerId: fact.customerId,
    plan: fact.plan,
    currentPeriodEnd: runs ? fact.currentPeriodEnd : null,
    endsAt: runs ? fact.cancelAt : null,
    cancelAtPeriodEnd: runs && fact.cancelAt !== null,
    isFreeUntilPeriodEnd: billingStatus === 'active' && fact.status === 'trialing',
  };
}

/** Ids of the subscriptions that are paid or to be paid now. More than one is a double purchase. */
export function liveSubscriptionIds(state: BillingState): string[] {
  return state.subscriptions
    .filter((fact) => fact.closedAt === null && !isFinal(fact) && fact.status !== 'incomplete')
    .map(({ id }) => id);
}

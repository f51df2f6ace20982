import type { BillingEvent, StripeStatus, SubscriptionSnapshot } from './billing-event.ts';
import type { SubscriptionFact } from './billing-state.ts';
import { earlier, later, union } from './stripe-times.ts';

type SubscriptionEvent = Extract<BillingEvent, { kind: 'subscription' }>;

const GOOD: ReadonlySet<StripeStatus> = new Set(['active', 'trialing']);
const UNPAID: ReadonlySet<StripeStatus> = new Set(['past_due', 'unpaid']);
/** States that a subscription never leaves. */
const FINAL: ReadonlySet<StripeStatus> = new Set(['canceled', 'incomplete_expired']);

export const isGood = ({ status }: SubscriptionSnapshot): boolean => GOOD.has(status);
export const isUnpaid = ({ status }: SubscriptionSnapshot): boolean => UNPAID.has(status);
export const isFinal = ({ status }: SubscriptionSnapshot): boolean => FINAL.has(status);

const CHANGE_RANK = { created: 0, updated: 1, deleted: 2, read: 3 } as const;
/** Of two states told within one second, the one further along, and in doubt the better one for the customer. */
const STATUS_RANK: Record<StripeStatus, number> = {
  incomplete: 0,
  paused: 1,
  unpaid: 2,
  past_due: 3,
  trialing: 4,
  active: 5,
  incomplete_expired: 6,
  canceled: 7,
};

/** What decides which of two descriptions is the newer one, the weightiest first. */
function weight(fact: SubscriptionFact): (number | string)[] {
  return [
    isFinal(fact) ? 1 : 0,
    fact.observedAt.getTime(),
    CHANGE_RANK[fact.observedAs],
    STATUS_RANK[fact.status],
    fact.observedBy,
  ];
}

function isNewer(a: SubscriptionFact, b: SubscriptionFact): boolean {
  const [left, right] = [weight(a), weight(b)];
  const place = left.findIndex((value, index) => value !== right[index]);
  return place >= 0 && (left[place] ?? 0) > (right[place] ?? 0);
}

/** What one event tells of its subscription. */
export function factOf({ id, createdAt, change, subscription }: SubscriptionEvent): SubscriptionFact {
  return {
    ...subscription,
    observedAt: createdAt,
    observedBy: id,
    observedAs: change,
    goodAt: isGood(subscription) ? createdAt : null,
    failedAt: isUnpaid(subscription) ? [createdAt] : [],
    closedAt: null,
  };
}

/**
 * What two pieces of knowledge about one subscription say together. Commutative, associative and idempotent, so
 * that events may come in any order and any number of times.
 */
export function mergeFacts(a: SubscriptionFact, b: SubscriptionFact): SubscriptionFact {
  const goodAt = later(a.goodAt, b.goodAt);
  const failedAt = union(a.failedAt, b.failedAt).filter((at) => goodAt === null || at > goodAt);
  return {
    ...(isNewer(b, a) ? b : a),
    userId: a.userId ?? b.userId,
    goodAt,
    failedAt,
    closedAt: earlier(a.closedAt, b.closedAt),
  };
}

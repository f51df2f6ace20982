import type { BillingEvent, SubscriptionSnapshot } from './billing-event.ts';
import type { BillingState } from './billing-state.ts';
import { factOf, isFinal, mergeFacts } from './subscription-fact.ts';
import { earlier, later, union, withEntry } from './stripe-times.ts';
import { withTroubles } from './billing-problem.ts';

function withSubscription(state: BillingState, event: BillingEvent): BillingState['subscriptions'] {
  if (event.kind !== 'subscription') return state.subscriptions;
  const fact = factOf(event);
  const known = state.subscriptions.find(({ id }) => id === fact.id);
  return withEntry(state.subscriptions, known ? mergeFacts(known, fact) : fact);
}

function withCard(state: BillingState, event: BillingEvent): BillingState['card'] {
  if (event.kind !== 'card') return state.card;
  const known = state.card;
  const seen = { ...event.card, seenAt: event.createdAt };
  if (known === null) return seen;
  const difference = seen.seenAt.getTime() - known.seenAt.getTime();
  return difference > 0 || (difference === 0 && seen.id > known.id) ? seen : known;
}

function paymentTakenBack(event: BillingEvent): Date[] {
  if (event.kind === 'refunded') return [event.charge.paidAt];
  // An inquiry takes no money.
  if (event.kind !== 'dispute' || event.dispute.isInquiry || event.dispute.charge === null) return [];
  return [event.dispute.charge.paidAt];
}

/**
 * What is known of an account after one more event of Stripe. Idempotent, and independent of the order of events:
 * Stripe delivers at least once and in no order. Events of one subscription within one second (Stripe's clock counts
 * seconds) are ordered by what they say; see {@link isTied}.
 */
export function reduceBilling(state: BillingState, event: BillingEvent): BillingState {
  if (event.kind === 'ignored') return state;
  const paid = event.kind === 'invoice-paid' && event.invoice.amountPaidCents > 0 ? event.createdAt : null;
  return {
    subscriptions: withSubscription(state, event),
    troubles: withTroubles(state.troubles, event),
    card: withCard(state, event),
    firstPaidAt: earlier(state.firstPaidAt, paid),
    takenBack: union(state.takenBack, paymentTakenBack(event)),
    lastEventAt: later(state.lastEventAt, event.createdAt),
  };
}

/**
 * True when another description of the same subscription from the same second is on record and says something else.
 * The order within a second cannot be known from events: ask Stripe, and reduce the answer by {@link readEvent}.
 */
export function isTied(state: BillingState, event: BillingEvent): boolean {
  if (event.kind !== 'subscription') return false;
  const { subscription } = event;
  const known = state.subscriptions.find(({ id }) => id === subscription.id);
  if (known === undefined || isFinal(known) || isFinal(subscription)) return false;
  if (known.observedBy === event.id || known.observedAt.getTime() !== event.createdAt.getTime()) return false;
  return known.status !== subscription.status || String(known.cancelAt) !== String(subscription.cancelAt);
}

/**
 * Stripe's answer to a question about a subscription, as an event that outweighs those of its second.
 * @param tiedTo the event that made the question necessary; the answer is newer, whatever the two clocks say
 */
export function readEvent(
  subscription: SubscriptionSnapshot,
  readAt: Date,
  tiedTo?: BillingEvent,
): BillingEvent {
  const second = Math.floor(readAt.getTime() / 1000) * 1000;
  const createdAt = new Date(Math.max(second, tiedTo?.createdAt.getTime() ?? 0));
  const { id, customerId, userId } = subscription;
  return {
    id: `read:${id}:${readAt.getTime()}`,
    type: 'subscription.read',
    createdAt,
    customerId,
    userId,
    kind: 'subscription',
    change: 'read',
    subscription,
  };
}

/**
 * Ends every subscription from here at once, for a suspension, a downgrade by an admin or a deletion. Nothing that
 * Stripe tells afterwards brings one back; see {@link subscriptionsToCancel}.
 */
export function closeSubscriptions(state: BillingState, at: Date): BillingState {
  const subscriptions = state.subscriptions.map((fact) => ({
    ...fact,
    closedAt: earlier(fact.closedAt, at),
  }));
  return { ...state, subscriptions };
}

/** Ids of the subscriptions that were ended from here and that Stripe has not ended yet. */
export function subscriptionsToCancel(state: BillingState): string[] {
  return state.subscriptions.filter((fact) => fact.closedAt !== null && !isFinal(fact)).map(({ id }) => id);
}

import type { BillingEvent, DisputeFacts, DisputePhase, SubscriptionSnapshot } from './billing-event.ts';
import { type BillingProblem, type BillingProblemType, isFinal, type BillingState } from './billing-state.ts';

/**
 * The billing state with a subscription as Stripe describes it now, which replaces whatever was known of it. That we ended
 * it stays.
 */
export function withSubscription(state: BillingState, snapshot: SubscriptionSnapshot): BillingState {
  const known = state.subscriptions.find(({ id }) => id === snapshot.id);
  const { closedAt = null, isDowngraded } = known ?? {};
  const fact = { ...snapshot, closedAt, ...(isDowngraded && { isDowngraded }) };
  return { ...state, subscriptions: withEntry(state.subscriptions, fact) };
}

/**
 * The billing state after one more Stripe event: what happened to bills, payments and cards at its time. Idempotent and
 * independent of the order of events, because Stripe delivers at least once and in any order.
 */
export function reduceBilling(state: BillingState, event: BillingEvent): BillingState {
  const paid = event.kind === 'invoice-paid' && event.invoice.amountPaidCents > 0 ? event.createdAt : null;
  return {
    subscriptions: state.subscriptions,
    troubles: withProblems(state.troubles, event),
    card: withCard(state, event),
    firstPaidAt: earlier(state.firstPaidAt, paid),
    takenBack: union(state.takenBack, paymentTakenBack(event)),
  };
}

/**
 * Ends every subscription at once, for a suspension, a downgrade by an admin or a deletion. No later Stripe event brings
 * one back; see {@link subscriptionsToCancel}.
 */
export function closeSubscriptions(
  state: BillingState,
  at: Date,
  reason: 'canceled' | 'downgraded' = 'canceled',
): BillingState {
  const subscriptions = state.subscriptions.map(({ isDowngraded: _before, ...fact }) => ({
    ...fact,
    closedAt: earlier(fact.closedAt, at),
    ...(reason === 'downgraded' && { isDowngraded: true }),
  }));
  return { ...state, subscriptions };
}

/** Ids of the subscriptions that we ended and Stripe has not ended yet. */
export function subscriptionsToCancel(state: BillingState): string[] {
  return state.subscriptions.filter((fact) => fact.closedAt !== null && !isFinal(fact)).map(({ id }) => id);
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

/** The problems after an event. */
function withProblems(known: readonly BillingProblem[], event: BillingEvent): BillingProblem[] {
  return problemsOf(event).reduce<BillingProblem[]>(
    (problems, change) => {
      const same = problems.find(({ id }) => id === change.id);
      return withoutOldEnds(withEntry(problems, same ? mergeProblems(same, change) : change));
    },
    [...known],
  );
}

/** The problems that an event begins or ends. */
function problemsOf(event: BillingEvent): BillingProblem[] {
  const at = event.createdAt;
  switch (event.kind) {
    case 'invoice-failed':
      return [opened('payment_failed', event.invoice.id, at, event.invoice.amountDueCents)];
    case 'invoice-paid':
    case 'invoice-void':
      return [closed('payment_failed', event.invoice.id, at)];
    case 'card-expiring':
      return [opened('card_expired', event.card.id, at, 0)];
    case 'refund-failed':
      return [opened('refund_request', event.refundId, at, event.refundedCents)];
    case 'refunded':
      return [closed('refund_request', event.charge.id, at)];
    case 'dispute':
      return disputeProblems(event.dispute, event.phase, at);
    default:
      return [];
  }
}

/** Keyed by payment, so that its refund ends them. A decision ends both kinds, since an inquiry may have become a dispute. */
function disputeProblems(dispute: DisputeFacts, phase: DisputePhase, at: Date): BillingProblem[] {
  if (phase === 'opened' || phase === 'withdrawn')
    return [opened(disputeType(dispute), dispute.chargeId, at, dispute.amountCents)];
  if (phase !== 'closed') return [];
  return [closed('dispute', dispute.chargeId, at), closed('refund_request', dispute.chargeId, at)];
}

/** A bank's inquiry takes no money yet: the customer wants a refund and can still get one. */
function disputeType({ isInquiry }: DisputeFacts): BillingProblemType {
  return isInquiry ? 'refund_request' : 'dispute';
}

function opened(type: BillingProblemType, about: string, at: Date, amountCents: number): BillingProblem {
  return { id: `${type}:${about}`, type, openedAt: at, closedAt: null, amountCents };
}

function closed(type: BillingProblemType, about: string, at: Date): BillingProblem {
  return { id: `${type}:${about}`, type, openedAt: null, closedAt: at, amountCents: 0 };
}

function mergeProblems(a: BillingProblem, b: BillingProblem): BillingProblem {
  return {
    ...a,
    openedAt: later(a.openedAt, b.openedAt),
    closedAt: later(a.closedAt, b.closedAt),
    amountCents: Math.max(a.amountCents, b.amountCents),
  };
}

/** How many ends of problems without a beginning are kept, so that a late beginning still finds its end. */
const MAX_ENDS = 48;

function withoutOldEnds(problems: BillingProblem[]): BillingProblem[] {
  const ends = problems.filter(({ openedAt }) => openedAt === null);
  if (ends.length <= MAX_ENDS) return problems;
  const oldest = ends.map(({ closedAt }) => closedAt).reduce(earlier, null);
  const dropped = ends.find(({ closedAt }) => closedAt?.getTime() === oldest?.getTime());
  return problems.filter((problem) => problem !== dropped);
}

/** The earlier of two instants; null does not count. */
function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a.getTime() <= b.getTime() ? a : b;
}

/** The later of two instants; null does not count. */
function later(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a.getTime() >= b.getTime() ? a : b;
}

/** Most instants kept in a list: far more than a payment provider's retries produce. */
const MAX_INSTANTS = 64;

/** The union of both lists, sorted. If it is too long, the first and the latest instants stay. */
function union(a: readonly Date[], b: readonly Date[]): Date[] {
  const times = [...new Set([...a, ...b].map((date) => date.getTime()))].sort((x, y) => x - y);
  const instants =
    times.length <= MAX_INSTANTS ? times : [...times.slice(0, 1), ...times.slice(1 - MAX_INSTANTS)];
  return instants.map((time) => new Date(time));
}

/** Adds an entry or replaces the one with its id; the result is sorted by id. */
function withEntry<T extends { id: string }>(entries: readonly T[], entry: T): T[] {
  const others = entries.filter(({ id }) => id !== entry.id);
  return [...others, entry].sort((a, b) => (a.id < b.id ? -1 : 1));
}

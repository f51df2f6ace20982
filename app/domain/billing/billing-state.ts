import type { CardFacts, StripeStatus, SubscriptionSnapshot } from './billing-event.ts';
import type { BillingStatus, Plan, EntitlementSources } from './plans.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';

/** Everything Stripe has told us about one account: plain data, stored as a whole. */
export interface BillingState {
  /** By id. */
  subscriptions: SubscriptionFact[];
  /** By id. */
  troubles: BillingProblem[];
  card: (CardFacts & { seenAt: Date }) | null;
  /** When the first payment above zero was made. */
  firstPaidAt: Date | null;
  /** Times of payments that were refunded or disputed, in order. */
  takenBack: Date[];
}

/** A subscription as Stripe last described it. */
export interface SubscriptionFact extends SubscriptionSnapshot {
  /** When we ended it (suspension, downgrade, deletion). Final, whatever Stripe says. */
  closedAt: Date | null;
  /** An administrator's downgrade ended it: the account is free, not canceled. */
  isDowngraded?: boolean | undefined;
}

/** A problem with a payment. It is resolved once it was closed at or after its latest opening. */
export interface BillingProblem {
  /** `type:id`, with the id of the invoice, card or payment concerned. */
  id: string;
  type: BillingProblemType;
  /** Null while only its end is known. */
  openedAt: Date | null;
  closedAt: Date | null;
  amountCents: number;
}

/** What can go wrong with payments. */
export type BillingProblemType = 'payment_failed' | 'card_expired' | 'dispute' | 'refund_request';

/** The state of an account that Stripe does not know. */
export const NO_BILLING: BillingState = {
  subscriptions: [],
  troubles: [],
  card: null,
  firstPaidAt: null,
  takenBack: [],
};

const GOOD: ReadonlySet<StripeStatus> = new Set(['active', 'trialing']);
const UNPAID: ReadonlySet<StripeStatus> = new Set(['past_due', 'unpaid']);

/** Statuses that a subscription never leaves. */
const FINAL: ReadonlySet<StripeStatus> = new Set(['canceled', 'incomplete_expired']);

/** Paid for, or in its free period. */
const isGood = ({ status }: SubscriptionSnapshot): boolean => GOOD.has(status);

/** A payment failed and is still outstanding. */
export const isUnpaid = ({ status }: Pick<SubscriptionSnapshot, 'status'>): boolean => UNPAID.has(status);

/** Ended for good at the payment provider. */
export const isFinal = ({ status }: SubscriptionSnapshot): boolean => FINAL.has(status);

/** An account's payment status, for its entitlement and to show to its owner. */
export interface BillingView {
  billingStatus: BillingStatus;
  /** Since when a bill is open, while `billingStatus` is `past_due`; else null. */
  pastDueSince: Date | null;
  /** The sum of the open bills (US cents), while `billingStatus` is `past_due`; else 0. */
  dueCents: number;
  /** The subscription that decides the status; null when there never was one. */
  subscriptionId: string | null;
  customerId: string | null;
  plan: Plan | null;
  /** End of the paid period, or of the free period before the first charge. */
  currentPeriodEnd: Date | null;
  /** When it ends by itself; null while it renews. */
  endsAt: Date | null;
  cancelAtPeriodEnd: boolean;
  /** Nothing has been charged yet, because trial or credit days come first. */
  isFreeUntilPeriodEnd: boolean;
}

function statusOf(fact: SubscriptionFact): BillingStatus {
  if (fact.closedAt !== null || fact.status === 'canceled' || fact.status === 'paused') return 'canceled';
  if (isGood(fact)) return 'active';
  return isUnpaid(fact) ? 'past_due' : 'none';
}

const STRENGTH: Record<BillingStatus, number> = { active: 3, past_due: 2, canceled: 1, none: 0 };

/** Sorts the stronger subscription first; of equals, the newest. */
function byStrength(a: SubscriptionFact, b: SubscriptionFact): number {
  const strength = STRENGTH[statusOf(b)] - STRENGTH[statusOf(a)];
  if (strength !== 0) return strength;
  const newness = b.createdAt.getTime() - a.createdAt.getTime();
  return newness === 0 ? Number(a.id < b.id) - Number(a.id > b.id) : newness;
}

const NOTHING: BillingView = {
  billingStatus: 'none',
  pastDueSince: null,
  dueCents: 0,
  subscriptionId: null,
  customerId: null,
  plan: null,
  currentPeriodEnd: null,
  endsAt: null,
  cancelAtPeriodEnd: false,
  isFreeUntilPeriodEnd: false,
};

/** The subscription that decides an account's payment status: of several, the best one. */
const decidingOf = (state: BillingState): SubscriptionFact | undefined =>
  [...state.subscriptions].sort(byStrength)[0];

/**
 * The status for an account's entitlement and for administrators. After a downgrade the account is like one that never
 * paid, while its owner still reads that the subscription has ended.
 */
export function accountStatus(state: BillingState): Pick<BillingView, 'billingStatus' | 'pastDueSince'> {
  const { billingStatus, pastDueSince } = billingView(state);
  const isDowngraded = billingStatus === 'canceled' && decidingOf(state)?.isDowngraded === true;
  return { billingStatus: isDowngraded ? 'none' : billingStatus, pastDueSince };
}

/** An account's payment status, from everything that is known. */
export function billingView(state: BillingState): BillingView {
  const fact = decidingOf(state);
  if (fact === undefined) return NOTHING;
  const billingStatus = statusOf(fact);
  const runs = billingStatus === 'active' || billingStatus === 'past_due';
  const unpaid = billingStatus === 'past_due' ? fact.unpaid : null;
  return {
    billingStatus,
    pastDueSince: unpaid?.since ?? null,
    dueCents: unpaid?.amountCents ?? 0,
    subscriptionId: fact.id,
    customerId: fact.customerId,
    plan: fact.plan,
    currentPeriodEnd: runs ? fact.currentPeriodEnd : null,
    endsAt: runs ? fact.cancelAt : null,
    cancelAtPeriodEnd: runs && fact.cancelAt !== null,
    isFreeUntilPeriodEnd: billingStatus === 'active' && fact.status === 'trialing',
  };
}

/** Ids of the subscriptions that are paid or due now. More than one means a double purchase. */
export function liveSubscriptionIds(state: BillingState): string[] {
  return state.subscriptions
    .filter((fact) => fact.closedAt === null && !isFinal(fact) && fact.status !== 'incomplete')
    .map(({ id }) => id);
}

/** Mails to an account's owner when their payment status changes. */
export type BillingNotice =
  | 'subscription-started'
  | 'payment-failed'
  | 'payment-recovered'
  | 'cancellation-scheduled'
  | 'subscription-ended';

/** The mail to send to the account's owner for a change of payment status; null for none. */
export function billingNotice(before: BillingView, after: BillingView): BillingNotice | null {
  if (before.billingStatus !== after.billingStatus) {
    if (after.billingStatus === 'past_due') return 'payment-failed';
    if (after.billingStatus === 'canceled') return 'subscription-ended';
    if (after.billingStatus !== 'active') return null;
    return before.billingStatus === 'past_due' ? 'payment-recovered' : 'subscription-started';
  }
  const runs = after.billingStatus === 'active' || after.billingStatus === 'past_due';
  return runs && !before.cancelAtPeriodEnd && after.cancelAtPeriodEnd ? 'cancellation-scheduled' : null;
}

/** The state of an account's first payment, which decides about its referral. */
export type FirstPayment = 'none' | 'made' | 'taken-back';

/**
 * Whether the first payment was made, and whether it has since been refunded or disputed. A payment and its bill have
 * timestamps seconds apart, and payments are weeks apart, so times within a day belong to the same payment.
 */
export function firstPayment(state: Pick<BillingState, 'firstPaidAt' | 'takenBack'>): FirstPayment {
  const { firstPaidAt } = state;
  if (firstPaidAt === null) return 'none';
  const isFirst = (paidAt: Date) => Math.abs(paidAt.getTime() - firstPaidAt.getTime()) < DAY_MS;
  return state.takenBack.some(isFirst) ? 'taken-back' : 'made';
}

/** A billing issue as derived from the payment provider's events. An admin may also resolve or escalate it. */
export interface IssueFact {
  /** Stable across recomputations; unique within the account. */
  id: string;
  type: BillingProblemType;
  amountCents: number;
  description: string;
  openedAt: Date;
  /** When the payment provider reported it as resolved; null until then. */
  resolvedAt: Date | null;
}

const DESCRIPTIONS: Record<BillingProblemType, string> = {
  payment_failed: 'A payment for the subscription failed.',
  card_expired: 'The card on file expires at the end of the month.',
  dispute: 'The bank disputes a payment and has taken it back.',
  refund_request: 'A refund was requested but has not been paid out.',
};

/** What an issue is about. One about an expiring card says to when the card is good that took its place. */
function descriptionOf(type: BillingProblemType, isResolved: boolean, { card }: BillingState): string {
  if (type !== 'card_expired' || !isResolved || card === null) return DESCRIPTIONS[type];
  const month = String(card.expMonth).padStart(2, '0');
  return `The card on file was about to expire. The one on file now is good to the end of ${month}/${card.expYear}.`;
}

/** A new or renewed card resolves the problem with the one about to expire. */
function resolvedAt(problem: BillingProblem, openedAt: Date, state: BillingState): Date | null {
  if (problem.closedAt !== null && problem.closedAt >= openedAt) return problem.closedAt;
  if (problem.type !== 'card_expired' || state.card === null) return null;
  return state.card.seenAt > openedAt ? state.card.seenAt : null;
}

/** The billing issues of an account, oldest first. They depend on the state alone, so store each by its id. */
export function issuesOf(state: BillingState): IssueFact[] {
  return state.troubles
    .flatMap((problem) => {
      if (problem.openedAt === null) return [];
      const { id, type, amountCents, openedAt } = problem;
      const endedAt = resolvedAt(problem, openedAt, state);
      const description = descriptionOf(type, endedAt !== null, state);
      return [{ id, type, amountCents, description, openedAt, resolvedAt: endedAt }];
    })
    .sort((a, b) => a.openedAt.getTime() - b.openedAt.getTime());
}

/** The statuses of a billing issue; an admin may escalate or resolve an open one. */
export const ISSUE_STATUSES = ['open', 'escalated', 'resolved'] as const;

export type IssueStatus = (typeof ISSUE_STATUSES)[number];

/** A billing issue with its status. */
export interface IssueRecord extends IssueFact {
  status: IssueStatus;
}

/**
 * Updates a recorded issue with the payment provider's latest facts. If it is resolved there, it is resolved here; if it
 * was opened again later than recorded, it reopens; otherwise the status set by an admin stays.
 */
export function nextIssue(known: IssueRecord | null, fact: IssueFact): IssueRecord {
  if (fact.resolvedAt !== null) return { ...fact, status: 'resolved' };
  if (known === null || known.openedAt < fact.openedAt) return { ...fact, status: 'open' };
  return { ...fact, status: known.status, resolvedAt: known.status === 'resolved' ? known.resolvedAt : null };
}

/** A charge is never moved closer than this, so that the owner can still cancel. */
const NEAREST_MS = 2 * DAY_MS;

/** What to do with credit given to, or taken back from, a paying account. */
type ShiftVerdict =
  /** There is no charge to move. The credit stays, and a later purchase takes it into account. */
  | { kind: 'nothing' }
  /** The payment provider has not reported the current state yet. */
  | { kind: 'wait' }
  | { kind: 'move'; subscriptionId: string; until: Date };

/**
 * Moves the next charge by days of credit, so that a paying account does not lose them. Days taken back bring it closer,
 * but not to within two days from now, and never make it later.
 */
export function shiftedRenewal(view: BillingView, days: number, now: Date): ShiftVerdict {
  const { billingStatus, subscriptionId, currentPeriodEnd, cancelAtPeriodEnd } = view;
  if (subscriptionId === null || billingStatus === 'canceled' || cancelAtPeriodEnd)
    return { kind: 'nothing' };
  if (billingStatus !== 'active' || currentPeriodEnd === null) return { kind: 'wait' };
  const end = currentPeriodEnd.getTime();
  const goal = end + days * DAY_MS;
  const until = days > 0 ? goal : Math.min(end, Math.max(goal, now.getTime() + NEAREST_MS));
  if (until === end) return { kind: 'nothing' };
  return { kind: 'move', subscriptionId, until: new Date(until) };
}

/** Stripe refuses a free period that ends within 48 hours; the extra minutes allow for the request itself. */
const SHORTEST_MS = 2 * DAY_MS + 10 * 60_000;

/** Stripe refuses a free period of more than 730 days. */
const LONGEST_MS = 729 * DAY_MS;

/**
 * When the first charge of a new subscription is due: after a running trial and referral credit, so that nobody pays for
 * days they already have. Anything shorter than Stripe's minimum is rounded up in the customer's favour.
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

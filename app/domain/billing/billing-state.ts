import type { CardFacts, StripeStatus, SubscriptionChange, SubscriptionSnapshot } from './billing-event.ts';
import type { BillingStatus, Plan, EntitlementSources } from './plans.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';

/** All that Stripe has told about one account. Plain data, to be stored whole. */
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
  lastEventAt: Date | null;
}

/** What is known of one subscription. Every field only ever grows towards one answer, whatever comes first. */
export interface SubscriptionFact extends SubscriptionSnapshot {
  /** When the description above was true. */
  observedAt: Date;
  observedBy: string;
  observedAs: SubscriptionChange;
  /** Last time it was seen paid for, or in its free time. */
  goodAt: Date | null;
  /** When it was seen unpaid since then, in order. */
  failedAt: Date[];
  /** When it was ended from here (suspension, downgrade, deletion): final, whatever Stripe says. */
  closedAt: Date | null;
}

/** A problem with a payment. It is over once it was closed at or after its latest opening. */
export interface BillingProblem {
  /** `type:id of what it is about`. */
  id: string;
  type: BillingProblemType;
  /** Null when only its end is known so far. */
  openedAt: Date | null;
  closedAt: Date | null;
  amountCents: number;
}

/** What can go wrong with payments. */
export type BillingProblemType = 'payment_failed' | 'card_expired' | 'dispute' | 'refund_request';

/** An account that has never had to do with Stripe. */
export const NO_BILLING: BillingState = {
  subscriptions: [],
  troubles: [],
  card: null,
  firstPaidAt: null,
  takenBack: [],
  lastEventAt: null,
};

const GOOD: ReadonlySet<StripeStatus> = new Set(['active', 'trialing']);
const UNPAID: ReadonlySet<StripeStatus> = new Set(['past_due', 'unpaid']);

/** States that a subscription never leaves. */
const FINAL: ReadonlySet<StripeStatus> = new Set(['canceled', 'incomplete_expired']);

/** Paid for, or in its free time. */
export const isGood = ({ status }: SubscriptionSnapshot): boolean => GOOD.has(status);

/** A payment for it failed and is still missing. */
export const isUnpaid = ({ status }: SubscriptionSnapshot): boolean => UNPAID.has(status);

/** Ended for good at the payment provider. */
export const isFinal = ({ status }: SubscriptionSnapshot): boolean => FINAL.has(status);

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

/** What an account's owner is told by mail when their payment changes. */
export type BillingNotice =
  | 'subscription-started'
  | 'payment-failed'
  | 'payment-recovered'
  | 'cancellation-scheduled'
  | 'subscription-ended';

/** What the change from one standing to the next means for the account's owner; null when nothing to write about. */
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

/** What an account's first payment means for whoever referred it. */
export type FirstPayment = 'none' | 'made' | 'taken-back';

/**
 * Whether the first payment was made, and whether it was refunded or disputed since. A payment and the bill it pays
 * carry times of their own, seconds apart; payments lie weeks apart, so those within a day are the same one.
 */
export function firstPayment(state: Pick<BillingState, 'firstPaidAt' | 'takenBack'>): FirstPayment {
  const { firstPaidAt } = state;
  if (firstPaidAt === null) return 'none';
  const isFirst = (paidAt: Date) => Math.abs(paidAt.getTime() - firstPaidAt.getTime()) < DAY_MS;
  return state.takenBack.some(isFirst) ? 'taken-back' : 'made';
}

/** A billing issue as the payment provider's events make it; an admin may resolve or escalate it besides. */
export interface IssueFact {
  /** The same whenever it is computed; unique within the account. */
  id: string;
  type: BillingProblemType;
  amountCents: number;
  description: string;
  openedAt: Date;
  /** When the payment provider told that it is over; null while it is not. */
  resolvedAt: Date | null;
}

const DESCRIPTIONS: Record<BillingProblemType, string> = {
  payment_failed: 'A payment for the subscription failed.',
  card_expired: 'The card on file expires at the end of the month.',
  dispute: 'The bank disputes a payment and has taken it back.',
  refund_request: 'A refund was asked for and has not been paid out.',
};

/** Another card, or the same one prolonged, ends the problem with the one that was about to expire. */
function resolvedAt(problem: BillingProblem, openedAt: Date, state: BillingState): Date | null {
  if (problem.closedAt !== null && problem.closedAt >= openedAt) return problem.closedAt;
  if (problem.type !== 'card_expired' || state.card === null) return null;
  return state.card.seenAt > openedAt ? state.card.seenAt : null;
}

/** The billing issues of an account, the oldest first. A function of the state alone: write each by its id. */
export function issuesOf(state: BillingState): IssueFact[] {
  return state.troubles
    .flatMap((problem) => {
      if (problem.openedAt === null) return [];
      const { id, type, amountCents, openedAt } = problem;
      const description = DESCRIPTIONS[type];
      return [
        { id, type, amountCents, description, openedAt, resolvedAt: resolvedAt(problem, openedAt, state) },
      ];
    })
    .sort((a, b) => a.openedAt.getTime() - b.openedAt.getTime());
}

/** Where a billing issue stands; an admin may escalate or resolve one that is open. */
export const ISSUE_STATUSES = ['open', 'escalated', 'resolved'] as const;

export type IssueStatus = (typeof ISSUE_STATUSES)[number];

/** A billing issue with what became of it. */
export interface IssueRecord extends IssueFact {
  status: IssueStatus;
}

/**
 * What becomes of a recorded issue when the payment provider's facts are known better. Its end there ends it here; a
 * new opening, later than the one on record, opens it again; else what an admin has made of it stays.
 */
export function nextIssue(known: IssueRecord | null, fact: IssueFact): IssueRecord {
  if (fact.resolvedAt !== null) return { ...fact, status: 'resolved' };
  if (known === null || known.openedAt < fact.openedAt) return { ...fact, status: 'open' };
  return { ...fact, status: known.status, resolvedAt: known.status === 'resolved' ? known.resolvedAt : null };
}

/** A charge is never brought nearer than this: its owner may still want to cancel. */
const NEAREST_MS = 2 * DAY_MS;

/** What becomes of credit that was given to, or taken back from, an account that pays. */
type ShiftVerdict =
  /** There is no charge to move: the credit itself stands, and a purchase respects it. */
  | { kind: 'nothing' }
  /** The payment provider has not said yet how it stands. */
  | { kind: 'wait' }
  | { kind: 'move'; subscriptionId: string; until: Date };

/**
 * Where the next charge moves by days of credit: days that somebody pays for already are not lost. Days taken back bring
 * it nearer, but not to within two days, and never later than it was.
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

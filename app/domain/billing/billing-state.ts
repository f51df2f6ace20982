import type { CardFacts, SubscriptionChange, SubscriptionSnapshot } from './billing-event.ts';

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

/** What can go wrong with payments. */
export type TroubleType = 'payment_failed' | 'card_expired' | 'dispute' | 'refund_request';

/** One trouble: it is over when it was closed at or after its last opening. */
export interface Trouble {
  /** `type:id of what it is about`. */
  id: string;
  type: TroubleType;
  /** Null when only its end is known so far. */
  openedAt: Date | null;
  closedAt: Date | null;
  amountCents: number;
}

/** All that Stripe has told about one account. Plain data, to be stored whole. */
export interface BillingState {
  /** By id. */
  subscriptions: SubscriptionFact[];
  /** By id. */
  troubles: Trouble[];
  card: (CardFacts & { seenAt: Date }) | null;
  /** When the first payment above zero was made. */
  firstPaidAt: Date | null;
  /** Times of payments that were refunded or disputed, in order. */
  takenBack: Date[];
  lastEventAt: Date | null;
}

/** An account that has never had to do with Stripe. */
export const NO_BILLING: BillingState = {
  subscriptions: [],
  troubles: [],
  card: null,
  firstPaidAt: null,
  takenBack: [],
  lastEventAt: null,
};

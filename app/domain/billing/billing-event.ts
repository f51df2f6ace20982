import type { Plan } from './plans.ts';

/** Stripe's statuses of a subscription. */
export const STRIPE_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const;

export type StripeStatus = (typeof STRIPE_STATUSES)[number];

/** A subscription as Stripe described it at one moment. */
export interface SubscriptionSnapshot {
  id: string;
  customerId: string;
  /** Our account, from the metadata that the purchase wrote into the subscription. */
  userId: string | null;
  status: StripeStatus;
  plan: Plan | null;
  /** End of the paid period, or of the free period before the first charge. */
  currentPeriodEnd: Date | null;
  /** When it ends by itself; null while it renews. */
  cancelAt: Date | null;
}

/** A bill. Amounts are US cents. */
export interface InvoiceFacts {
  id: string;
  subscriptionId: string | null;
  amountDueCents: number;
  amountPaidCents: number;
}

/** A payment by card. Amounts are US cents. */
export interface ChargeFacts {
  id: string;
  amountCents: number;
  /** When the payment was made. */
  paidAt: Date;
}

/** A card, without its number. */
export interface CardFacts {
  id: string;
  brand: string;
  last4: string;
  /** 1 to 12; the card is good to the end of this month. */
  expMonth: number;
  expYear: number;
}

/** How we learned of the subscription's state. `read` means that we asked Stripe. */
export type SubscriptionChange = 'created' | 'updated' | 'deleted' | 'read';

/** The phases of a dispute: opened, money taken, money returned, decided. */
export type DisputePhase = 'opened' | 'withdrawn' | 'reinstated' | 'closed';

export interface DisputeFacts {
  id: string;
  chargeId: string;
  /** The disputed payment; null until the payment provider has been asked. */
  charge: ChargeFacts | null;
  amountCents: number;
  /** The bank only asks and takes no money yet: in effect a refund request. */
  isInquiry: boolean;
  /** Null until it is decided. */
  won: boolean | null;
}

interface EventBase {
  /** Stripe's id of the event. */
  id: string;
  /** Stripe's type, for the record. */
  type: string;
  /** When it happened, in whole seconds (Stripe's precision). */
  createdAt: Date;
  customerId: string | null;
  userId: string | null;
}

/** The part of a Stripe event that matters here. */
export type BillingFact =
  | { kind: 'checkout-completed'; sessionId: string; subscriptionId: string | null }
  | { kind: 'subscription'; change: SubscriptionChange; subscription: SubscriptionSnapshot }
  | { kind: 'invoice-paid'; invoice: InvoiceFacts }
  | { kind: 'invoice-failed'; invoice: InvoiceFacts }
  | { kind: 'invoice-void'; invoice: InvoiceFacts }
  | { kind: 'refunded'; charge: ChargeFacts; refundedCents: number }
  | { kind: 'refund-failed'; refundId: string; chargeId: string | null; refundedCents: number }
  | { kind: 'dispute'; phase: DisputePhase; dispute: DisputeFacts }
  | { kind: 'card'; card: CardFacts }
  | { kind: 'card-expiring'; card: CardFacts }
  | { kind: 'ignored' };

export type BillingEvent = EventBase & BillingFact;

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

/** A subscription as Stripe describes it when asked. */
export interface SubscriptionSnapshot {
  id: string;
  customerId: string;
  createdAt: Date;
  status: StripeStatus;
  plan: Plan | null;
  /** End of the paid period, or of the free period before the first charge. */
  currentPeriodEnd: Date | null;
  /** When it ends by itself; null while it renews. */
  cancelAt: Date | null;
  /** Its open bills while it is unpaid: since when, and how much in all (US cents); else null. */
  unpaid: { since: Date; amountCents: number } | null;
}

/** A bill. Amounts are US cents. */
export interface InvoiceFacts {
  id: string;
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
  /** The subscription that it is about. The event only names it: what it is like now is asked of Stripe. */
  subscriptionId: string | null;
}

/** The part of a Stripe event that matters here. */
export type BillingFact =
  | { kind: 'checkout-completed' }
  | {
      kind: 'subscription';
      change: 'created' | 'updated' | 'deleted';
      /** For the record: the plan and the status of that moment. */
      plan: Plan | null;
      status: StripeStatus;
    }
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

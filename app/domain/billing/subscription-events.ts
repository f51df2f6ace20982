import type { BillingEvent, DisputeFacts, DisputePhase } from './billing-event.ts';

/** Types of subscription events. The first three come from the specification. */
export const SUBSCRIPTION_EVENT_TYPES = [
  'subscription_created',
  'subscription_updated',
  'payment_failed',
  'subscription_canceled',
  'payment_succeeded',
  'refunded',
  'dispute_opened',
  'dispute_withdrawn',
  'dispute_reinstated',
  'dispute_closed',
] as const;

export type SubscriptionEventType = (typeof SUBSCRIPTION_EVENT_TYPES)[number];

/** Labels that say which way the money went; other events are labelled by their names. */
const LABELS: Readonly<Record<string, string>> = {
  refunded: 'Payment refunded to the customer',
  dispute_opened: 'Payment disputed, no money moved yet',
  dispute_withdrawn: 'Disputed payment taken back by the bank',
  dispute_reinstated: 'Disputed payment returned to us',
  dispute_closed: 'Dispute decided',
};

/** The label of an event or an issue: "Payment succeeded" for `payment_succeeded`. */
export function billingLabel(name: string): string {
  const label = LABELS[name];
  if (label !== undefined) return label;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One line of the billing record, keyed by Stripe's event id so that it is written once. It has no personal data. */
export interface SubscriptionEvent {
  id: string;
  eventType: SubscriptionEventType;
  /** US cents received; negative for money returned, 0 when no money moved. */
  amountCents: number;
  status: 'success' | 'failed' | 'pending';
  createdAt: Date;
  /** A short sentence for the admin. */
  details: string;
}

type Line = Omit<SubscriptionEvent, 'id' | 'createdAt'>;

function line(eventType: SubscriptionEventType, amountCents: number, details: string): Line {
  return { eventType, amountCents, status: 'success', details };
}

function subscriptionLine(event: Extract<BillingEvent, { kind: 'subscription' }>): Line {
  const { plan, status, subscriptionId } = event;
  const named = `${plan ?? 'unknown'} plan, ${status} (${subscriptionId})`;
  if (event.change === 'created') return line('subscription_created', 0, `Started: ${named}.`);
  if (event.change === 'deleted') return line('subscription_canceled', 0, `Ended: ${named}.`);
  return line('subscription_updated', 0, `Changed: ${named}.`);
}

function disputeLine(phase: DisputePhase, { amountCents, chargeId, won }: DisputeFacts): Line {
  const about = `payment ${chargeId}`;
  if (phase === 'withdrawn')
    return line('dispute_withdrawn', -amountCents, `The bank took the money back: ${about}.`);
  if (phase === 'reinstated')
    return line('dispute_reinstated', amountCents, `The bank returned the money to us: ${about}.`);
  if (phase === 'closed')
    return line(
      'dispute_closed',
      0,
      won ? `We won and keep the payment: ${about}.` : `We lost, the customer keeps the money: ${about}.`,
    );
  return { ...line('dispute_opened', 0, `Disputed: ${about}.`), status: 'pending' };
}

function lineOf(event: BillingEvent): Line | null {
  switch (event.kind) {
    case 'subscription':
      return subscriptionLine(event);
    case 'invoice-paid': {
      const { amountPaidCents, id } = event.invoice;
      // A $0 bill, as at the start of a trial, is not a payment.
      return amountPaidCents > 0 ? line('payment_succeeded', amountPaidCents, `Paid: ${id}.`) : null;
    }
    case 'invoice-failed':
      return {
        ...line('payment_failed', event.invoice.amountDueCents, `Not paid: ${event.invoice.id}.`),
        status: 'failed',
      };
    case 'refunded':
      return line('refunded', -event.refundedCents, `Refunded: payment ${event.charge.id}.`);
    case 'dispute':
      return disputeLine(event.phase, event.dispute);
    default:
      return null;
  }
}

/** The line for an event in the billing record, or null for none. */
export function subscriptionEventOf(event: BillingEvent): SubscriptionEvent | null {
  const found = lineOf(event);
  return found === null ? null : { id: event.id, createdAt: event.createdAt, ...found };
}

import * as z from 'zod';
import { AppError } from '../errors.ts';
import { chargeFacts } from './charge.ts';
import type { BillingEvent, BillingFact, DisputePhase } from './billing-event.ts';
import { subscriptionSnapshot } from './subscription-snapshot.ts';
import {
  cardObject,
  checkoutObject,
  disputeObject,
  eventObject,
  invoiceObject,
  paymentMethodObject,
  refundObject,
  type StripeEventObject,
} from './stripe-objects.ts';

type Owner = Partial<Pick<BillingEvent, 'customerId' | 'userId'>>;
type Reading = { fact: BillingFact; owner: Owner };
type Reader = (event: StripeEventObject) => Reading;

const IGNORED: Reading = { fact: { kind: 'ignored' }, owner: {} };

function subscription(change: 'created' | 'updated' | 'deleted'): Reader {
  return ({ data }) => {
    const snapshot = subscriptionSnapshot(data.object);
    const { customerId, userId } = snapshot;
    return { fact: { kind: 'subscription', change, subscription: snapshot }, owner: { customerId, userId } };
  };
}

function invoice(kind: 'invoice-paid' | 'invoice-failed' | 'invoice-void'): Reader {
  return ({ data }) => {
    const object = invoiceObject.parse(data.object);
    const details = object.parent?.subscription_details ?? null;
    const facts = {
      id: object.id,
      subscriptionId: details?.subscription ?? object.subscription,
      amountDueCents: object.amount_due,
      amountPaidCents: object.amount_paid,
    };
    const owner = { customerId: object.customer, userId: details?.metadata?.userId ?? null };
    return { fact: { kind, invoice: facts }, owner };
  };
}

/** The object tells the sum of all refunds of the payment; what it was before tells which part is new. */
const refunded: Reader = ({ data }) => {
  const { customerId, refundedCents, ...charge } = chargeFacts(data.object);
  const before = z.number().catch(0).parse(data.previous_attributes?.amount_refunded);
  return { fact: { kind: 'refunded', charge, refundedCents: refundedCents - before }, owner: { customerId } };
};

const refundFailed: Reader = ({ data }) => {
  const { id, amount, charge } = refundObject.parse(data.object);
  return {
    fact: { kind: 'refund-failed', refundId: id, chargeId: charge, refundedCents: amount },
    owner: {},
  };
};

function dispute(phase: DisputePhase): Reader {
  return ({ data }) => {
    const { id, charge, amount, status } = disputeObject.parse(data.object);
    const decided = status === 'won' || status === 'lost' || status === 'warning_closed';
    const facts = {
      id,
      chargeId: charge,
      charge: null,
      amountCents: amount,
      isInquiry: status.startsWith('warning_'),
      won: decided ? status !== 'lost' : null,
    };
    return { fact: { kind: 'dispute', phase, dispute: facts }, owner: {} };
  };
}

const checkout: Reader = ({ data }) => {
  const object = checkoutObject.parse(data.object);
  return {
    fact: { kind: 'checkout-completed', sessionId: object.id, subscriptionId: object.subscription },
    owner: { customerId: object.customer, userId: object.client_reference_id },
  };
};

const paymentMethod: Reader = ({ data }) => {
  const { id, customer, card } = paymentMethodObject.parse(data.object);
  if (card === null) return IGNORED;
  const facts = {
    id,
    brand: card.brand,
    last4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
  };
  return { fact: { kind: 'card', card: facts }, owner: { customerId: customer } };
};

const cardExpiring: Reader = ({ data }) => {
  // Bank accounts and other sources come by the same event and do not expire.
  const parsed = cardObject.safeParse(data.object);
  if (!parsed.success) return IGNORED;
  const { id, customer, brand, last4, exp_month: expMonth, exp_year: expYear } = parsed.data;
  return {
    fact: { kind: 'card-expiring', card: { id, brand, last4, expMonth, expYear } },
    owner: { customerId: customer },
  };
};

/** Which events mean something here. A Stripe account must be set to send these. */
const READERS: Readonly<Record<string, Reader>> = {
  'checkout.session.completed': checkout,
  'customer.subscription.created': subscription('created'),
  'customer.subscription.updated': subscription('updated'),
  'customer.subscription.paused': subscription('updated'),
  'customer.subscription.resumed': subscription('updated'),
  'customer.subscription.deleted': subscription('deleted'),
  'invoice.paid': invoice('invoice-paid'),
  'invoice.payment_failed': invoice('invoice-failed'),
  'invoice.voided': invoice('invoice-void'),
  'charge.refunded': refunded,
  'refund.failed': refundFailed,
  'charge.dispute.created': dispute('opened'),
  'charge.dispute.funds_withdrawn': dispute('withdrawn'),
  'charge.dispute.funds_reinstated': dispute('reinstated'),
  'charge.dispute.closed': dispute('closed'),
  'customer.source.expiring': cardExpiring,
  'payment_method.attached': paymentMethod,
  'payment_method.updated': paymentMethod,
  'payment_method.automatically_updated': paymentMethod,
};

/** Types of the Stripe events that are understood, for the set-up of a webhook endpoint. */
export const STRIPE_EVENT_TYPES: readonly string[] = Object.keys(READERS);

/**
 * What an event of Stripe means here. An unknown type is `ignored`, not an error: Stripe adds types.
 * @param raw the parsed body, whose signature has been checked
 * @throws AppError INVALID_INPUT when it is no event, or an event of a known type without its fields
 */
export function normaliseEvent(raw: unknown): BillingEvent {
  try {
    const event = eventObject.parse(raw);
    const reader = Object.hasOwn(READERS, event.type) ? READERS[event.type] : undefined;
    const { fact, owner } = reader?.(event) ?? IGNORED;
    const base = { id: event.id, type: event.type, createdAt: event.created };
    return { ...base, customerId: null, userId: null, ...owner, ...fact };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new AppError('INVALID_INPUT', 'The event cannot be read.', { cause: error });
  }
}

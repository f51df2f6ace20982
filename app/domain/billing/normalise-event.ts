import * as z from 'zod';
import {
  STRIPE_STATUSES,
  type BillingEvent,
  type ChargeFacts,
  type SubscriptionSnapshot,
  type BillingFact,
  type DisputePhase,
} from './billing-event.ts';
import { isUnpaid } from './billing-state.ts';
import { planOfInterval } from './plans.ts';
import { AppError } from '#app/domain/errors.ts';

/**
 * The fields that we read from Stripe's objects, in the shapes of the current API and of versions before 2025-03-31:
 * a webhook uses the API version of the account that registered it, not of our package.
 * Source: Stripe API reference, objects Subscription, Invoice, Charge, Dispute, Refund, Card, PaymentMethod.
 */

const nullish = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

/** An id, or the object in place of its id when it was expanded. */
const reference = z.union([z.string().min(1), z.object({ id: z.string().min(1) }).transform(({ id }) => id)]);

const instant = z
  .number()
  .int()
  .min(0)
  .transform((seconds) => new Date(seconds * 1000));

const cents = z.number().int();
const interval = nullish(z.object({ recurring: nullish(z.object({ interval: z.string() })) }));

const subscriptionObject = z.object({
  id: z.string().min(1),
  customer: reference,
  created: instant,
  // A status that Stripe adds in the future must not grant premium.
  status: z.enum(STRIPE_STATUSES).catch('incomplete'),
  cancel_at_period_end: z.boolean().optional().default(false),
  cancel_at: nullish(instant),
  current_period_start: nullish(instant),
  current_period_end: nullish(instant),
  items: z.object({
    data: z.array(
      z.object({
        current_period_start: nullish(instant),
        current_period_end: nullish(instant),
        price: interval,
      }),
    ),
  }),
});

const openInvoiceObject = z.object({
  amount_due: cents,
  created: instant,
  status_transitions: nullish(z.object({ finalized_at: nullish(instant) })),
});

const invoiceObject = z.object({
  id: z.string().min(1),
  customer: nullish(reference),
  amount_due: cents,
  amount_paid: cents,
  subscription: nullish(reference),
  parent: nullish(
    z.object({ subscription_details: nullish(z.object({ subscription: nullish(reference) })) }),
  ),
});

const chargeObject = z.object({
  id: z.string().min(1),
  customer: nullish(reference),
  amount: cents,
  amount_refunded: cents,
  created: instant,
});

const disputeObject = z.object({
  id: z.string().min(1),
  charge: reference,
  amount: cents,
  status: z.string(),
});

const refundObject = z.object({ id: z.string().min(1), amount: cents, charge: nullish(reference) });

const checkoutObject = z.object({
  id: z.string().min(1),
  customer: nullish(reference),
  subscription: nullish(reference),
});

const cardFields = {
  brand: z.string(),
  last4: z.string(),
  exp_month: z.number().int().min(1).max(12),
  exp_year: z.number().int().min(2000).max(9999),
};

const paymentMethodObject = z.object({
  id: z.string().min(1),
  customer: nullish(reference),
  card: nullish(z.object(cardFields)),
});

const cardObject = z.object({ id: z.string().min(1), customer: nullish(reference), ...cardFields });

/** The envelope of every event. */
const eventObject = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(100),
  created: instant,
  data: z.object({
    object: z.record(z.string(), z.unknown()),
    previous_attributes: nullish(z.record(z.string(), z.unknown())),
  }),
});

type StripeEventObject = z.output<typeof eventObject>;

/** A payment with further fields of Stripe's object. */
interface ChargeReading extends ChargeFacts {
  customerId: string | null;
  /** Sum of all its refunds so far, US cents. */
  refundedCents: number;
}

/** Reads a Stripe charge object. @throws ZodError when it is not one */
export function chargeFacts(object: unknown): ChargeReading {
  const { id, amount, amount_refunded: refundedCents, created, customer } = chargeObject.parse(object);
  return { id, amountCents: amount, paidAt: created, customerId: customer, refundedCents };
}

/** The id of the payment to look up when the event does not say whose it is; else null. */
export function chargeToLookUp(event: BillingEvent): string | null {
  if (event.kind === 'dispute' && event.dispute.charge === null) return event.dispute.chargeId;
  return event.kind === 'refund-failed' && event.customerId === null ? event.chargeId : null;
}

/** The event completed with the payment that was looked up. */
export function withCharge(event: BillingEvent, chargeFacts: ChargeReading): BillingEvent {
  const { customerId, refundedCents: _refunded, ...charge } = chargeFacts;
  if (event.kind !== 'dispute') return { ...event, customerId };
  return { ...event, customerId, dispute: { ...event.dispute, charge } };
}

/**
 * Reads a Stripe subscription object.
 * @param open its open bills, which matter while it is unpaid
 * @throws ZodError when it is not one
 */
export function subscriptionSnapshot(object: unknown, open: readonly unknown[] = []): SubscriptionSnapshot {
  const subscription = subscriptionObject.parse(object);
  const { id, customer, created, status, cancel_at: cancelAt } = subscription;
  const [item] = subscription.items.data;
  const currentPeriodEnd = item?.current_period_end ?? subscription.current_period_end;
  // A bill that was paid a moment ago is not open any more; the period that it was for has just begun.
  const begun = item?.current_period_start ?? subscription.current_period_start ?? created;
  return {
    id,
    customerId: customer,
    createdAt: created,
    status,
    plan: planOfInterval(item?.price?.recurring?.interval),
    currentPeriodEnd,
    cancelAt: cancelAt ?? (subscription.cancel_at_period_end ? currentPeriodEnd : null),
    unpaid: isUnpaid({ status }) ? (unpaidBills(open) ?? { since: begun, amountCents: 0 }) : null,
  };
}

function unpaidBills(open: readonly unknown[]): SubscriptionSnapshot['unpaid'] {
  const bills = open.map((object) => openInvoiceObject.parse(object));
  if (bills.length === 0) return null;
  const dueAt = bills.map((bill) => (bill.status_transitions?.finalized_at ?? bill.created).getTime());
  const amountCents = bills.reduce((sum, { amount_due: due }) => sum + due, 0);
  return { since: new Date(Math.min(...dueAt)), amountCents };
}

type Owner = Partial<Pick<BillingEvent, 'customerId' | 'subscriptionId'>>;
type Reading = { fact: BillingFact; owner: Owner };
type Reader = (event: StripeEventObject) => Reading;

const IGNORED: Reading = { fact: { kind: 'ignored' }, owner: {} };

function subscription(change: 'created' | 'updated' | 'deleted'): Reader {
  return ({ data }) => {
    const { id, customerId, plan, status } = subscriptionSnapshot(data.object);
    return {
      fact: { kind: 'subscription', change, plan, status },
      owner: { customerId, subscriptionId: id },
    };
  };
}

function invoice(kind: 'invoice-paid' | 'invoice-failed' | 'invoice-void'): Reader {
  return ({ data }) => {
    const object = invoiceObject.parse(data.object);
    const facts = {
      id: object.id,
      amountDueCents: object.amount_due,
      amountPaidCents: object.amount_paid,
    };
    const subscriptionId = object.parent?.subscription_details?.subscription ?? object.subscription;
    return { fact: { kind, invoice: facts }, owner: { customerId: object.customer, subscriptionId } };
  };
}

/** The object has the sum of all refunds of the payment; subtracting the previous sum gives the new refund. */
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
  const { customer, subscription: subscriptionId } = checkoutObject.parse(data.object);
  return { fact: { kind: 'checkout-completed' }, owner: { customerId: customer, subscriptionId } };
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
  // Bank accounts and other sources, which do not expire, also send this event.
  const parsed = cardObject.safeParse(data.object);
  if (!parsed.success) return IGNORED;
  const { id, customer, brand, last4, exp_month: expMonth, exp_year: expYear } = parsed.data;
  return {
    fact: { kind: 'card-expiring', card: { id, brand, last4, expMonth, expYear } },
    owner: { customerId: customer },
  };
};

/** The events we handle. The Stripe account must be set up to send them. */
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

/** The Stripe event types we handle, for setting up a webhook endpoint. */
export const STRIPE_EVENT_TYPES: readonly string[] = Object.keys(READERS);

/**
 * Reads a Stripe event. An unknown type is `ignored`, not an error, because Stripe adds types.
 * @param raw the parsed body, whose signature has been checked
 * @throws AppError INVALID_INPUT when it is not an event, or an event of a known type lacks fields
 */
export function normaliseEvent(raw: unknown): BillingEvent {
  try {
    const event = eventObject.parse(raw);
    const reader = Object.hasOwn(READERS, event.type) ? READERS[event.type] : undefined;
    const { fact, owner } = reader?.(event) ?? IGNORED;
    const base = { id: event.id, type: event.type, createdAt: event.created };
    return { ...base, customerId: null, subscriptionId: null, ...owner, ...fact };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new AppError('INVALID_INPUT', 'The event cannot be read.', { cause: error });
  }
}

/** Events as Stripe sends them, with the fields we read and a few others. Times are Unix seconds. */

let counter = 0;

/** Midnight UTC of 2026-03-01, in seconds. */
export const START = 1_772_323_200;
export const DAY = 86_400;

export interface RawEvent {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
}

export function rawEvent(type: string, created: number, object: object, previous?: object): RawEvent {
  counter += 1;
  const data = {
    object: object as Record<string, unknown>,
    ...(previous ? { previous_attributes: previous as Record<string, unknown> } : {}),
  };
  return { id: `evt_${String(counter).padStart(6, '0')}`, object: 'event', type, created, data };
}

export interface SubscriptionShape {
  id?: string;
  status?: string;
  interval?: string;
  periodEnd?: number;
  cancelAtPeriodEnd?: boolean;
  created?: number;
  userId?: string;
}

export function subscriptionObjectOf(shape: SubscriptionShape = {}) {
  const { id = 'sub_1', status = 'active', interval = 'month', periodEnd = START + 30 * DAY, userId } = shape;
  const periodStart = periodEnd - 30 * DAY;
  return {
    id,
    object: 'subscription',
    customer: 'cus_1',
    created: shape.created ?? START,
    status,
    cancel_at_period_end: shape.cancelAtPeriodEnd ?? false,
    cancel_at: null,
    metadata: userId ? { userId } : {},
    items: {
      object: 'list',
      data: [
        {
          id: 'si_1',
          current_period_start: periodStart,
          current_period_end: periodEnd,
          price: { id: 'price_1', recurring: { interval } },
        },
      ],
    },
  };
}

export function subscriptionEvent(
  change: 'created' | 'updated' | 'deleted',
  created: number,
  shape: SubscriptionShape = {},
): RawEvent {
  return rawEvent(`customer.subscription.${change}`, created, subscriptionObjectOf(shape));
}

/** A bill that is open since then. */
export function openInvoiceOf(created: number, { id = 'in_1', due = 500 } = {}) {
  return {
    id,
    object: 'invoice',
    customer: 'cus_1',
    status: 'open',
    created,
    amount_due: due,
    amount_paid: 0,
    status_transitions: { finalized_at: created + 3600 },
  };
}

export function invoiceEvent(
  what: 'paid' | 'payment_failed' | 'voided',
  created: number,
  { id = 'in_1', due = 500 }: { id?: string; due?: number } = {},
): RawEvent {
  const paid = what === 'paid' ? due : 0;
  return rawEvent(`invoice.${what}`, created, {
    id,
    object: 'invoice',
    customer: 'cus_1',
    amount_due: due,
    amount_paid: paid,
    parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_1', metadata: null } },
  });
}

export function refundEvent(
  created: number,
  { charge = 'ch_1', paidAt = START, refunded = 500, before = 0 } = {},
): RawEvent {
  const amount = 500;
  const object = { id: charge, customer: 'cus_1', amount, amount_refunded: refunded, created: paidAt };
  return rawEvent('charge.refunded', created, object, { amount_refunded: before });
}

export function disputeEvent(
  what: 'created' | 'funds_withdrawn' | 'funds_reinstated' | 'closed',
  created: number,
  { status = 'needs_response', amount = 500, charge = 'ch_1' } = {},
): RawEvent {
  return rawEvent(`charge.dispute.${what}`, created, { id: 'dp_1', charge, amount, status });
}

export function cardEvent(
  type: string,
  created: number,
  { id = 'pm_1', expMonth = 4, expYear = 2026 } = {},
): RawEvent {
  const card = { brand: 'visa', last4: '4242', exp_month: expMonth, exp_year: expYear };
  const shape = type.startsWith('payment_method') ? { card } : card;
  return rawEvent(type, created, { id, customer: 'cus_1', ...shape });
}

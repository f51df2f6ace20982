import { PLAN_INTERVAL, PRICE_CENTS } from '#app/domain/billing/plans.ts';
import type {
  TestCard,
  TestCharge,
  TestCustomer,
  TestInvoice,
  TestSession,
  TestSubscription,
} from './state.server.ts';

/** Stripe's objects, with the fields its package and our adapter read. */

export function customerObject({ id, userId }: TestCustomer) {
  return { id, object: 'customer', livemode: false, metadata: { userId } };
}

export function subscriptionObject(subscription: TestSubscription) {
  const { id, customer, userId, plan, status, created, periodStart, periodEnd } = subscription;
  const { cancelAtPeriodEnd, endedAt, latestInvoice } = subscription;
  return {
    id,
    object: 'subscription',
    customer,
    status,
    created,
    livemode: false,
    cancel_at_period_end: cancelAtPeriodEnd,
    cancel_at: cancelAtPeriodEnd ? periodEnd : null,
    canceled_at: endedAt,
    ended_at: endedAt,
    trial_end: status === 'trialing' ? periodEnd : null,
    latest_invoice: latestInvoice,
    metadata: { userId },
    items: {
      object: 'list',
      has_more: false,
      data: [
        {
          id: id.replace('sub_', 'si_'),
          object: 'subscription_item',
          current_period_start: periodStart,
          current_period_end: periodEnd,
          quantity: 1,
          price: {
            id: `price_test_${plan}`,
            object: 'price',
            product: 'prod_test_premium',
            unit_amount: PRICE_CENTS[plan],
            currency: 'usd',
            recurring: { interval: PLAN_INTERVAL[plan], interval_count: 1 },
          },
        },
      ],
    },
  };
}

export function invoiceObject(invoice: TestInvoice, userId: string) {
  const { id, customer, subscription, created, total, amountDue, status, attempts } = invoice;
  return {
    id,
    object: 'invoice',
    customer,
    created,
    currency: 'usd',
    status,
    total,
    amount_due: amountDue,
    amount_paid: status === 'paid' ? amountDue : 0,
    attempt_count: attempts,
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription, metadata: { userId } },
    },
  };
}

export function chargeObject({ id, customer, amount, amountRefunded, created, dispute }: TestCharge) {
  return {
    id,
    object: 'charge',
    customer,
    amount,
    amount_refunded: amountRefunded,
    refunded: amountRefunded === amount,
    disputed: dispute !== 'none',
    currency: 'usd',
    created,
    paid: true,
    status: 'succeeded',
  };
}

export function disputeObject(charge: TestCharge, status: 'needs_response' | 'won') {
  return {
    id: charge.id.replace('ch_', 'dp_'),
    object: 'dispute',
    charge: charge.id,
    amount: charge.amount,
    currency: 'usd',
    reason: 'fraudulent',
    status,
  };
}

export function paymentMethodObject(customer: string, { id, expMonth, expYear }: TestCard) {
  const card = { brand: 'visa', last4: '4242', exp_month: expMonth, exp_year: expYear };
  return { id, object: 'payment_method', type: 'card', customer, card };
}

export function cardObject(customer: string, { id, expMonth, expYear }: TestCard) {
  return {
    id,
    object: 'card',
    customer,
    brand: 'visa',
    last4: '4242',
    exp_month: expMonth,
    exp_year: expYear,
  };
}

/** @param url the checkout's address, null once it has ended */
export function sessionObject(session: TestSession, url: string | null) {
  return {
    id: session.id,
    object: 'checkout.session',
    mode: 'subscription',
    customer: session.customer,
    client_reference_id: session.userId,
    subscription: session.subscription,
    status: session.status,
    url,
  };
}

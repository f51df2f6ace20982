import { describe, expect, it } from 'vitest';
import { billingNotice, billingView, NO_BILLING } from '#app/domain/billing/billing-state.ts';
import { billingLabel, subscriptionEventOf } from '#app/domain/billing/subscription-events.ts';
import { normaliseEvent, subscriptionSnapshot } from '#app/domain/billing/normalise-event.ts';
import { withSubscription } from '#app/domain/billing/reduce-events.ts';
import {
  cardEvent,
  disputeEvent,
  invoiceEvent,
  refundEvent,
  START,
  subscriptionEvent,
  subscriptionObjectOf,
  type RawEvent,
} from './stripe-events.ts';

const rowOf = (raw: RawEvent) => subscriptionEventOf(normaliseEvent(raw));

describe('the billing record', () => {
  it.each([
    ['a payment', invoiceEvent('paid', START), 'payment_succeeded', 500, 'success'],
    ['a failed payment', invoiceEvent('payment_failed', START), 'payment_failed', 500, 'failed'],
    ['a part refund', refundEvent(START, { refunded: 400, before: 100 }), 'refunded', -300, 'success'],
    ['a dispute', disputeEvent('created', START), 'dispute_opened', 0, 'pending'],
    ['money taken by the bank', disputeEvent('funds_withdrawn', START), 'dispute_withdrawn', -500, 'success'],
    ['money given back by it', disputeEvent('funds_reinstated', START), 'dispute_reinstated', 500, 'success'],
    ['a new subscription', subscriptionEvent('created', START), 'subscription_created', 0, 'success'],
    ['a changed one', subscriptionEvent('updated', START), 'subscription_updated', 0, 'success'],
    ['an ended one', subscriptionEvent('deleted', START), 'subscription_canceled', 0, 'success'],
  ])('keeps %s', (_name, raw, eventType, amountCents, status) => {
    expect(rowOf(raw)).toMatchObject({ id: raw.id, eventType, amountCents, status });
  });

  it('adds up to zero for a payment that was refunded or disputed', () => {
    const sum = (events: RawEvent[]) =>
      events.map(rowOf).reduce((cents, row) => cents + (row?.status === 'success' ? row.amountCents : 0), 0);
    expect(sum([invoiceEvent('paid', START), refundEvent(START + 1)])).toBe(0);
    const bank = [disputeEvent('created', START), disputeEvent('funds_withdrawn', START)];
    expect(sum([invoiceEvent('paid', START), ...bank])).toBe(0);
    expect(sum([invoiceEvent('paid', START), ...bank, disputeEvent('funds_reinstated', START)])).toBe(500);
  });

  it('has no line for events that move no money', () => {
    expect(rowOf(invoiceEvent('paid', START, { due: 0 }))).toBeNull();
    expect(rowOf(cardEvent('payment_method.attached', START))).toBeNull();
  });
});

describe('the mail to the owner', () => {
  const standing = (status: string | null, cancelAtPeriodEnd = false) =>
    billingView(
      status === null
        ? NO_BILLING
        : withSubscription(
            NO_BILLING,
            subscriptionSnapshot(subscriptionObjectOf({ status, cancelAtPeriodEnd })),
          ),
    );

  it.each([
    [null, 'active', 'subscription-started'],
    ['canceled', 'active', 'subscription-started'],
    ['active', 'past_due', 'payment-failed'],
    ['past_due', 'active', 'payment-recovered'],
    ['past_due', 'canceled', 'subscription-ended'],
    ['active', 'canceled', 'subscription-ended'],
    ['active', 'active', null],
    ['trialing', 'active', null],
    ['past_due', 'unpaid', null],
    [null, 'incomplete', null],
  ])('from %s to %s is %s', (before, after, notice) => {
    expect(billingNotice(standing(before), standing(after))).toBe(notice);
  });

  it('announces a scheduled end, once', () => {
    expect(billingNotice(standing('active'), standing('active', true))).toBe('cancellation-scheduled');
    expect(billingNotice(standing('active', true), standing('active', true))).toBeNull();
    expect(billingNotice(standing('active', true), standing('active'))).toBeNull();
  });
});

it('a label says which way the money went', () => {
  expect(billingLabel('dispute_withdrawn')).toBe('Disputed payment taken back by the bank');
  expect(billingLabel('dispute_reinstated')).toBe('Disputed payment returned to us');
  expect(billingLabel('refunded')).toBe('Payment refunded to the customer');
  expect(billingLabel('payment_succeeded')).toBe('Payment succeeded');
});

import { describe, expect, it } from 'vitest';
import { chargeFacts, withCharge, normaliseEvent } from '#app/domain/billing/normalise-event.ts';
import { NO_BILLING, issuesOf } from '#app/domain/billing/billing-state.ts';
import { reduceBilling } from '#app/domain/billing/reduce-events.ts';
import {
  cardEvent,
  disputeEvent,
  invoiceEvent,
  rawEvent,
  refundEvent,
  START,
  type RawEvent,
} from './stripe-events.ts';

const at = (seconds: number) => new Date(seconds * 1000);
const payment = chargeFacts({
  id: 'ch_1',
  customer: 'cus_1',
  amount: 500,
  amount_refunded: 0,
  created: START,
});

function issuesAfter(...events: RawEvent[]) {
  const state = events
    .map(normaliseEvent)
    .map((event) => (event.kind === 'dispute' ? withCharge(event, payment) : event))
    .reduce(reduceBilling, NO_BILLING);
  return issuesOf(state).map(({ type, amountCents, resolvedAt }) => ({ type, amountCents, resolvedAt }));
}

describe('a failed payment', () => {
  it('is an issue until the bill is paid', () => {
    const failed = invoiceEvent('payment_failed', START);
    expect(issuesAfter(failed)).toEqual([{ type: 'payment_failed', amountCents: 500, resolvedAt: null }]);
    expect(issuesAfter(failed, invoiceEvent('paid', START + 9))[0]?.resolvedAt).toEqual(at(START + 9));
    expect(issuesAfter(failed, invoiceEvent('voided', START + 9))[0]?.resolvedAt).toEqual(at(START + 9));
  });

  it('is one issue for all attempts at a bill, and none when the bill was paid at once', () => {
    const again = [START, START + 5, START + 7].map((time) => invoiceEvent('payment_failed', time));
    expect(issuesAfter(...again)).toHaveLength(1);
    expect(issuesAfter(invoiceEvent('paid', START))).toEqual([]);
  });

  it('is also resolved when the payment is reported first', () => {
    expect(
      issuesAfter(invoiceEvent('paid', START + 9), invoiceEvent('payment_failed', START))[0]?.resolvedAt,
    ).toEqual(at(START + 9));
  });

  it('is not forgotten after many paid bills', () => {
    const paid = Array.from({ length: 80 }, (_, index) =>
      invoiceEvent('paid', START + index, { id: `in_${100 + index}` }),
    );
    expect(issuesAfter(invoiceEvent('payment_failed', START), ...paid)).toHaveLength(1);
    const last = invoiceEvent('payment_failed', START + 40, { id: 'in_179' });
    expect(issuesAfter(...paid, last)[0]?.resolvedAt).toEqual(at(START + 79));
  });
});

describe('a card about to expire', () => {
  const expiring = cardEvent('customer.source.expiring', START);

  it('is an issue until another card is seen', () => {
    expect(issuesAfter(expiring)).toEqual([{ type: 'card_expired', amountCents: 0, resolvedAt: null }]);
    const next = cardEvent('payment_method.attached', START + 60, { id: 'pm_2', expYear: 2030 });
    expect(issuesAfter(next, expiring)[0]?.resolvedAt).toEqual(at(START + 60));
    const replaced = [expiring, next].map(normaliseEvent).reduce(reduceBilling, NO_BILLING);
    expect(issuesOf(replaced)[0]?.description).toMatch(/now is good to the end of \d{2}\/2030\.$/);
    const former = cardEvent('payment_method.attached', START - 60);
    expect(issuesAfter(expiring, former)[0]?.resolvedAt).toBeNull();
  });
});

describe('a dispute', () => {
  it('is an issue until it is decided', () => {
    const opened = disputeEvent('created', START);
    expect(issuesAfter(opened)).toEqual([{ type: 'dispute', amountCents: 500, resolvedAt: null }]);
    expect(issuesAfter(disputeEvent('closed', START + 9, { status: 'lost' }), opened)[0]?.resolvedAt).toEqual(
      at(START + 9),
    );
  });

  it('is a refund request while it is only an inquiry, until the refund', () => {
    const inquiry = disputeEvent('created', START, { status: 'warning_needs_response' });
    expect(issuesAfter(inquiry)[0]?.type).toBe('refund_request');
    expect(issuesAfter(inquiry, refundEvent(START + 9))[0]?.resolvedAt).toEqual(at(START + 9));
    const escalated = disputeEvent('funds_withdrawn', START + 5);
    expect(issuesAfter(inquiry, escalated).map(({ type }) => type)).toEqual(['refund_request', 'dispute']);
  });
});

describe('a refund', () => {
  it('leaves a refund request open if it fails, and none if it works', () => {
    const failed = rawEvent('refund.failed', START, { id: 're_1', amount: 500, charge: 'ch_1' });
    expect(issuesAfter(failed)).toEqual([{ type: 'refund_request', amountCents: 500, resolvedAt: null }]);
    expect(issuesAfter(refundEvent(START))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  chargeFacts,
  chargeToLookUp,
  withCharge,
  normaliseEvent,
  STRIPE_EVENT_TYPES,
  subscriptionSnapshot,
} from '#app/domain/billing/normalise-event.ts';
import {
  cardEvent,
  DAY,
  disputeEvent,
  invoiceEvent,
  openInvoiceOf,
  rawEvent,
  refundEvent,
  START,
  subscriptionEvent,
  subscriptionObjectOf,
} from './stripe-events.ts';

const at = (seconds: number) => new Date(seconds * 1000);

describe('a subscription from Stripe', () => {
  it('is named by its events, with its plan and its status at the time for the record', () => {
    expect(normaliseEvent(subscriptionEvent('created', START + 9, { interval: 'year' }))).toEqual({
      id: expect.any(String),
      type: 'customer.subscription.created',
      createdAt: at(START + 9),
      customerId: 'cus_1',
      subscriptionId: 'sub_1',
      kind: 'subscription',
      change: 'created',
      plan: 'yearly',
      status: 'active',
    });
  });

  it('is read with its plan and its period', () => {
    expect(subscriptionSnapshot(subscriptionObjectOf())).toEqual({
      id: 'sub_1',
      customerId: 'cus_1',
      createdAt: at(START),
      status: 'active',
      plan: 'monthly',
      currentPeriodEnd: at(START + 30 * DAY),
      cancelAt: null,
      unpaid: null,
    });
  });

  it('has its open bills while it is unpaid', () => {
    const open = [openInvoiceOf(START + DAY, { due: 300 }), openInvoiceOf(START)];
    const unpaid = { since: at(START + 3600), amountCents: 800 };
    expect(subscriptionSnapshot(subscriptionObjectOf({ status: 'past_due' }), open).unpaid).toEqual(unpaid);
    expect(subscriptionSnapshot(subscriptionObjectOf(), open).unpaid).toBeNull();
  });

  it('is read in the shape of older API versions, with its period on the subscription itself', () => {
    const object = {
      ...subscriptionObjectOf(),
      customer: { id: 'cus_9', object: 'customer' },
      current_period_end: START + 5,
      items: { data: [{ price: { recurring: { interval: 'month' } } }] },
    };
    expect(subscriptionSnapshot(object)).toMatchObject({
      customerId: 'cus_9',
      currentPeriodEnd: at(START + 5),
    });
  });

  it('ends at the end of its period or on its own date', () => {
    expect(subscriptionSnapshot(subscriptionObjectOf({ cancelAtPeriodEnd: true })).cancelAt).toEqual(
      at(START + 30 * DAY),
    );
    const dated = { ...subscriptionObjectOf(), cancel_at: START + 7 };
    expect(subscriptionSnapshot(dated).cancelAt).toEqual(at(START + 7));
  });

  it('is not active with an unknown status, and has no plan with an unknown period', () => {
    const snapshot = subscriptionSnapshot(subscriptionObjectOf({ status: 'frozen', interval: 'week' }));
    expect(snapshot).toMatchObject({ status: 'incomplete', plan: null });
  });
});

describe('an invoice from Stripe', () => {
  it('has its subscription where the current and the older API versions put it', () => {
    const raw = invoiceEvent('paid', START);
    expect(normaliseEvent(raw)).toMatchObject({ kind: 'invoice-paid', subscriptionId: 'sub_1' });
    const older = { id: 'in_2', customer: 'cus_1', amount_due: 1, amount_paid: 0, subscription: 'sub_7' };
    expect(normaliseEvent(rawEvent('invoice.payment_failed', START, older))).toMatchObject({
      kind: 'invoice-failed',
      subscriptionId: 'sub_7',
      invoice: { amountDueCents: 1, amountPaidCents: 0 },
    });
  });
});

describe('money returned', () => {
  it('counts only the amount of this refund', () => {
    const event = normaliseEvent(refundEvent(START + 9, { refunded: 500, before: 200 }));
    expect(event).toMatchObject({
      kind: 'refunded',
      refundedCents: 300,
      customerId: 'cus_1',
      charge: { id: 'ch_1', paidAt: at(START) },
    });
  });

  it('looks up the payment of a dispute to find its owner', () => {
    const event = normaliseEvent(disputeEvent('created', START));
    expect(event.customerId).toBeNull();
    expect(chargeToLookUp(event)).toBe('ch_1');
    const payment = { id: 'ch_1', customer: 'cus_1', amount: 500, amount_refunded: 0, created: START };
    const whole = withCharge(event, chargeFacts(payment));
    expect(whole).toMatchObject({ customerId: 'cus_1', dispute: { charge: { paidAt: at(START) } } });
    expect(chargeToLookUp(whole)).toBeNull();
  });

  it('looks up the payment of a failed refund', () => {
    const raw = rawEvent('refund.failed', START, { id: 're_1', amount: 500, charge: 'ch_3' });
    expect(chargeToLookUp(normaliseEvent(raw))).toBe('ch_3');
  });

  it.each([
    ['warning_needs_response', true, null],
    ['needs_response', false, null],
    ['won', false, true],
    ['lost', false, false],
    ['warning_closed', true, true],
  ])('reads the dispute state %s', (status, isInquiry, won) => {
    expect(normaliseEvent(disputeEvent('closed', START, { status }))).toMatchObject({
      dispute: { isInquiry, won },
    });
  });
});

describe('cards', () => {
  it('are read from both kinds of event', () => {
    const card = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 4, expYear: 2026 };
    expect(normaliseEvent(cardEvent('payment_method.attached', START))).toMatchObject({ kind: 'card', card });
    expect(normaliseEvent(cardEvent('customer.source.expiring', START))).toMatchObject({
      kind: 'card-expiring',
      card,
    });
  });

  it('are ignored if they are other payment methods', () => {
    const bank = rawEvent('payment_method.attached', START, { id: 'pm_2', customer: 'cus_1' });
    expect(normaliseEvent(bank).kind).toBe('ignored');
    const source = rawEvent('customer.source.expiring', START, { id: 'ba_1', object: 'bank_account' });
    expect(normaliseEvent(source).kind).toBe('ignored');
  });
});

describe('a completed checkout', () => {
  it('says whose purchase it was, and of which subscription', () => {
    const session = { id: 'cs_1', customer: 'cus_1', client_reference_id: 'u1', subscription: 'sub_1' };
    expect(normaliseEvent(rawEvent('checkout.session.completed', START, session))).toMatchObject({
      kind: 'checkout-completed',
      customerId: 'cus_1',
      subscriptionId: 'sub_1',
    });
  });
});

describe('input that Stripe should not send', () => {
  it('ignores unknown event types', () => {
    expect(normaliseEvent(rawEvent('toString', START, {})).kind).toBe('ignored');
    expect(normaliseEvent(rawEvent('product.created', START, { id: 'prod_1' })).kind).toBe('ignored');
  });

  it.each([
    ['nothing', null],
    ['a text', 'evt_1'],
    ['an event without data', { id: 'evt_1', type: 'invoice.paid', created: START }],
    ['an event without a time', { ...rawEvent('invoice.paid', START, {}), created: 'now' }],
  ])('refuses %s', (_name, raw) => {
    expect(() => normaliseEvent(raw)).toThrowError(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it.each(STRIPE_EVENT_TYPES.filter((type) => type !== 'customer.source.expiring'))(
    'refuses %s without its fields, and says nothing of them',
    (type) => {
      expect(() => normaliseEvent(rawEvent(type, START, { secret: 'x' }))).toThrowError(
        expect.objectContaining({ code: 'INVALID_INPUT', message: 'The event cannot be read.' }),
      );
    },
  );
});

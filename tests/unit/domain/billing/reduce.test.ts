import { describe, expect, it } from 'vitest';
import {
  billingView,
  liveSubscriptionIds,
  NO_BILLING,
  type BillingState,
} from '#app/domain/billing/billing-state.ts';
import {
  closeSubscriptions,
  subscriptionsToCancel,
  withSubscription,
} from '#app/domain/billing/reduce-events.ts';
import { subscriptionSnapshot } from '#app/domain/billing/normalise-event.ts';
import { DAY, openInvoiceOf, START, subscriptionObjectOf, type SubscriptionShape } from './stripe-events.ts';

const at = (seconds: number) => new Date(seconds * 1000);
const reported = (shape: SubscriptionShape = {}, open: object[] = []) =>
  subscriptionSnapshot(subscriptionObjectOf(shape), open);
const after = (...shapes: SubscriptionShape[]): BillingState =>
  shapes.map((shape) => reported(shape)).reduce(withSubscription, NO_BILLING);
const viewOf = (...shapes: SubscriptionShape[]) => billingView(after(...shapes));

describe('the billing state with one subscription', () => {
  it('is empty before the first report', () => {
    expect(billingView(NO_BILLING)).toMatchObject({
      billingStatus: 'none',
      subscriptionId: null,
      plan: null,
    });
  });

  it('is active once paid, with its plan and period', () => {
    expect(viewOf({})).toEqual({
      billingStatus: 'active',
      pastDueSince: null,
      dueCents: 0,
      subscriptionId: 'sub_1',
      customerId: 'cus_1',
      plan: 'monthly',
      currentPeriodEnd: at(START + 30 * DAY),
      endsAt: null,
      cancelAtPeriodEnd: false,
      isFreeUntilPeriodEnd: false,
    });
  });

  it('gives no premium before its first payment', () => {
    expect(viewOf({ status: 'incomplete' }).billingStatus).toBe('none');
    expect(viewOf({ status: 'incomplete_expired' }).billingStatus).toBe('none');
  });

  it('is active in the free period before the first charge, and says so', () => {
    expect(viewOf({ status: 'trialing' })).toMatchObject({
      billingStatus: 'active',
      isFreeUntilPeriodEnd: true,
    });
  });

  it.each(['past_due', 'unpaid'])(
    'is past due as %s since its oldest open bill, with what is due',
    (status) => {
      const open = [openInvoiceOf(START + 30 * DAY, { id: 'in_2' }), openInvoiceOf(START, { due: 300 })];
      expect(billingView(withSubscription(NO_BILLING, reported({ status }, open)))).toMatchObject({
        billingStatus: 'past_due',
        pastDueSince: at(START + 3600),
        dueCents: 800,
      });
    },
  );

  it('is past due since its period began when no bill is open any more', () => {
    expect(viewOf({ status: 'past_due', periodEnd: START + 60 * DAY })).toMatchObject({
      billingStatus: 'past_due',
      pastDueSince: at(START + 30 * DAY),
    });
  });

  it('says when it will end, and stays active until then', () => {
    expect(viewOf({ cancelAtPeriodEnd: true })).toMatchObject({
      billingStatus: 'active',
      cancelAtPeriodEnd: true,
      endsAt: at(START + 30 * DAY),
    });
  });

  it('is what was reported last', () => {
    expect(viewOf({ status: 'incomplete' }, { cancelAtPeriodEnd: true }, {})).toEqual(viewOf({}));
    expect(viewOf({}, { status: 'canceled' })).toMatchObject({
      billingStatus: 'canceled',
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
    });
  });
});

describe('the billing state with several subscriptions', () => {
  const old = { id: 'sub_old', status: 'canceled', created: START + 90 };

  it('is decided by the best one', () => {
    expect(viewOf(old, { id: 'sub_new' })).toMatchObject({
      billingStatus: 'active',
      subscriptionId: 'sub_new',
    });
    const due = { id: 'sub_due', status: 'past_due', created: START + 99 };
    expect(viewOf(due, {}).billingStatus).toBe('active');
    expect(viewOf(due, old).billingStatus).toBe('past_due');
  });

  it('is decided by the newer of two that are equally good, whichever was reported first', () => {
    const [older, newer] = [{ id: 'sub_z' }, { id: 'sub_a', created: START + 1, interval: 'year' }];
    for (const shapes of [
      [older, newer],
      [newer, older],
    ])
      expect(viewOf(...shapes)).toMatchObject({ subscriptionId: 'sub_a', plan: 'yearly' });
  });

  it('lists all that cost money', () => {
    const state = after(
      old,
      { id: 'sub_a' },
      { id: 'sub_b', status: 'past_due' },
      { id: 'sub_c', status: 'incomplete' },
    );
    expect(liveSubscriptionIds(state)).toEqual(['sub_a', 'sub_b']);
  });
});

describe('ending a subscription ourselves', () => {
  it('is final, and lists what Stripe still has to end', () => {
    const closed = closeSubscriptions(after({}), at(START + 10));
    expect(billingView(closed).billingStatus).toBe('canceled');
    expect(subscriptionsToCancel(closed)).toEqual(['sub_1']);
    expect(liveSubscriptionIds(closed)).toEqual([]);
    const late = withSubscription(closed, reported({ cancelAtPeriodEnd: true }));
    expect(billingView(late).billingStatus).toBe('canceled');
    expect(subscriptionsToCancel(late)).toEqual(['sub_1']);
    const done = withSubscription(late, reported({ status: 'canceled' }));
    expect(subscriptionsToCancel(done)).toEqual([]);
    expect(closeSubscriptions(late, at(START + 99))).toEqual(late);
  });

  it('does not affect a subscription bought afterwards', () => {
    const closed = closeSubscriptions(after({}), at(START + 10));
    const bought = withSubscription(closed, reported({ id: 'sub_2' }));
    expect(billingView(bought)).toMatchObject({ billingStatus: 'active', subscriptionId: 'sub_2' });
  });
});

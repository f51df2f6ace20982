import { describe, expect, it } from 'vitest';
import {
  billingView,
  liveSubscriptionIds,
  NO_BILLING,
  type BillingState,
} from '#app/domain/billing/billing-state.ts';
import {
  closeSubscriptions,
  isTied,
  readEvent,
  reduceBilling,
  subscriptionsToCancel,
} from '#app/domain/billing/reduce-events.ts';
import { normaliseEvent, subscriptionSnapshot } from '#app/domain/billing/normalise-event.ts';
import { DAY, START, subscriptionEvent, subscriptionObjectOf, type RawEvent } from './stripe-events.ts';

const at = (seconds: number) => new Date(seconds * 1000);
const after = (...events: RawEvent[]): BillingState =>
  events.map(normaliseEvent).reduce(reduceBilling, NO_BILLING);
const viewOf = (...events: RawEvent[]) => billingView(after(...events));

describe('the billing state with one subscription', () => {
  it('is empty before the first event', () => {
    expect(billingView(NO_BILLING)).toMatchObject({
      billingStatus: 'none',
      subscriptionId: null,
      plan: null,
    });
  });

  it('is active once paid, with its plan and period', () => {
    expect(viewOf(subscriptionEvent('created', START))).toEqual({
      billingStatus: 'active',
      pastDueSince: null,
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
    expect(viewOf(subscriptionEvent('created', START, { status: 'incomplete' })).billingStatus).toBe('none');
    expect(viewOf(subscriptionEvent('created', START, { status: 'incomplete_expired' })).billingStatus).toBe(
      'none',
    );
  });

  it('is active in the free period before the first charge, and says so', () => {
    expect(viewOf(subscriptionEvent('created', START, { status: 'trialing' }))).toMatchObject({
      billingStatus: 'active',
      isFreeUntilPeriodEnd: true,
    });
  });

  it('is past due from the first failure, not from the last one', () => {
    const view = viewOf(
      subscriptionEvent('created', START),
      subscriptionEvent('updated', START + 30 * DAY, { status: 'past_due' }),
      subscriptionEvent('updated', START + 33 * DAY, { status: 'past_due' }),
      subscriptionEvent('updated', START + 35 * DAY, { status: 'unpaid' }),
    );
    expect(view).toMatchObject({ billingStatus: 'past_due', pastDueSince: at(START + 30 * DAY) });
  });

  it('is past due from a later failure if a payment came in between', () => {
    const view = viewOf(
      subscriptionEvent('updated', START + 60 * DAY, { status: 'past_due' }),
      subscriptionEvent('updated', START + 31 * DAY),
      subscriptionEvent('updated', START + 30 * DAY, { status: 'past_due' }),
    );
    expect(view.pastDueSince).toEqual(at(START + 60 * DAY));
  });

  it('says when it will end, and stays active until then', () => {
    expect(viewOf(subscriptionEvent('updated', START, { cancelAtPeriodEnd: true }))).toMatchObject({
      billingStatus: 'active',
      cancelAtPeriodEnd: true,
      endsAt: at(START + 30 * DAY),
    });
  });

  it('stays ended when older events arrive late', () => {
    const view = viewOf(
      subscriptionEvent('deleted', START + 50, { status: 'canceled' }),
      subscriptionEvent('updated', START + 40),
      subscriptionEvent('created', START),
    );
    expect(view).toMatchObject({
      billingStatus: 'canceled',
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
    });
  });

  it('prefers the later status of two from the same second', () => {
    const created = subscriptionEvent('created', START, { status: 'incomplete' });
    const paid = subscriptionEvent('updated', START, { status: 'active' });
    expect(viewOf(created, paid).billingStatus).toBe('active');
    expect(viewOf(paid, created).billingStatus).toBe('active');
  });
});

describe('the billing state with several subscriptions', () => {
  const old = subscriptionEvent('deleted', START + 90, { id: 'sub_old', status: 'canceled' });

  it('is decided by the best one', () => {
    expect(viewOf(old, subscriptionEvent('created', START, { id: 'sub_new' }))).toMatchObject({
      billingStatus: 'active',
      subscriptionId: 'sub_new',
    });
    const due = subscriptionEvent('updated', START + 99, { id: 'sub_due', status: 'past_due' });
    expect(viewOf(due, subscriptionEvent('created', START)).billingStatus).toBe('active');
    expect(viewOf(due, old).billingStatus).toBe('past_due');
  });

  it('lists all that cost money', () => {
    const state = after(
      old,
      subscriptionEvent('created', START, { id: 'sub_a' }),
      subscriptionEvent('created', START, { id: 'sub_b', status: 'past_due' }),
      subscriptionEvent('created', START, { id: 'sub_c', status: 'incomplete' }),
    );
    expect(liveSubscriptionIds(state)).toEqual(['sub_a', 'sub_b']);
  });
});

describe('ending a subscription ourselves', () => {
  it('is final, and lists what Stripe still has to end', () => {
    const closed = closeSubscriptions(after(subscriptionEvent('created', START)), at(START + 10));
    expect(billingView(closed).billingStatus).toBe('canceled');
    expect(subscriptionsToCancel(closed)).toEqual(['sub_1']);
    expect(liveSubscriptionIds(closed)).toEqual([]);
    const late = reduceBilling(closed, normaliseEvent(subscriptionEvent('updated', START + 20)));
    expect(billingView(late).billingStatus).toBe('canceled');
    const done = reduceBilling(
      late,
      normaliseEvent(subscriptionEvent('deleted', START + 30, { status: 'canceled' })),
    );
    expect(subscriptionsToCancel(done)).toEqual([]);
  });

  it('does not affect a subscription bought afterwards', () => {
    const closed = closeSubscriptions(after(subscriptionEvent('created', START)), at(START + 10));
    const bought = reduceBilling(
      closed,
      normaliseEvent(subscriptionEvent('created', START + 99, { id: 'sub_2' })),
    );
    expect(billingView(bought)).toMatchObject({ billingStatus: 'active', subscriptionId: 'sub_2' });
  });
});

describe('two descriptions from the same second', () => {
  const on = subscriptionEvent('updated', START, { cancelAtPeriodEnd: true });
  const off = subscriptionEvent('updated', START);

  it('are reported as tied when they differ, and not otherwise', () => {
    expect(isTied(after(on), normaliseEvent(off))).toBe(true);
    expect(isTied(after(on), normaliseEvent(on))).toBe(false);
    const same = subscriptionEvent('updated', START, { cancelAtPeriodEnd: true });
    expect(isTied(after(on), normaliseEvent(same))).toBe(false);
    expect(isTied(after(on), normaliseEvent(subscriptionEvent('updated', START + 1)))).toBe(false);
    expect(isTied(NO_BILLING, normaliseEvent(off))).toBe(false);
  });

  it('are resolved by asking Stripe', () => {
    for (const cancelAtPeriodEnd of [true, false]) {
      const answer = subscriptionSnapshot(subscriptionObjectOf({ cancelAtPeriodEnd }));
      const state = reduceBilling(after(on, off), readEvent(answer, new Date(START * 1000 + 700)));
      expect(billingView(state).cancelAtPeriodEnd).toBe(cancelAtPeriodEnd);
      // Our clock is behind Stripe's.
      const behind = readEvent(answer, new Date((START - 9) * 1000), normaliseEvent(off));
      expect(billingView(reduceBilling(after(on, off), behind)).cancelAtPeriodEnd).toBe(cancelAtPeriodEnd);
    }
  });
});

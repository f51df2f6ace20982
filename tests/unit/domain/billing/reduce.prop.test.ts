import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  billingView,
  firstPayment,
  NO_BILLING,
  type BillingState,
  issuesOf,
} from '#app/domain/billing/billing-state.ts';
import {
  chargeFacts,
  normaliseEvent,
  subscriptionSnapshot,
  withCharge,
} from '#app/domain/billing/normalise-event.ts';
import { closeSubscriptions, reduceBilling, withSubscription } from '#app/domain/billing/reduce-events.ts';
import { subscriptionEventOf } from '#app/domain/billing/subscription-events.ts';
import type { BillingEvent, SubscriptionSnapshot } from '#app/domain/billing/billing-event.ts';
import {
  cardEvent,
  DAY,
  disputeEvent,
  invoiceEvent,
  refundEvent,
  openInvoiceOf,
  START,
  subscriptionObjectOf,
} from './stripe-events.ts';

/** Few instants, so that several events share a second, as in reality. */
const instant = fc.integer({ min: 0, max: 8 }).map((day) => START + day * DAY);
const name = (prefix: string) => fc.constantFrom(`${prefix}_1`, `${prefix}_2`);
const status = fc.constantFrom(
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
  'incomplete_expired',
);

const openBills = fc.array(
  instant.map((time) => openInvoiceOf(time)),
  { maxLength: 3 },
);
const report = fc
  .tuple(name('sub'), status, fc.boolean(), instant, openBills)
  .map(([id, state, cancelAtPeriodEnd, created, open]) =>
    subscriptionSnapshot(subscriptionObjectOf({ id, status: state, cancelAtPeriodEnd, created }), open),
  );
const invoice = fc
  .tuple(fc.constantFrom('paid' as const, 'payment_failed' as const, 'voided' as const), instant, name('in'))
  .map(([what, time, id]) => invoiceEvent(what, time, { id }));
const refund = fc
  .tuple(instant, name('ch'), instant)
  .map(([time, charge, paidAt]) => refundEvent(time, { charge, paidAt }));
const dispute = fc
  .tuple(
    fc.constantFrom('created' as const, 'funds_withdrawn' as const, 'closed' as const),
    instant,
    fc.constantFrom('needs_response', 'warning_needs_response', 'won', 'lost'),
  )
  .map(([what, time, state]) => disputeEvent(what, time, { status: state }));
const card = fc
  .tuple(fc.constantFrom('payment_method.attached', 'customer.source.expiring'), instant, name('pm'))
  .map(([type, time, id]) => cardEvent(type, time, { id }));

const payment = chargeFacts({
  id: 'ch_1',
  customer: 'cus_1',
  amount: 500,
  amount_refunded: 0,
  created: START,
});
const event = fc.oneof(invoice, refund, dispute, card).map((raw) => {
  const normal = normaliseEvent(raw);
  return normal.kind === 'dispute' ? withCharge(normal, payment) : normal;
});

const history = fc.array(event, { maxLength: 14 });
const reports = fc.array(report, { maxLength: 8 });
const reduceAll = (events: readonly BillingEvent[]): BillingState => events.reduce(reduceBilling, NO_BILLING);
const told = (snapshots: readonly SubscriptionSnapshot[]): BillingState =>
  snapshots.reduce(withSubscription, NO_BILLING);

/** A history, and the same events shuffled with some delivered again. */
const delivered = history.chain((events) =>
  fc
    .array(fc.nat({ max: Math.max(events.length - 1, 0) }), { maxLength: 10 })
    .chain((again) => {
      const all = [...events, ...again.flatMap((index) => events[index] ?? [])];
      return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
    })
    .map((shuffled) => ({ events, shuffled })),
);

describe('the billing state', () => {
  it('law: any order and any repetition of the same events end in the same state', () => {
    fc.assert(
      fc.property(delivered, ({ events, shuffled }) => {
        expect(reduceAll(shuffled)).toEqual(reduceAll(events));
      }),
      { numRuns: 1000 },
    );
  });

  it('law: an event that has been applied changes nothing', () => {
    fc.assert(
      fc.property(history, fc.nat(), (events, pick) => {
        const state = reduceAll(events);
        const known = events[pick % Math.max(events.length, 1)];
        if (known) expect(reduceBilling(state, known)).toEqual(state);
      }),
    );
  });

  it('law: events change nothing about subscriptions, and reports nothing else', () => {
    fc.assert(
      fc.property(history, reports, (events, snapshots) => {
        const { subscriptions, ...rest } = snapshots.reduce(withSubscription, reduceAll(events));
        expect(subscriptions).toEqual(told(snapshots).subscriptions);
        const { subscriptions: none, ...happened } = reduceAll(events);
        expect([rest, none]).toEqual([happened, []]);
      }),
    );
  });

  it('law: the last report of each subscription decides, whatever was reported before', () => {
    fc.assert(
      fc.property(reports, reports, (before, last) => {
        const ids = new Set(last.map(({ id }) => id));
        const others = before.filter(({ id }) => !ids.has(id));
        expect(told([...before, ...last])).toEqual(told([...others, ...last]));
      }),
    );
  });

  it('law: an account is past due exactly when it has the time since when', () => {
    fc.assert(
      fc.property(reports, (snapshots) => {
        const view = billingView(told(snapshots));
        expect(view.pastDueSince !== null).toBe(view.billingStatus === 'past_due');
      }),
    );
  });

  it('law: a subscription that we ended never counts as paid again', () => {
    fc.assert(
      fc.property(reports, reports, (before, afterwards) => {
        const closed = closeSubscriptions(told(before), new Date(START * 1000));
        const ids = new Set(closed.subscriptions.map(({ id }) => id));
        const state = afterwards.filter(({ id }) => ids.has(id)).reduce(withSubscription, closed);
        expect(['none', 'canceled']).toContain(billingView(state).billingStatus);
      }),
    );
  });

  it('law: each issue is listed once, and resolved no earlier than opened', () => {
    fc.assert(
      fc.property(history, (events) => {
        const issues = issuesOf(reduceAll(events));
        expect(new Set(issues.map(({ id }) => id)).size).toBe(issues.length);
        for (const { openedAt, resolvedAt } of issues)
          if (resolvedAt !== null) expect(resolvedAt >= openedAt).toBe(true);
      }),
    );
  });

  it('law: the billing record has at most one line per event, under the event’s id', () => {
    fc.assert(
      fc.property(event, (one) => {
        const row = subscriptionEventOf(one);
        if (row !== null) expect([row.id, row.createdAt]).toEqual([one.id, one.createdAt]);
      }),
    );
  });

  it('law: a first payment is never forgotten, only taken back', () => {
    fc.assert(
      fc.property(history, event, (events, next) => {
        const rank = { none: 0, made: 1, 'taken-back': 2 } as const;
        const before = reduceAll(events);
        const isEarlierPayment = next.kind === 'invoice-paid' && before.firstPaidAt !== null;
        if (isEarlierPayment) return;
        expect(rank[firstPayment(reduceBilling(before, next))]).toBeGreaterThanOrEqual(
          rank[firstPayment(before)],
        );
      }),
    );
  });
});

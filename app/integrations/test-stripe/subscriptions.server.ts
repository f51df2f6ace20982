import { DateTime } from 'luxon';
import { PRICE_CENTS, type Plan } from '#app/domain/billing/plans.ts';
import {
  chargeObject,
  invoiceObject,
  paymentMethodObject,
  sessionObject,
  subscriptionObject,
} from './objects.server.ts';
import type {
  StripeContext,
  TestCustomer,
  TestInvoice,
  TestSubscription,
  TestSession,
} from './state.server.ts';

/** How long an unpaid renewal is retried before the subscription ends, in seconds. Stripe's default is 14 days. */
const RETRIES_SECONDS = 14 * 86_400;

/** The most periods to catch up on after a long pause. */
const MOST_PERIODS = 60;

/** Completes a checkout: a subscription, its first invoice, and the events of both. */
export function startSubscription(context: StripeContext, session: TestSession): TestSubscription {
  const { customer, userId, plan, trialEnd } = session;
  const isFree = trialEnd !== null && trialEnd > context.now;
  const subscription: TestSubscription = {
    id: context.newId('sub'),
    customer,
    userId,
    plan,
    status: isFree ? 'trialing' : 'incomplete',
    created: context.now,
    periodStart: context.now,
    periodEnd: isFree ? trialEnd : periodAfter(context.now, plan),
    cancelAtPeriodEnd: false,
    endedAt: null,
    latestInvoice: null,
  };
  context.state.subscriptions[subscription.id] = subscription;
  session.status = 'complete';
  session.subscription = subscription.id;
  const card = context.state.customers[customer]?.card;
  if (card) context.emit('payment_method.attached', paymentMethodObject(customer, card));
  context.emit('customer.subscription.created', subscriptionObject(subscription));
  const invoice = writeBill(context, subscription, isFree ? 0 : undefined);
  if (isFree) attemptPayment(context, subscription, invoice);
  else collect(context, subscription);
  context.emit('checkout.session.completed', sessionObject(session, null));
  return subscription;
}

/** Catches up on the time since the last step: due renewals, and retries that ran out. */
export function catchUp(context: StripeContext): void {
  for (const subscription of Object.values(context.state.subscriptions)) {
    const runs = () => subscription.status === 'active' || subscription.status === 'trialing';
    for (let n = 0; n < MOST_PERIODS && runs() && subscription.periodEnd <= context.now; n += 1) {
      nextPeriod(context, subscription);
    }
    const unpaid = subscription.status === 'past_due' ? openBill(context, subscription) : null;
    if (unpaid && unpaid.created + RETRIES_SECONDS <= context.now) finish(context, subscription);
  }
}

/** Ends the current period now. An unpaid subscription then counts as retried for long enough. */
export function endPeriod(context: StripeContext, subscription: TestSubscription): void {
  if (subscription.status === 'past_due') return finish(context, subscription);
  subscription.periodEnd = context.now;
  nextPeriod(context, subscription);
}

/** The end of a period: the subscription ends, or the next period and its invoice begin. */
function nextPeriod(context: StripeContext, subscription: TestSubscription): void {
  context.wait();
  if (subscription.cancelAtPeriodEnd) return finish(context, subscription);
  const before = { status: subscription.status };
  subscription.periodStart = subscription.periodEnd;
  subscription.periodEnd = periodAfter(subscription.periodStart, subscription.plan);
  subscription.status = 'active';
  tellUpdate(context, subscription, before);
  writeBill(context, subscription);
  // As with Stripe, the charge comes a while after the period has begun.
  context.wait();
  collect(context, subscription);
}

/** One month or year later, on the same day of the month if it exists. */
export function periodAfter(start: number, plan: Plan): number {
  const from = DateTime.fromSeconds(start, { zone: 'utc' });
  return from.plus(plan === 'monthly' ? { months: 1 } : { years: 1 }).toSeconds();
}

export function finish(context: StripeContext, subscription: TestSubscription): void {
  if (subscription.status === 'canceled') return;
  subscription.status = 'canceled';
  subscription.endedAt = context.now;
  context.emit('customer.subscription.deleted', subscriptionObject(subscription));
}

/** Emits an event for a changed subscription. */
export function tellUpdate(context: StripeContext, subscription: TestSubscription, previous: object): void {
  context.emit('customer.subscription.updated', subscriptionObject(subscription), previous);
}

/** Tries to charge an open invoice and updates the subscription accordingly. */
export function collect(context: StripeContext, subscription: TestSubscription): void {
  const invoice = openBill(context, subscription);
  if (invoice === null) return;
  const before = subscription.status;
  subscription.status = attemptPayment(context, subscription, invoice) ? 'active' : 'past_due';
  if (subscription.status !== before) tellUpdate(context, subscription, { status: before });
}

/** The amount due after credit, and the remaining credit. */
export function afterCredit(total: number, credit: number): { amountDue: number; credit: number } {
  return { amountDue: Math.max(0, total - credit), credit: Math.max(0, credit - total) };
}

function customerOf(context: StripeContext, id: string): TestCustomer {
  const customer = context.state.customers[id];
  if (customer === undefined) throw new Error('A subscription without its customer.');
  return customer;
}

/**
 * Tries to charge an invoice.
 * @returns whether it is now paid
 */
function attemptPayment(
  context: StripeContext,
  subscription: TestSubscription,
  invoice: TestInvoice,
): boolean {
  const customer = customerOf(context, invoice.customer);
  if (invoice.amountDue > 0) invoice.attempts += 1;
  if (invoice.amountDue > 0 && customer.card.declines) {
    context.emit('invoice.payment_failed', invoiceObject(invoice, subscription.userId));
    return false;
  }
  invoice.status = 'paid';
  if (invoice.amountDue > 0) {
    const id = context.newId('ch');
    context.state.charges[id] = {
      id,
      customer: customer.id,
      amount: invoice.amountDue,
      amountRefunded: 0,
      created: context.now,
      dispute: 'none',
    };
    invoice.charge = id;
    context.emit('charge.succeeded', chargeObject(context.state.charges[id]));
  }
  context.emit('invoice.paid', invoiceObject(invoice, subscription.userId));
  return true;
}

/** Creates an invoice for a subscription, after credit. @param total US cents; a negative total adds to the credit */
function writeBill(
  context: StripeContext,
  subscription: TestSubscription,
  total: number = PRICE_CENTS[subscription.plan],
): TestInvoice {
  const customer = customerOf(context, subscription.customer);
  const { amountDue, credit } = afterCredit(total, customer.credit);
  customer.credit = credit;
  const invoice: TestInvoice = {
    id: context.newId('in'),
    customer: customer.id,
    subscription: subscription.id,
    created: context.now,
    total,
    amountDue,
    status: 'open',
    attempts: 0,
    charge: null,
  };
  context.state.invoices[invoice.id] = invoice;
  subscription.latestInvoice = invoice.id;
  return invoice;
}

/** The unpaid invoice of a subscription. */
export function openBill(context: StripeContext, subscription: TestSubscription): TestInvoice | null {
  const invoice = subscription.latestInvoice && context.state.invoices[subscription.latestInvoice];
  return invoice && invoice.status === 'open' ? invoice : null;
}

/** The cost of a plan change at an instant. */
interface PlanChangeCost {
  /** Charged immediately, US cents; negative becomes credit. */
  total: number;
  amountDue: number;
  /** Remaining credit. */
  credit: number;
  /** Of the new plan. */
  periodStart: number;
  periodEnd: number;
}

/** The unused part of what is paid, to the second, as Stripe counts it. */
function unused({ plan, periodStart, periodEnd }: TestSubscription, at: number): number {
  const share = (periodEnd - at) / (periodEnd - periodStart);
  return Math.round(PRICE_CENTS[plan] * Math.min(1, Math.max(0, share)));
}

/** The cost of a change: a new period begins immediately, and the unused part of the old one is credited. */
export function planChangeCost(
  context: StripeContext,
  subscription: TestSubscription,
  plan: Plan,
  at: number,
): PlanChangeCost {
  const credit = context.state.customers[subscription.customer]?.credit ?? 0;
  if (subscription.status === 'trialing' || plan === subscription.plan) {
    const { periodStart, periodEnd } = subscription;
    return { total: 0, amountDue: 0, credit, periodStart, periodEnd };
  }
  const total = PRICE_CENTS[plan] - unused(subscription, at);
  return { total, ...afterCredit(total, credit), periodStart: at, periodEnd: periodAfter(at, plan) };
}

/**
 * Changes the plan and charges the difference.
 * @returns false if the card is declined; nothing has changed then
 */
export function changePlan(
  context: StripeContext,
  subscription: TestSubscription,
  plan: Plan,
  at: number,
): boolean {
  const cost = planChangeCost(context, subscription, plan, at);
  const declines = context.state.customers[subscription.customer]?.card.declines ?? false;
  if (cost.amountDue > 0 && declines) return false;
  const before = { items: { data: [{ price: { id: `price_test_${subscription.plan}` } }] } };
  subscription.plan = plan;
  subscription.periodStart = cost.periodStart;
  subscription.periodEnd = cost.periodEnd;
  if (cost.total !== 0) attemptPayment(context, subscription, writeBill(context, subscription, cost.total));
  tellUpdate(context, subscription, before);
  return true;
}

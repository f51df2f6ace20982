import { DateTime } from 'luxon';
import type { Plan } from '#app/domain/billing/paid-plan.ts';
import { attemptPayment, openBill, writeBill } from './invoices.server.ts';
import { paymentMethodObject, sessionObject, subscriptionObject } from './objects.server.ts';
import type { Scene } from './context.server.ts';
import type { TestSession, TestSubscription } from './state.server.ts';

/** How long an unpaid renewal is tried again before the subscription ends, in seconds. Stripe's default is 14 days. */
const RETRIES_SECONDS = 14 * 86_400;

/** Periods made up for at most, after a long pause. */
const MOST_PERIODS = 60;

/** One month or year later, on the same day of the month where there is one. */
export function periodAfter(start: number, plan: Plan): number {
  const from = DateTime.fromSeconds(start, { zone: 'utc' });
  return from.plus(plan === 'monthly' ? { months: 1 } : { years: 1 }).toSeconds();
}

/** Tells of a change of a subscription. */
export function tellUpdate(scene: Scene, subscription: TestSubscription, previous: object): void {
  scene.emit('customer.subscription.updated', subscriptionObject(subscription), previous);
}

/** Ends a subscription for good. */
export function finish(scene: Scene, subscription: TestSubscription): void {
  if (subscription.status === 'canceled') return;
  subscription.status = 'canceled';
  subscription.endedAt = scene.now;
  scene.emit('customer.subscription.deleted', subscriptionObject(subscription));
}

/** Takes an open bill as far as the card lets it, and the subscription with it. */
export function collect(scene: Scene, subscription: TestSubscription): void {
  const invoice = openBill(scene, subscription);
  if (invoice === null) return;
  const before = subscription.status;
  subscription.status = attemptPayment(scene, subscription, invoice) ? 'active' : 'past_due';
  if (subscription.status !== before) tellUpdate(scene, subscription, { status: before });
}

/** The purchase of a checkout: a subscription, its first bill, and the events of both. */
export function startSubscription(scene: Scene, session: TestSession): TestSubscription {
  const { customer, userId, plan, trialEnd } = session;
  const isFree = trialEnd !== null && trialEnd > scene.now;
  const subscription: TestSubscription = {
    id: scene.newId('sub'),
    customer,
    userId,
    plan,
    status: isFree ? 'trialing' : 'incomplete',
    created: scene.now,
    periodStart: scene.now,
    periodEnd: isFree ? trialEnd : periodAfter(scene.now, plan),
    cancelAtPeriodEnd: false,
    endedAt: null,
    latestInvoice: null,
  };
  scene.world.subscriptions[subscription.id] = subscription;
  session.status = 'complete';
  session.subscription = subscription.id;
  const card = scene.world.customers[customer]?.card;
  if (card) scene.emit('payment_method.attached', paymentMethodObject(customer, card));
  scene.emit('customer.subscription.created', subscriptionObject(subscription));
  const invoice = writeBill(scene, subscription, isFree ? 0 : undefined);
  if (isFree) attemptPayment(scene, subscription, invoice);
  else collect(scene, subscription);
  scene.emit('checkout.session.completed', sessionObject(session, null));
  return subscription;
}

/** What happens when a period is over: the end, or the next period and its bill. */
function nextPeriod(scene: Scene, subscription: TestSubscription): void {
  scene.wait();
  if (subscription.cancelAtPeriodEnd) return finish(scene, subscription);
  const before = { status: subscription.status };
  subscription.periodStart = subscription.periodEnd;
  subscription.periodEnd = periodAfter(subscription.periodStart, subscription.plan);
  subscription.status = 'active';
  tellUpdate(scene, subscription, before);
  writeBill(scene, subscription);
  // Stripe, too, charges a while after the period has begun.
  scene.wait();
  collect(scene, subscription);
}

/** Lets the running period end now instead of later. An unpaid subscription has been tried for long enough. */
export function endPeriod(scene: Scene, subscription: TestSubscription): void {
  if (subscription.status === 'past_due') return finish(scene, subscription);
  subscription.periodEnd = scene.now;
  nextPeriod(scene, subscription);
}

/** Makes up for the time since the last step: renewals that were due, retries that ran out. */
export function catchUp(scene: Scene): void {
  for (const subscription of Object.values(scene.world.subscriptions)) {
    const runs = () => subscription.status === 'active' || subscription.status === 'trialing';
    for (let n = 0; n < MOST_PERIODS && runs() && subscription.periodEnd <= scene.now; n += 1) {
      nextPeriod(scene, subscription);
    }
    const unpaid = subscription.status === 'past_due' ? openBill(scene, subscription) : null;
    if (unpaid && unpaid.created + RETRIES_SECONDS <= scene.now) finish(scene, subscription);
  }
}

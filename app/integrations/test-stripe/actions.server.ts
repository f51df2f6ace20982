import type { TestAction } from '#app/domain/billing/test-actions.ts';
import { AppError } from '#app/domain/errors.ts';
import { collect, endPeriod, tellUpdate } from './subscription-life.server.ts';
import { cardObject, chargeObject, disputeObject, paymentMethodObject } from './objects.server.ts';
import { changePlan } from './plan-change.server.ts';
import { newestCharge, newestSubscription } from './portal.server.ts';
import type { Scene } from './context.server.ts';
import type { TestCharge, TestCustomer, TestSubscription } from './state.server.ts';

/** What an action is done to; it is offered only where these exist. */
interface Parts {
  customer: TestCustomer;
  subscription: TestSubscription;
  charge: TestCharge;
}

type Act = (scene: Scene, parts: Parts) => void;

const renewing =
  (cancelAtPeriodEnd: boolean): Act =>
  (scene, { subscription }) => {
    subscription.cancelAtPeriodEnd = cancelAtPeriodEnd;
    tellUpdate(scene, subscription, { cancel_at_period_end: !cancelAtPeriodEnd });
  };

const ACTS: Record<TestAction, Act> = {
  cancel: renewing(true),
  resume: renewing(false),
  'switch-plan': (scene, { subscription }) => {
    const other = subscription.plan === 'monthly' ? 'yearly' : 'monthly';
    if (!changePlan(scene, subscription, other, scene.now))
      throw new AppError('CONFLICT', 'The card was declined.');
  },
  'new-card': (scene, { customer }) => {
    const expYear = new Date(scene.now * 1000).getUTCFullYear() + 4;
    customer.card = { id: scene.newId('pm'), declines: false, expMonth: 12, expYear };
    scene.emit('payment_method.attached', paymentMethodObject(customer.id, customer.card));
  },
  'retry-payment': (scene, { subscription }) => collect(scene, subscription),
  'card-declines': (_scene, { customer }) => {
    customer.card.declines = true;
  },
  'card-expires': (scene, { customer }) => {
    const today = new Date(scene.now * 1000);
    Object.assign(customer.card, { expMonth: today.getUTCMonth() + 1, expYear: today.getUTCFullYear() });
    scene.emit('customer.source.expiring', cardObject(customer.id, customer.card));
  },
  'end-period': (scene, { subscription }) => endPeriod(scene, subscription),
  refund: (scene, { charge }) => {
    charge.amountRefunded = charge.amount;
    scene.emit('charge.refunded', chargeObject(charge), { amount_refunded: 0, refunded: false });
  },
  dispute: (scene, { charge }) => {
    charge.dispute = 'open';
    scene.emit('charge.dispute.created', disputeObject(charge, 'needs_response'));
    scene.emit('charge.dispute.funds_withdrawn', disputeObject(charge, 'needs_response'));
  },
  'win-dispute': (scene, { charge }) => {
    charge.dispute = 'won';
    scene.emit('charge.dispute.funds_reinstated', disputeObject(charge, 'won'));
    scene.emit('charge.dispute.closed', disputeObject(charge, 'won'));
  },
};

/** Does what the portal offers. The caller has made sure that it offers this. */
export function performAction(scene: Scene, customerId: string, action: TestAction): void {
  const parts: Partial<Parts> = {
    customer: scene.world.customers[customerId],
    subscription: newestSubscription(scene, customerId) ?? undefined,
    charge: newestCharge(scene, customerId) ?? undefined,
  };
  ACTS[action](scene, parts as Parts);
}

import { TEST_ACTIONS, type TestAction } from '#app/domain/billing/billing-schema.ts';
import type { TestPortalView, TestCheckout, TestPages } from '#app/integrations/payments/provider.server.ts';
import {
  openBill,
  collect,
  endPeriod,
  tellUpdate,
  changePlan,
  catchUp,
  startSubscription,
} from './subscriptions.server.ts';
import {
  type StripeContext,
  contextOf,
  type TestCharge,
  type TestPortal,
  type TestSubscription,
  type TestCustomer,
  entryOf,
  type TestSession,
  type StateStore,
} from './state.server.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { cardObject, chargeObject, disputeObject, paymentMethodObject } from './objects.server.ts';
import { PRICE_CENTS } from '#app/domain/billing/plans.ts';
import type { Delivery } from './delivery.server.ts';

/** Stripe's own pages in test mode, with the same state as the API. */
export function openTestPages(store: StateStore, delivery: Delivery, now: () => Date): TestPages {
  const step = <T>(run: (context: StripeContext) => T): Promise<T> =>
    store.change((state) => {
      const context = contextOf(state, now());
      catchUp(context);
      return run(context);
    });
  /** A step that resolves after its events are delivered. */
  const stepAndTell = async <T>(run: (context: StripeContext) => T): Promise<T> => {
    const result = await step(run);
    await delivery.flush();
    return result;
  };
  return {
    findCheckout: (id) =>
      step(({ state }) => {
        const session = entryOf(state.sessions, id);
        return session === undefined ? null : checkoutView(session);
      }),
    pay: (id) =>
      stepAndTell((context) => {
        const session = known(entryOf(context.state.sessions, id));
        known(entryOf(context.state.customers, session.customer)).card.declines = false;
        if (session.status === 'open') startSubscription(context, session);
        return session.successUrl.replace('{CHECKOUT_SESSION_ID}', session.id);
      }),
    findPortal: (id) =>
      stepAndTell((context) => {
        const portal = entryOf(context.state.portals, id);
        return portal === undefined ? null : portalView(context, portal);
      }),
    act: (id, action) =>
      stepAndTell((context) => {
        const portal = known(entryOf(context.state.portals, id));
        if (!portalView(context, portal).actions.includes(action))
          throw conflict('WRONG_STATE', 'This is not possible now. Reload the page.');
        performAction(context, portal.customer, action);
      }),
  };
}

function known<T>(entry: T | undefined): T {
  if (entry === undefined) throw new AppError('NOT_FOUND', 'This test payment does not exist.');
  return entry;
}

function checkoutView({ id, userId, plan, trialEnd, status, cancelUrl }: TestSession): TestCheckout {
  return {
    id,
    userId,
    plan,
    amountCents: PRICE_CENTS[plan],
    firstChargeAt: trialEnd === null ? null : new Date(trialEnd * 1000),
    isOpen: status === 'open',
    cancelUrl,
  };
}

function portalView(context: StripeContext, portal: TestPortal): TestPortalView {
  const { customer } = portal;
  const subscription = newestSubscription(context, customer);
  const charge = newestCharge(context, customer);
  const owner = context.state.customers[customer];
  const can = possible(context, customer);
  return {
    id: portal.id,
    userId: owner?.userId ?? '',
    returnUrl: portal.returnUrl,
    subscription: subscription && {
      plan: subscription.plan,
      status: subscription.status,
      currentPeriodEnd: new Date(subscription.periodEnd * 1000),
      cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    },
    cardDeclines: owner?.card.declines ?? false,
    creditCents: owner?.credit ?? 0,
    lastPayment: charge && {
      amountCents: charge.amount,
      at: new Date(charge.created * 1000),
      isRefunded: charge.amountRefunded > 0,
      isDisputed: charge.dispute === 'open',
    },
    actions: TEST_ACTIONS.filter((action) => can[action]),
  };
}

/** Which actions are possible in the current state. */
function possible(context: StripeContext, customer: string): Record<TestAction, boolean> {
  const subscription = newestSubscription(context, customer);
  const charge = newestCharge(context, customer);
  const runs = subscription !== null && subscription.status !== 'canceled';
  const isPaid = runs && subscription.status !== 'past_due';
  const isWhole = charge !== null && charge.amountRefunded === 0 && charge.dispute === 'none';
  const declines = context.state.customers[customer]?.card.declines ?? false;
  return {
    cancel: runs && !subscription.cancelAtPeriodEnd,
    resume: runs && subscription.cancelAtPeriodEnd,
    'switch-plan': isPaid && !subscription.cancelAtPeriodEnd,
    'new-card': runs && declines,
    'retry-payment': runs && openBill(context, subscription) !== null,
    'card-declines': runs && !declines,
    'card-expires': runs,
    'end-period': runs,
    refund: isWhole,
    dispute: isWhole,
    'win-dispute': charge?.dispute === 'open',
  };
}

/** The newest entry: ids don't sort by time, but insertion order does. */
function newest<T extends { customer: string }>(entries: Record<string, T>, customer: string): T | null {
  return Object.values(entries).findLast((entry) => entry.customer === customer) ?? null;
}

const newestSubscription = ({ state }: StripeContext, customer: string): TestSubscription | null =>
  newest(state.subscriptions, customer);

const newestCharge = ({ state }: StripeContext, customer: string): TestCharge | null =>
  newest(state.charges, customer);

/** What an action applies to; it is offered only if these exist. */
interface Parts {
  customer: TestCustomer;
  subscription: TestSubscription;
  charge: TestCharge;
}

type Action = (context: StripeContext, parts: Parts) => void;

const renewing =
  (cancelAtPeriodEnd: boolean): Action =>
  (context, { subscription }) => {
    subscription.cancelAtPeriodEnd = cancelAtPeriodEnd;
    tellUpdate(context, subscription, { cancel_at_period_end: !cancelAtPeriodEnd });
  };

const ACTIONS: Record<TestAction, Action> = {
  cancel: renewing(true),
  resume: renewing(false),
  'switch-plan': (context, { subscription }) => {
    const other = subscription.plan === 'monthly' ? 'yearly' : 'monthly';
    if (!changePlan(context, subscription, other, context.now))
      throw conflict('PAYMENT_REFUSED', 'The card was declined.');
  },
  'new-card': (context, { customer }) => {
    const expYear = new Date(context.now * 1000).getUTCFullYear() + 4;
    customer.card = { id: context.newId('pm'), declines: false, expMonth: 12, expYear };
    context.emit('payment_method.attached', paymentMethodObject(customer.id, customer.card));
  },
  'retry-payment': (context, { subscription }) => collect(context, subscription),
  'card-declines': (_scene, { customer }) => {
    customer.card.declines = true;
  },
  'card-expires': (context, { customer }) => {
    const today = new Date(context.now * 1000);
    Object.assign(customer.card, { expMonth: today.getUTCMonth() + 1, expYear: today.getUTCFullYear() });
    context.emit('customer.source.expiring', cardObject(customer.id, customer.card));
  },
  'end-period': (context, { subscription }) => endPeriod(context, subscription),
  refund: (context, { charge }) => {
    charge.amountRefunded = charge.amount;
    context.emit('charge.refunded', chargeObject(charge), { amount_refunded: 0, refunded: false });
  },
  dispute: (context, { charge }) => {
    charge.dispute = 'open';
    context.emit('charge.dispute.created', disputeObject(charge, 'needs_response'));
    context.emit('charge.dispute.funds_withdrawn', disputeObject(charge, 'needs_response'));
  },
  'win-dispute': (context, { charge }) => {
    charge.dispute = 'won';
    context.emit('charge.dispute.funds_reinstated', disputeObject(charge, 'won'));
    context.emit('charge.dispute.closed', disputeObject(charge, 'won'));
  },
};

/** Performs an action of the portal. The caller has checked that it is possible. */
function performAction(context: StripeContext, customerId: string, action: TestAction): void {
  const parts: Partial<Parts> = {
    customer: context.state.customers[customerId],
    subscription: newestSubscription(context, customerId) ?? undefined,
    charge: newestCharge(context, customerId) ?? undefined,
  };
  ACTIONS[action](context, parts as Parts);
}

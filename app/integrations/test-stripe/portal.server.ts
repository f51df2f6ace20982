import { TEST_ACTIONS, type TestAction } from '#app/domain/billing/test-actions.ts';
import type { TestPortalView } from './controls.server.ts';
import { openBill } from './invoices.server.ts';
import type { Scene } from './context.server.ts';
import type { TestCharge, TestPortal, TestSubscription } from './state.server.ts';

/** The newest of some entries: ids do not sort by time, insertion does. */
function newest<T extends { customer: string }>(entries: Record<string, T>, customer: string): T | null {
  return Object.values(entries).findLast((entry) => entry.customer === customer) ?? null;
}

export const newestSubscription = ({ world }: Scene, customer: string): TestSubscription | null =>
  newest(world.subscriptions, customer);

export const newestCharge = ({ world }: Scene, customer: string): TestCharge | null =>
  newest(world.charges, customer);

/** Which actions mean something, by what there is. */
function possible(scene: Scene, customer: string): Record<TestAction, boolean> {
  const subscription = newestSubscription(scene, customer);
  const charge = newestCharge(scene, customer);
  const runs = subscription !== null && subscription.status !== 'canceled';
  const isPaid = runs && subscription.status !== 'past_due';
  const isWhole = charge !== null && charge.amountRefunded === 0 && charge.dispute === 'none';
  const declines = scene.world.customers[customer]?.card.declines ?? false;
  return {
    cancel: runs && !subscription.cancelAtPeriodEnd,
    resume: runs && subscription.cancelAtPeriodEnd,
    'switch-plan': isPaid && !subscription.cancelAtPeriodEnd,
    'new-card': runs && declines,
    'retry-payment': runs && openBill(scene, subscription) !== null,
    'card-declines': runs && !declines,
    'card-expires': runs,
    'end-period': runs,
    refund: isWhole,
    dispute: isWhole,
    'win-dispute': charge?.dispute === 'open',
  };
}

/** What the portal's page shows. */
export function portalView(scene: Scene, portal: TestPortal): TestPortalView {
  const { customer } = portal;
  const subscription = newestSubscription(scene, customer);
  const charge = newestCharge(scene, customer);
  const owner = scene.world.customers[customer];
  const can = possible(scene, customer);
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

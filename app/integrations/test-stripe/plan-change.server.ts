import type { Plan } from '#app/domain/billing/paid-plan.ts';
import { PRICE_CENTS } from '#app/domain/billing/plan-constants.ts';
import { afterCredit, attemptPayment, writeBill } from './invoices.server.ts';
import { periodAfter, tellUpdate } from './subscription-life.server.ts';
import type { Scene } from './context.server.ts';
import type { TestSubscription } from './state.server.ts';

/** What a change of plan costs at an instant. */
export interface PlanChangeCost {
  /** Bill at once; below zero it becomes credit. US cents. */
  total: number;
  amountDue: number;
  /** Credit that is left afterwards. */
  credit: number;
  /** Of the new plan. */
  periodStart: number;
  periodEnd: number;
}

/** What is paid and not used yet, by the second, as Stripe counts it. */
function unused({ plan, periodStart, periodEnd }: TestSubscription, at: number): number {
  const share = (periodEnd - at) / (periodEnd - periodStart);
  return Math.round(PRICE_CENTS[plan] * Math.min(1, Math.max(0, share)));
}

/** The cost of a change: another period begins at once, and what is unused of the old one is given back. */
export function planChangeCost(
  scene: Scene,
  subscription: TestSubscription,
  plan: Plan,
  at: number,
): PlanChangeCost {
  const credit = scene.world.customers[subscription.customer]?.credit ?? 0;
  if (subscription.status === 'trialing' || plan === subscription.plan) {
    const { periodStart, periodEnd } = subscription;
    return { total: 0, amountDue: 0, credit, periodStart, periodEnd };
  }
  const total = PRICE_CENTS[plan] - unused(subscription, at);
  return { total, ...afterCredit(total, credit), periodStart: at, periodEnd: periodAfter(at, plan) };
}

/**
 * Changes the plan and charges the difference.
 * @returns false when the card declines: nothing has changed then
 */
export function changePlan(scene: Scene, subscription: TestSubscription, plan: Plan, at: number): boolean {
  const cost = planChangeCost(scene, subscription, plan, at);
  const declines = scene.world.customers[subscription.customer]?.card.declines ?? false;
  if (cost.amountDue > 0 && declines) return false;
  const before = { items: { data: [{ price: { id: `price_test_${subscription.plan}` } }] } };
  subscription.plan = plan;
  subscription.periodStart = cost.periodStart;
  subscription.periodEnd = cost.periodEnd;
  if (cost.total !== 0) attemptPayment(scene, subscription, writeBill(scene, subscription, cost.total));
  tellUpdate(scene, subscription, before);
  return true;
}

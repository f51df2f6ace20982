import { PRICE_CENTS } from '#app/domain/billing/plan-constants.ts';
import { afterCredit } from './invoices.server.ts';
import { numberAt, textAt } from './form-body.server.ts';
import { periodAfter } from './subscription-life.server.ts';
import { planChangeCost } from './plan-change.server.ts';
import { customerFor, planFor, subscriptionFor, type Call } from './requests.server.ts';

function line(start: number, end: number, proration: boolean) {
  return {
    object: 'line_item',
    period: { start, end },
    parent: { subscription_item_details: { proration } },
  };
}

/** A bill that is not written: of a change of plan, or of the next renewal. */
export function previewObject(call: Call) {
  const { scene, body } = call;
  const subscription = subscriptionFor(call, textAt(body, 'subscription'));
  const { credit } = customerFor(call, subscription.customer);
  const plan = planFor(call, 'subscription_details', 'items');
  const { periodStart, periodEnd } = subscription;
  const base = { object: 'invoice', currency: 'usd', customer: subscription.customer };
  if (plan === null) {
    const total = PRICE_CENTS[subscription.plan];
    const lines = [line(periodEnd, periodAfter(periodEnd, subscription.plan), false)];
    return { ...base, total, amount_due: afterCredit(total, credit).amountDue, lines: { data: lines } };
  }
  const at = numberAt(body, 'subscription_details', 'proration_date') ?? scene.now;
  const cost = planChangeCost(scene, subscription, plan, at);
  const lines = [line(periodStart, periodEnd, true), line(cost.periodStart, cost.periodEnd, false)];
  return { ...base, total: cost.total, amount_due: cost.amountDue, lines: { data: lines } };
}

import type { Stripe } from 'stripe';
import { subscriptionSnapshot } from '#app/domain/billing/subscription-snapshot.ts';
import type { Plan } from '#app/domain/billing/paid-plan.ts';
import { AppError } from '#app/domain/errors.ts';
import type { NextCharge, Payments, PlanChangePreview } from './payments.server.ts';
import { priceData, priceId, type PriceSettings } from './prices.server.ts';

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
const instant = (unix: number) => new Date(unix * 1000);

/** The one line of a subscription, which is what a change of plan changes. */
function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw new AppError('CONFLICT', 'This subscription has nothing to change.');
  return item;
}

function changedItem(item: Stripe.SubscriptionItem, plan: Plan, settings: PriceSettings) {
  const price = priceId(plan, settings);
  if (price !== undefined) return { id: item.id, price };
  const product = typeof item.price.product === 'string' ? item.price.product : item.price.product.id;
  return { id: item.id, price_data: { ...priceData(plan), product } };
}

/** When the period ends that a bill is for: that of its lines which are no settlement of the old plan. */
function periodEnd(invoice: Stripe.Invoice): Date | null {
  const lines = invoice.lines.data.filter(
    ({ parent }) => parent?.subscription_item_details?.proration !== true,
  );
  const end = Math.max(0, ...lines.map(({ period }) => period.end));
  return end === 0 ? null : instant(end);
}

type PlanCalls = Pick<Payments, 'previewPlanChange' | 'changePlan' | 'nextCharge'>;

/** Changes of plan, with what they cost told beforehand by Stripe itself. */
export function planChanges(stripe: Stripe, settings: PriceSettings, now: () => Date): PlanCalls {
  async function previewPlanChange(subscriptionId: string, plan: Plan): Promise<PlanChangePreview> {
    const item = itemOf(await stripe.subscriptions.retrieve(subscriptionId));
    const asOf = seconds(now());
    const invoice = await stripe.invoices.createPreview({
      subscription: subscriptionId,
      subscription_details: {
        items: [changedItem(item, plan, settings)],
        proration_behavior: 'always_invoice',
        proration_date: asOf,
      },
    });
    return {
      plan,
      dueNowCents: invoice.amount_due,
      creditCents: Math.max(0, -invoice.total),
      nextChargeAt: periodEnd(invoice),
      asOf: instant(asOf),
    };
  }

  async function changePlan(subscriptionId: string, { plan, asOf }: PlanChangePreview) {
    const item = itemOf(await stripe.subscriptions.retrieve(subscriptionId));
    const changed = await stripe.subscriptions.update(
      subscriptionId,
      {
        items: [changedItem(item, plan, settings)],
        proration_behavior: 'always_invoice',
        proration_date: seconds(asOf),
        // A declined card leaves the old plan as it was, instead of a new one unpaid.
        payment_behavior: 'error_if_incomplete',
      },
      { idempotencyKey: `plan:${subscriptionId}:${plan}:${seconds(asOf)}` },
    );
    return subscriptionSnapshot(changed);
  }

  async function nextCharge(subscriptionId: string): Promise<NextCharge | null> {
    const snapshot = subscriptionSnapshot(await stripe.subscriptions.retrieve(subscriptionId));
    if (snapshot.cancelAt !== null || snapshot.status === 'canceled') return null;
    const invoice = await stripe.invoices.createPreview({ subscription: subscriptionId });
    return { amountCents: invoice.amount_due, at: snapshot.currentPeriodEnd };
  }

  return { previewPlanChange, changePlan, nextCharge };
}

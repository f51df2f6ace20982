import { billingView } from '#app/domain/billing/billing-state.ts';
import type { Plan } from '#app/domain/billing/plans.ts';
import { AppError } from '#app/domain/errors.ts';
import {
  BILLING_MESSAGES,
  changePlanSchema,
  type ChangePlanInput,
} from '#app/domain/billing/billing-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { PlanChangePreview } from '#app/integrations/payments.server.ts';
import type { UserRecord } from '#models/index.server.ts';
import { settleAnswer } from './billing-state.server.ts';
import { payingUser } from './billing.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** A price that was shown may be agreed to for this long. */
const PREVIEW_MS = 15 * 60_000;

/** The subscription whose plan may change: one that is paid and goes on. @throws AppError CONFLICT */
async function changeable(ctx: Ctx, user: UserRecord): Promise<{ subscriptionId: string; plan: Plan }> {
  const view = billingView((await ctx.repos.billing.find(user.id)).state);
  const { subscriptionId, plan, billingStatus, cancelAtPeriodEnd } = view;
  if (subscriptionId === null || plan === null || billingStatus !== 'active' || cancelAtPeriodEnd)
    throw new AppError('CONFLICT', BILLING_MESSAGES.notChangeable);
  return { subscriptionId, plan };
}

/**
 * What it costs the signed-in user to change to the other plan now, as the provider works it out.
 * @throws AppError CONFLICT when nothing can be changed, NOT_CONFIGURED, PROVIDER_UNAVAILABLE
 */
export async function previewPlanChange(ctx: Ctx): Promise<PlanChangePreview> {
  const user = await payingUser(ctx, 'billing.manage');
  const { subscriptionId, plan } = await changeable(ctx, user);
  return ctx.payments.previewPlanChange(subscriptionId, plan === 'monthly' ? 'yearly' : 'monthly');
}

/**
 * Changes the signed-in user's plan at the price that was shown.
 * @throws AppError INVALID_INPUT, CONFLICT when nothing can be changed, the price is too old or the card declines,
 * NOT_CONFIGURED, PROVIDER_UNAVAILABLE
 */
export async function changePlan(ctx: Ctx, input: ChangePlanInput): Promise<void> {
  const user = await payingUser(ctx, 'billing.manage');
  const { plan, asOf } = parseInput(changePlanSchema, input);
  const { subscriptionId, plan: current } = await changeable(ctx, user);
  if (plan === current) throw new AppError('CONFLICT', BILLING_MESSAGES.samePlan);
  const age = ctx.now().getTime() - asOf.getTime();
  if (age < 0 || age > PREVIEW_MS) throw new AppError('CONFLICT', BILLING_MESSAGES.stalePreview);
  const preview = { plan, asOf, dueNowCents: 0, creditCents: 0, nextChargeAt: null };
  await settleAnswer(ctx, user, await ctx.payments.changePlan(subscriptionId, preview));
}

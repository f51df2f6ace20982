import { firstChargeAt } from '#app/domain/billing/charge-dates.ts';
import { liveSubscriptionIds } from '#app/domain/billing/billing-state.ts';
import type { Plan } from '#app/domain/billing/plans.ts';
import { AppError, isAppError } from '#app/domain/errors.ts';
import { BILLING_MESSAGES, checkoutSchema, type CheckoutInput } from '#app/domain/billing/billing-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { UserRecord } from '#models/index.server.ts';
import { authoriseUser, type Action } from '#app/platform/access/authorise.server.ts';
import { withCustomer } from './customers.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';

/** Two requests within this time, with nothing told by the provider between them, open one checkout. */
const ONE_CHECKOUT_MS = 10 * 60_000;

/**
 * The signed-in user's account, where there is somebody to pay.
 * @throws AppError UNAUTHENTICATED, NOT_CONFIGURED, NOT_FOUND
 */
export async function payingUser(ctx: Ctx, action: Action): Promise<UserRecord> {
  const { id } = authoriseUser(ctx.actor, action);
  if (ctx.payments.mode === 'off') throw new AppError('NOT_CONFIGURED', BILLING_MESSAGES.off);
  const user = await ctx.repos.users.findById(id);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return user;
}

function checkoutKey(ctx: Ctx, userId: string, plan: Plan, version: number): string {
  const window = Math.floor(ctx.now().getTime() / ONE_CHECKOUT_MS);
  return `checkout:${userId}:${plan}:${version}:${window}`;
}

/**
 * Opens a checkout for the signed-in user. Nothing is theirs before the provider tells that it was paid.
 * @returns where to send the browser
 * @throws AppError INVALID_INPUT, CONFLICT when there is a subscription already, NOT_CONFIGURED, RATE_LIMITED,
 * PROVIDER_UNAVAILABLE
 */
export async function startCheckout(ctx: Ctx, input: CheckoutInput): Promise<{ url: string }> {
  const user = await payingUser(ctx, 'billing.buy');
  const { plan } = parseInput(checkoutSchema, input);
  const { state, version } = await ctx.repos.billing.find(user.id);
  if (liveSubscriptionIds(state).length > 0) throw new AppError('CONFLICT', BILLING_MESSAGES.subscribed);
  await ctx.throttle.take({ rule: THROTTLE_RULES.checkout, who: user.id });
  const request = {
    plan,
    userId: user.id,
    firstChargeAt: firstChargeAt(user, ctx.now()),
    successUrl: `${ctx.appUrl}/upgrade/return`,
    cancelUrl: `${ctx.appUrl}/upgrade`,
    idempotencyKey: checkoutKey(ctx, user.id, plan, version),
  };
  const { url } = await withCustomer(ctx, user, (customerId) =>
    ctx.payments.createCheckoutSession({ ...request, customerId }),
  );
  return { url };
}

/**
 * Opens the provider's own page for the signed-in user: card, bills, plan, cancellation.
 * @returns where to send the browser
 * @throws AppError CONFLICT when they never bought anything, NOT_CONFIGURED, RATE_LIMITED, PROVIDER_UNAVAILABLE
 */
export async function openPortal(ctx: Ctx): Promise<{ url: string }> {
  const user = await payingUser(ctx, 'billing.manage');
  const { stripeCustomerId: customerId } = user;
  if (customerId === null) throw new AppError('CONFLICT', BILLING_MESSAGES.noSubscription);
  await ctx.throttle.take({ rule: THROTTLE_RULES.checkout, who: user.id });
  try {
    return await ctx.payments.createPortalSession({ customerId, returnUrl: `${ctx.appUrl}/upgrade` });
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
    throw new AppError('CONFLICT', BILLING_MESSAGES.noSubscription, { cause: error });
  }
}

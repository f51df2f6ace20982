import { closeSubscriptions, subscriptionsToCancel } from '#app/domain/billing/reduce-events.ts';
import type { BillingState } from '#app/domain/billing/billing-state.ts';
import type { SubscriptionSnapshot } from '#app/domain/billing/billing-event.ts';
import { isAppError } from '#app/domain/errors.ts';
import type { UserRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { changeBilling, applyProviderAnswer, applyBillingEffects } from './billing-state.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { endAllCredit } from '#app/features/referrals/index.server.ts';

/** The provider's answer to the cancellation; a subscription it no longer knows counts as cancelled. */
async function cancelled(ctx: Ctx, fact: SubscriptionSnapshot): Promise<SubscriptionSnapshot> {
  try {
    return await ctx.payments.cancelNow(fact.id);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
    return { ...fact, status: 'canceled' };
  }
}

/**
 * Cancels at the provider what we have ended. When the provider does not answer, the subscriptions stay ended here, and
 * {@link cancelClosedSubscriptions} tries again.
 */
export async function cancelClosed(ctx: Ctx, user: UserRecord, state: BillingState): Promise<void> {
  const waiting = new Set(subscriptionsToCancel(state));
  for (const fact of state.subscriptions.filter(({ id }) => waiting.has(id))) {
    try {
      await applyProviderAnswer(ctx, user, await cancelled(ctx, fact));
    } catch (error) {
      if (!isAppError(error)) throw error;
      ctx.log.warn({ userId: user.id, code: error.code }, 'a subscription waits to be cancelled');
    }
  }
}

/**
 * Ends all subscriptions of an account at once, here and at the provider, without a refund.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for anybody but administrators and the terminal
 */
export async function endSubscriptions(ctx: Ctx, userId: string): Promise<void> {
  authorise(ctx.actor, 'billing.end');
  const user = await ctx.repos.users.find(userId);
  if (user === null) return;
  const change = await changeBilling(ctx, userId, (state) => closeSubscriptions(state, ctx.now()));
  await applyBillingEffects(ctx, user, change);
  await cancelClosed(ctx, user, change.after);
}

/**
 * Ends everything that makes an account premium: grant, trial, credit and subscription.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for anybody but administrators and the terminal
 */
export async function endPremium(ctx: Ctx, userId: string): Promise<void> {
  await endSubscriptions(ctx, userId);
  await endAllCredit(ctx, userId);
  await ctx.repos.users.endFreePremium(userId, ctx.now());
}

const BATCH = 20;

/**
 * Cancels at the provider what could not be cancelled when it was ended. A job; concurrent runs are harmless.
 * @returns how many accounts were looked at
 */
export async function cancelClosedSubscriptions(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'billing.cancel-closed');
  const userIds = await ctx.repos.billing.findToCancel(ctx.now(), BATCH);
  for (const userId of userIds) {
    const user = await ctx.repos.users.find(userId);
    if (user !== null) await cancelClosed(ctx, user, (await ctx.repos.billing.find(userId)).state);
  }
  return userIds.length;
}

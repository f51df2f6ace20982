import { billingView, type BillingState } from '#app/domain/billing/billing-state.ts';
import { shiftedRenewal } from '#app/domain/billing/charge-dates.ts';
import { isAppError } from '#app/domain/errors.ts';
import { REFERRAL_CREDIT_DAYS } from '#app/domain/referrals/referral.ts';
import type { RenewalShiftRecord, UserRecord } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { applyProviderAnswer, changeBilling, applyBillingEffects } from './billing-state.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { type ReferralCredit, endAllCredit } from '#app/features/referrals/index.server.ts';
import { closeSubscriptions, subscriptionsToCancel } from '#app/domain/billing/reduce-events.ts';
import type { SubscriptionSnapshot } from '#app/domain/billing/billing-event.ts';

// What we change at the payment provider by ourselves: it happens here at once, and there as soon as the provider answers.

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

const ACCOUNTS_AT_ONCE = 20;

/**
 * Cancels at the provider what could not be cancelled when it was ended. A job; concurrent runs are harmless.
 * @returns how many accounts were looked at
 */
export async function cancelClosedSubscriptions(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'billing.cancel-closed');
  const userIds = await ctx.repos.billing.findToCancel(ctx.now(), ACCOUNTS_AT_ONCE);
  for (const userId of userIds) {
    const user = await ctx.repos.users.find(userId);
    if (user !== null) await cancelClosed(ctx, user, (await ctx.repos.billing.find(userId)).state);
  }
  return userIds.length;
}

const granted = (grantId: string) => `${grantId}:granted`;

/** Days to move by; 0 for revoked credit that moved nothing when it was granted. */
async function daysOf(ctx: Ctx, { userId, change, grantId }: ReferralCredit): Promise<number> {
  if (change === 'granted') return REFERRAL_CREDIT_DAYS;
  const given = await ctx.repos.renewalShifts.find(userId, granted(grantId));
  return given?.until ? -REFERRAL_CREDIT_DAYS : 0;
}

/** Records by how much the charges of accounts whose credit changed will move. */
export async function askForShifts(ctx: Ctx, credits: readonly ReferralCredit[]): Promise<void> {
  for (const credit of credits) {
    const days = await daysOf(ctx, credit);
    const shiftId = credit.change === 'granted' ? granted(credit.grantId) : `${credit.grantId}:taken-back`;
    if (days !== 0) await ctx.repos.renewalShifts.ask(credit.userId, { shiftId, days }, ctx.now());
  }
}

async function carryOut(ctx: Ctx, user: UserRecord, shift: RenewalShiftRecord): Promise<void> {
  const { renewalShifts, billing } = ctx.repos;
  const { shiftId, days } = shift;
  const verdict = shiftedRenewal(billingView((await billing.find(user.id)).state), days, ctx.now());
  if (verdict.kind === 'wait') return renewalShifts.markTried(user.id, shiftId, ctx.now());
  const planned = verdict.kind === 'move' ? await renewalShifts.plan(user.id, shiftId, verdict) : null;
  const { subscriptionId = null, until = null } = planned ?? {};
  if (subscriptionId === null || until === null) return renewalShifts.markDone(user.id, shiftId, ctx.now());
  const idempotencyKey = `credit:${user.id}:${shiftId}`;
  const answer = await ctx.payments.postponeRenewal({ subscriptionId, until, idempotencyKey });
  await renewalShifts.markDone(user.id, shiftId, ctx.now());
  await applyProviderAnswer(ctx, user, answer);
}

/**
 * Moves an account's next charge by the credit it was granted while paying, so that no day is paid twice. What the
 * provider refuses or does not answer is tried again by {@link shiftRenewals}.
 */
export async function carryOutShifts(ctx: Ctx, userId: string): Promise<void> {
  const open = await ctx.repos.renewalShifts.listOpen(userId);
  const user = open.length === 0 ? null : await ctx.repos.users.find(userId);
  if (user === null) return;
  for (const shift of open) {
    try {
      await carryOut(ctx, user, shift);
    } catch (error) {
      if (!isAppError(error)) throw error;
      ctx.log.warn({ userId, code: error.code }, 'a renewal waits to be moved');
      await ctx.repos.renewalShifts.markTried(userId, shift.shiftId, ctx.now());
    }
  }
}

const OWNERS_AT_ONCE = 20;

/**
 * Tries again to move the charges that could not be moved. A job; concurrent runs are harmless, since each attempt asks
 * the provider for the same day.
 */
export async function shiftRenewals(ctx: Ctx): Promise<void> {
  authorise(ctx.actor, 'billing.shift-renewals');
  const owners = await ctx.repos.renewalShifts.findOwnersOfOpen(ctx.now(), OWNERS_AT_ONCE);
  for (const userId of owners) await carryOutShifts(ctx, userId);
}

import { isDeepStrictEqual } from 'node:util';
import {
  accountStatus,
  billingNotice,
  type BillingNotice,
  billingView,
  type BillingView,
  type BillingState,
  issuesOf,
  shiftedRenewal,
} from '#app/domain/billing/billing-state.ts';
import type { BillingEvent, SubscriptionSnapshot } from '#app/domain/billing/billing-event.ts';
import {
  cancellationScheduledMail,
  cardExpiringMail,
  paymentFailedMail,
  paymentRecoveredMail,
  subscriptionEndedMail,
  subscriptionStartedMail,
} from '#app/domain/billing/billing-mails.ts';
import type { MailText } from '#app/domain/mail/letter.ts';
import { graceEndsAt, PRICE_CENTS } from '#app/domain/billing/plans.ts';
import { afterCommit, type UserRecord, type RenewalShiftRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  closeSubscriptions,
  subscriptionsToCancel,
  withSubscription,
} from '#app/domain/billing/reduce-events.ts';
import { compareAndSet, LOST } from '#app/platform/compare-and-set.server.ts';
import { isAppError } from '#app/domain/errors.ts';
import { REFERRAL_CREDIT_DAYS } from '#app/domain/referrals/referral.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { type ReferralCredit, endAllCredit } from '#app/features/referrals/index.server.ts';
import { repos } from './repositories.server.ts';

const BUSY = 'Your subscription is being updated. Please try again in a moment.';

/**
 * Asks the provider about a subscription and acts on its answer, in one transaction. The provider is asked outside of it,
 * and again if the account's billing has changed meanwhile, so that an older answer never replaces a newer one.
 * @param ask returns null when there is nothing to ask
 * @param act may be called more than once
 * @throws what `ask` and `act` throw; AppError CONFLICT when other changes keep coming in between
 */
export async function actOnReport<Report extends SubscriptionSnapshot | null>(
  ctx: Ctx,
  userId: string,
  ask: () => Promise<Report>,
  act: (report: Report) => Promise<void>,
): Promise<void> {
  await compareAndSet(async () => {
    const { version } = await repos(ctx).billing.find(userId);
    const report = await ask();
    return ctx.transaction(async () => {
      const isCurrent = report === null || (await repos(ctx).billing.find(userId)).version === version;
      return isCurrent ? act(report) : LOST;
    });
  }, BUSY);
}

/**
 * Changes an account's billing, and with it the status on the account, its billing issues, and the mails to its owner: all
 * or nothing.
 * @param event the cause of the change, if there was one
 * @returns the billing afterwards; null when there is no such account
 */
export async function changeBilling(
  ctx: Ctx,
  userId: string,
  change: (state: BillingState) => BillingState,
  event?: BillingEvent,
): Promise<BillingState | null> {
  const { users, billing, billingIssues } = repos(ctx);
  return ctx.transaction(async () => {
    const user = await users.find(userId);
    if (user === null) return null;
    const { state: before, version } = await billing.find(userId);
    const changed = change(before);
    // A purchase completed after the account was suspended must not be charged again.
    const after = user.suspendedAt === null ? changed : closeSubscriptions(changed, user.suspendedAt);
    if (version === 0 && isDeepStrictEqual(before, after)) return after;
    await billing.replace(userId, { state: after, version }, ctx.now());
    await users.setBilling(userId, accountStatus(after));
    await billingIssues.record(userId, issuesOf(after));
    await sendBillingMails(ctx, user, { before, after }, event);
    return after;
  });
}

/** Stores a subscription as the provider reports it after one of our calls has changed it. @param ask calls the provider */
export async function storeReport(
  ctx: Ctx,
  userId: string,
  ask: () => Promise<SubscriptionSnapshot>,
): Promise<void> {
  await actOnReport(ctx, userId, ask, async (report) => {
    await changeBilling(ctx, userId, (state) => withSubscription(state, report));
  });
}

interface MailFacts {
  appUrl: string;
  timeZone: string;
  now: Date;
  view: BillingView;
}

const MAILS: Record<BillingNotice, (facts: MailFacts) => MailText> = {
  'subscription-started': ({ view, now, ...site }) =>
    subscriptionStartedMail({ ...site, plan: view.plan ?? 'monthly', at: view.currentPeriodEnd ?? now }),
  'payment-failed': (facts) =>
    paymentFailedMail({
      ...facts,
      amountCents: facts.view.dueCents || PRICE_CENTS[facts.view.plan ?? 'monthly'],
      at: graceEndsAt(facts.view.pastDueSince ?? facts.now),
    }),
  'payment-recovered': (site) => paymentRecoveredMail(site),
  'cancellation-scheduled': ({ view, now, ...site }) =>
    cancellationScheduledMail({ ...site, at: view.endsAt ?? now }),
  'subscription-ended': (site) => subscriptionEndedMail(site),
};

/** Mails an account's owner about a change of their billing. */
async function sendBillingMails(
  ctx: Ctx,
  user: UserRecord,
  { before, after }: { before: BillingState; after: BillingState },
  event?: BillingEvent,
): Promise<void> {
  const { appUrl, mailQueue } = ctx;
  const view = billingView(after);
  const notice = billingNotice(billingView(before), view);
  const facts = { appUrl, timeZone: user.timeZone, now: ctx.now(), view };
  if (notice !== null) await mailQueue.post(user.email, MAILS[notice](facts));
  if (event?.kind === 'card-expiring')
    await mailQueue.post(user.email, cardExpiringMail({ appUrl, ...event.card }));
}

// The changes below are ours: they take effect here at once, and at the payment provider as soon as it answers.

/** Cancels a subscription at the provider. One that it no longer knows counts as cancelled. */
async function cancelled(ctx: Ctx, fact: SubscriptionSnapshot): Promise<SubscriptionSnapshot> {
  try {
    await ctx.payments.cancelNow(fact.id);
    return await ctx.payments.getSubscription(fact.id);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
    return { ...fact, status: 'canceled' };
  }
}

/**
 * Cancels the subscriptions we ended at the provider. If it does not answer, they stay ended here and
 * {@link cancelClosedSubscriptions} tries again.
 */
export async function cancelClosed(ctx: Ctx, userId: string, state: BillingState): Promise<void> {
  const waiting = new Set(subscriptionsToCancel(state));
  for (const fact of state.subscriptions.filter(({ id }) => waiting.has(id))) {
    try {
      await storeReport(ctx, userId, () => cancelled(ctx, fact));
    } catch (error) {
      if (!isAppError(error)) throw error;
      ctx.log.warn({ userId, code: error.code }, 'a subscription waits to be cancelled');
    }
  }
}

/**
 * Ends all subscriptions of an account at once, here and, once that is committed, at the provider, without a refund.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for anybody but administrators and the terminal
 */
export async function endSubscriptions(
  ctx: Ctx,
  userId: string,
  reason?: 'canceled' | 'downgraded',
): Promise<void> {
  authorise(ctx.actor, 'billing.end');
  await ctx.transaction(async () => {
    const after = await changeBilling(ctx, userId, (state) => closeSubscriptions(state, ctx.now(), reason));
    if (after !== null) await afterCommit(() => cancelClosed(ctx, userId, after));
  });
}

/**
 * An administrator's downgrade: ends everything that makes an account premium, which is grant, trial, credit and subscription.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for anybody but administrators and the terminal
 */
export async function endPremium(ctx: Ctx, userId: string): Promise<void> {
  await ctx.transaction(async () => {
    await endSubscriptions(ctx, userId, 'downgraded');
    await endAllCredit(ctx, userId);
    await repos(ctx).users.endFreePremium(userId, ctx.now());
  });
}

const ACCOUNTS_AT_ONCE = 20;

/**
 * Retries cancellations at the provider that failed before. A job; concurrent runs are harmless.
 * @returns how many accounts were processed
 */
export async function cancelClosedSubscriptions(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'billing.cancel-closed');
  const userIds = await repos(ctx).billing.findToCancel(ctx.now(), ACCOUNTS_AT_ONCE);
  for (const userId of userIds)
    await cancelClosed(ctx, userId, (await repos(ctx).billing.find(userId)).state);
  return userIds.length;
}

const granted = (grantId: string) => `${grantId}:granted`;

/**
 * Records by how much the next charges of accounts whose credit has changed will move, in the transaction that changes it.
 * Credit that is taken back before it has moved anything never does.
 */
export async function askForShifts(ctx: Ctx, credits: readonly ReferralCredit[]): Promise<void> {
  const { renewalShifts } = repos(ctx);
  const now = ctx.now();
  for (const { userId, change, grantId } of credits) {
    if (change === 'granted') {
      await renewalShifts.ask(userId, { shiftId: granted(grantId), days: REFERRAL_CREDIT_DAYS }, now);
      continue;
    }
    const grantShift = await renewalShifts.find(userId, granted(grantId));
    const shift = { shiftId: `${grantId}:taken-back`, days: -REFERRAL_CREDIT_DAYS };
    if (grantShift?.until) await renewalShifts.ask(userId, shift, now);
    else if (grantShift !== null) await renewalShifts.markDone(userId, grantShift.shiftId, now);
  }
}

/** One step towards moving a charge: the day is decided and stored, then asked for, then the provider's answer is stored. */
async function carryOut(ctx: Ctx, userId: string, shift: RenewalShiftRecord): Promise<void> {
  const { renewalShifts, billing } = repos(ctx);
  const { shiftId, days } = shift;
  const verdict = shiftedRenewal(billingView((await billing.find(userId)).state), days, ctx.now());
  if (verdict.kind === 'wait') return renewalShifts.markTried(userId, shiftId, ctx.now());
  const planned = verdict.kind === 'move' ? await renewalShifts.plan(userId, shiftId, verdict) : null;
  const { subscriptionId = null, until = null } = planned ?? {};
  if (subscriptionId === null || until === null) return renewalShifts.markDone(userId, shiftId, ctx.now());
  const idempotencyKey = `credit:${userId}:${shiftId}`;
  await ctx.payments.postponeRenewal({ subscriptionId, until, idempotencyKey });
  const ask = () => ctx.payments.getSubscription(subscriptionId);
  await actOnReport(ctx, userId, ask, async (report) => {
    await renewalShifts.markDone(userId, shiftId, ctx.now());
    await changeBilling(ctx, userId, (state) => withSubscription(state, report));
  });
}

/**
 * Moves an account's next charge by the credit it was granted while paying, so that no day is paid twice. If the provider
 * refuses or does not answer, {@link shiftRenewals} tries again.
 */
export async function carryOutShifts(ctx: Ctx, userId: string): Promise<void> {
  for (const shift of await repos(ctx).renewalShifts.listOpen(userId)) {
    try {
      await carryOut(ctx, userId, shift);
    } catch (error) {
      if (!isAppError(error)) throw error;
      ctx.log.warn({ userId, code: error.code }, 'a renewal waits to be moved');
      await repos(ctx).renewalShifts.markTried(userId, shift.shiftId, ctx.now());
    }
  }
}

const OWNERS_AT_ONCE = 20;

/**
 * Retries charges that could not be moved. A job; concurrent runs are harmless, since every attempt requests the same day.
 */
export async function shiftRenewals(ctx: Ctx): Promise<void> {
  authorise(ctx.actor, 'billing.shift-renewals');
  const owners = await repos(ctx).renewalShifts.findOwnersOfOpen(ctx.now(), OWNERS_AT_ONCE);
  for (const userId of owners) await carryOutShifts(ctx, userId);
}

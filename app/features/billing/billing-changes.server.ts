import { isDeepStrictEqual } from 'node:util';
import {
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
import { SECOND_MS } from '#app/domain/time/calendar.ts';
import { afterCommit, type UserRecord, type RenewalShiftRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  readEvent,
  reduceBilling,
  closeSubscriptions,
  subscriptionsToCancel,
} from '#app/domain/billing/reduce-events.ts';
import { compareAndSet, LOST } from '#app/platform/compare-and-set.server.ts';
import { isAppError } from '#app/domain/errors.ts';
import { REFERRAL_CREDIT_DAYS } from '#app/domain/referrals/referral.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { type ReferralCredit, endAllCredit } from '#app/features/referrals/index.server.ts';

/** An account's billing before and after a change. */
interface BillingChange {
  before: BillingState;
  after: BillingState;
  /** Version of `after`; 0 while nothing is known. */
  version: number;
  /** False when there was nothing to change. */
  isChanged: boolean;
}

/**
 * Changes an account's billing state. Concurrent changes all take effect.
 * @param change computes the next state; may be called more than once
 * @throws AppError CONFLICT when concurrent changes keep winning
 */
export async function changeBilling(
  ctx: Ctx,
  userId: string,
  change: (state: BillingState) => BillingState | Promise<BillingState>,
): Promise<BillingChange> {
  return compareAndSet<BillingChange>(async () => {
    const { state: before, version } = await ctx.repos.billing.find(userId);
    const after = await change(before);
    if (isDeepStrictEqual(before, after)) return { before, after, version, isChanged: false };
    const next = await ctx.repos.billing.replace(userId, version, after, ctx.now());
    return next === null ? LOST : { before, after, version: next, isChanged: true };
  }, 'Your subscription is being updated. Please try again in a moment.');
}

/**
 * Applies the effects of an account's billing state: the status on the account, its billing issues, and mails to its
 * owner. Safe to repeat, because everything but the mails depends on the state alone.
 * @param event the cause of the change, if there was one
 */
export async function applyBillingEffects(
  ctx: Ctx,
  user: UserRecord,
  change: BillingChange,
  event?: BillingEvent,
): Promise<void> {
  const { after, version, isChanged } = change;
  const { billingStatus, pastDueSince } = billingView(after);
  if (version > 0) await ctx.repos.users.setBilling(user.id, { billingStatus, pastDueSince, version });
  for (const issue of issuesOf(after)) await ctx.repos.billingIssues.record(user.id, issue, version);
  if (isChanged) await sendBillingMails(ctx, user, change, event);
}

/**
 * Applies the provider's answer to one of our calls. It counts as newer than every earlier event, whatever the clocks say,
 * since the provider's timestamps have whole seconds.
 */
export async function applyProviderAnswer(
  ctx: Ctx,
  user: UserRecord,
  snapshot: SubscriptionSnapshot,
): Promise<void> {
  const change = await changeBilling(ctx, user.id, (state) => {
    const readAt = Math.max(ctx.now().getTime(), (state.lastEventAt?.getTime() ?? 0) + SECOND_MS);
    return reduceBilling(state, readEvent(snapshot, new Date(readAt)));
  });
  await applyBillingEffects(ctx, user, change);
}

interface MailFacts {
  appUrl: string;
  timeZone: string;
  now: Date;
  state: BillingState;
  view: BillingView;
}

/** The amount that could not be charged, from the latest failure or else the plan's price. */
function failedCents({ state, view }: MailFacts): number {
  const failures = state.troubles.filter(({ type, openedAt }) => type === 'payment_failed' && openedAt);
  const newest = failures.sort((a, b) => (a.openedAt?.getTime() ?? 0) - (b.openedAt?.getTime() ?? 0)).at(-1);
  return newest?.amountCents ?? PRICE_CENTS[view.plan ?? 'monthly'];
}

const MAILS: Record<BillingNotice, (facts: MailFacts) => MailText> = {
  'subscription-started': ({ view, now, ...site }) =>
    subscriptionStartedMail({ ...site, plan: view.plan ?? 'monthly', at: view.currentPeriodEnd ?? now }),
  'payment-failed': (facts) =>
    paymentFailedMail({
      ...facts,
      amountCents: failedCents(facts),
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
  const facts = { appUrl, timeZone: user.timeZone, now: ctx.now(), state: after, view };
  if (notice !== null) await mailQueue.post(user.email, MAILS[notice](facts));
  if (event?.kind === 'card-expiring')
    await mailQueue.post(user.email, cardExpiringMail({ appUrl, ...event.card }));
}

// The changes below are ours: they take effect here at once, and at the payment provider as soon as it answers.

/** Cancels a subscription at the provider. One that it no longer knows counts as cancelled. */
async function cancelled(ctx: Ctx, fact: SubscriptionSnapshot): Promise<SubscriptionSnapshot> {
  try {
    return await ctx.payments.cancelNow(fact.id);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
    return { ...fact, status: 'canceled' };
  }
}

/**
 * Cancels the subscriptions we ended at the provider. If it does not answer, they stay ended here and
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
 * Ends all subscriptions of an account at once, here and, once that is committed, at the provider, without a refund.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN for anybody but administrators and the terminal
 */
export async function endSubscriptions(ctx: Ctx, userId: string): Promise<void> {
  authorise(ctx.actor, 'billing.end');
  const user = await ctx.repos.users.find(userId);
  if (user === null) return;
  const change = await changeBilling(ctx, userId, (state) => closeSubscriptions(state, ctx.now()));
  await applyBillingEffects(ctx, user, change);
  await afterCommit(() => cancelClosed(ctx, user, change.after));
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
 * Retries cancellations at the provider that failed before. A job; concurrent runs are harmless.
 * @returns how many accounts were processed
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

/** Days to move the charge by; 0 for revoked credit that moved nothing when it was granted. */
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
 * Moves an account's next charge by the credit it was granted while paying, so that no day is paid twice. If the provider
 * refuses or does not answer, {@link shiftRenewals} tries again.
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
 * Retries charges that could not be moved. A job; concurrent runs are harmless, since every attempt requests the same day.
 */
export async function shiftRenewals(ctx: Ctx): Promise<void> {
  authorise(ctx.actor, 'billing.shift-renewals');
  const owners = await ctx.repos.renewalShifts.findOwnersOfOpen(ctx.now(), OWNERS_AT_ONCE);
  for (const userId of owners) await carryOutShifts(ctx, userId);
}

import { isDeepStrictEqual } from 'node:util';
import {
  billingNotice,
  type BillingNotice,
  billingView,
  type BillingView,
  type BillingState,
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
import { SECOND_MS } from '#app/domain/time/durations.ts';
import type { UserRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { issuesOf } from '#app/domain/billing/billing-issues.ts';
import { readEvent, reduceBilling } from '#app/domain/billing/reduce-events.ts';
import { compareAndSet, LOST } from '#app/platform/compare-and-set.server.ts';

/** An account's billing before and after a change. */
interface BillingChange {
  before: BillingState;
  after: BillingState;
  /** Of `after`; 0 while nothing is known. */
  version: number;
  /** False when there was nothing to change. */
  isChanged: boolean;
}

/**
 * Changes what is known of an account's billing; concurrent changes all take effect.
 * @param change computes the next state; may be called more than once
 * @throws AppError CONFLICT when others are always faster
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
 * Applies what follows from an account's billing: the status on the account itself, its billing issues, and mails to
 * its owner. Safe to repeat: all but the mails follow from the state alone.
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
  if (isChanged) sendBillingMails(ctx, user, change, event);
}

/**
 * Applies the provider's answer to a call of ours. It is newer than every event before it, whatever the clocks say; the
 * provider's timestamps count seconds.
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

interface News {
  appUrl: string;
  timeZone: string;
  now: Date;
  state: BillingState;
  view: BillingView;
}

/** The amount that could not be charged: that of the latest failure, else the plan's price. */
function failedCents({ state, view }: News): number {
  const failures = state.troubles.filter(({ type, openedAt }) => type === 'payment_failed' && openedAt);
  const newest = failures.sort((a, b) => (a.openedAt?.getTime() ?? 0) - (b.openedAt?.getTime() ?? 0)).at(-1);
  return newest?.amountCents ?? PRICE_CENTS[view.plan ?? 'monthly'];
}

const MAILS: Record<BillingNotice, (news: News) => MailText> = {
  'subscription-started': ({ view, now, ...site }) =>
    subscriptionStartedMail({ ...site, plan: view.plan ?? 'monthly', at: view.currentPeriodEnd ?? now }),
  'payment-failed': (news) =>
    paymentFailedMail({
      ...news,
      amountCents: failedCents(news),
      at: graceEndsAt(news.view.pastDueSince ?? news.now),
    }),
  'payment-recovered': (site) => paymentRecoveredMail(site),
  'cancellation-scheduled': ({ view, now, ...site }) =>
    cancellationScheduledMail({ ...site, at: view.endsAt ?? now }),
  'subscription-ended': (site) => subscriptionEndedMail(site),
};

/** Mails an account's owner about a change of their billing. */
function sendBillingMails(
  ctx: Ctx,
  user: UserRecord,
  { before, after }: { before: BillingState; after: BillingState },
  event?: BillingEvent,
): void {
  const { appUrl, mailQueue } = ctx;
  const view = billingView(after);
  const notice = billingNotice(billingView(before), view);
  const news = { appUrl, timeZone: user.timeZone, now: ctx.now(), state: after, view };
  if (notice !== null) mailQueue.post(user.email, MAILS[notice](news));
  if (event?.kind === 'card-expiring')
    mailQueue.post(user.email, cardExpiringMail({ appUrl, ...event.card }));
}

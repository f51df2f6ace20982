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
import type { UserRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { issuesOf } from '#app/domain/billing/billing-issues.ts';
import { readEvent, reduceBilling } from '#app/domain/billing/reduce-events.ts';
import { AppError } from '#app/domain/errors.ts';

interface News {
  appUrl: string;
  timeZone: string;
  now: Date;
  state: BillingState;
  view: BillingView;
}

/** What could not be charged: that of the newest failure, else the price. */
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

/** Writes to an account's owner what a change of their billing means for them. */
function tellOfBilling(
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

/** Of so many changes of one account at once each comes through; every failed attempt is another one's success. */
const MOST_ATTEMPTS = 200;

/** What the provider's clock counts in. */
const SECOND_MS = 1000;

/** What is known of an account's billing, before and after a change. */
interface BillingChange {
  before: BillingState;
  after: BillingState;
  /** Of `after`; 0 while nothing is known. */
  version: number;
  /** False when there was nothing to change. */
  isChanged: boolean;
}

/**
 * Changes what is known of an account's billing by one compare-and-set, again on what somebody else wrote meanwhile.
 * @param change computes the next state; may be asked more than once
 * @throws AppError CONFLICT when others are always faster
 */
export async function changeBilling(
  ctx: Ctx,
  userId: string,
  change: (state: BillingState) => BillingState | Promise<BillingState>,
): Promise<BillingChange> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { state: before, version } = await ctx.repos.billing.find(userId);
    const after = await change(before);
    if (isDeepStrictEqual(before, after)) return { before, after, version, isChanged: false };
    const next = await ctx.repos.billing.replace(userId, version, after, ctx.now());
    if (next !== null) return { before, after, version: next, isChanged: true };
  }
  throw new AppError('CONFLICT', 'The payment is being changed elsewhere. Try again in a moment.');
}

/**
 * Brings everything that follows from an account's billing up to it: the account's standing, its billing issues,
 * mails to its owner. May be repeated: all but the mails follows from the state alone.
 * @param event what caused the change, if it was one
 */
export async function settleBilling(
  ctx: Ctx,
  user: UserRecord,
  change: BillingChange,
  event?: BillingEvent,
): Promise<void> {
  const { after, version, isChanged } = change;
  const { billingStatus, pastDueSince } = billingView(after);
  if (version > 0) await ctx.repos.users.setBilling(user.id, { billingStatus, pastDueSince, version });
  for (const issue of issuesOf(after)) await ctx.repos.billingIssues.record(user.id, issue, version);
  if (isChanged) tellOfBilling(ctx, user, change, event);
}

/** Takes in what the provider answered to a call of ours: it is newer than all it told before, whatever the clocks say. */
export async function settleAnswer(
  ctx: Ctx,
  user: UserRecord,
  snapshot: SubscriptionSnapshot,
): Promise<void> {
  const change = await changeBilling(ctx, user.id, (state) => {
    const readAt = Math.max(ctx.now().getTime(), (state.lastEventAt?.getTime() ?? 0) + SECOND_MS);
    return reduceBilling(state, readEvent(snapshot, new Date(readAt)));
  });
  await settleBilling(ctx, user, change);
}

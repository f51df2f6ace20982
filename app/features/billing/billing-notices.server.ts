import {
  billingNotice,
  type BillingNotice,
  billingView,
  type BillingView,
  type BillingState,
} from '#app/domain/billing/billing-state.ts';
import type { BillingEvent } from '#app/domain/billing/billing-event.ts';
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
export function tellOfBilling(
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

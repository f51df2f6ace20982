import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import type { StockAlert } from '#app/domain/vials/stock-alerts.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { tellNews } from '#app/platform/mail/reminder-outbox.server.ts';
import { findRecipient, type Recipient } from '#app/platform/mail/notification-choices.server.ts';
import { checkStock } from '#app/features/vials/index.server.ts';
import { recordEvents } from '#app/features/webhooks/index.server.ts';
import type { EventFacts } from '#app/domain/webhooks/webhook.ts';
import { repos } from './repositories.server.ts';

/** Accounts that a worker claims at a time, and for how long, in ms. */
const BATCH = 50;
const LEASE_MS = 10 * MINUTE_MS;

/** When an account that gets no reminders is looked at again, in ms: it may have become entitled to them. */
const UNTOLD_MS = 7 * DAY_MS;

function isChosen({ kind }: StockAlert, { choices }: Recipient): boolean {
  return kind === 'low' ? choices.lowStock : choices.vialExpiry;
}

/** The webhook event of an alert. None for an expired vial: that was reported when it was about to expire. */
function eventOf(alert: StockAlert, now: Date): EventFacts[] {
  const { key, kind, compoundId, name, lastDay } = alert;
  if (kind === 'expired') return [];
  const common = { key, at: now, doseId: null };
  return kind === 'low'
    ? [{ ...common, type: 'stock.low', data: { compoundId, name, runsOutOn: lastDay } }]
    : [{ ...common, type: 'vial.expiring', data: { compoundId, name, lastDay } }];
}

async function remindOwner(ctx: Ctx, recipient: Recipient, alerts: readonly StockAlert[]): Promise<number> {
  const { userId } = recipient;
  const now = ctx.now();
  await recordEvents(
    ctx,
    userId,
    alerts.flatMap((alert) => eventOf(alert, now)),
  );
  let made = 0;
  for (const alert of alerts) {
    const { key, message } = alert;
    if (isChosen(alert, recipient) && (await tellNews(ctx, recipient, { key, message, title: null })))
      made += 1;
  }
  return made;
}

/** A worker's hold on accounts. */
interface Hold {
  claim: string;
  until: Date;
}

/** Reminds an account of its stock, and sets when it is checked next. @returns how many reminders were written */
async function check(ctx: Ctx, userId: string, { claim, until }: Hold): Promise<number> {
  const { stockChecks, users } = repos(ctx);
  const recipient = await findRecipient(ctx, userId);
  if (recipient === null) {
    if ((await users.find(userId)) === null) await stockChecks.remove(userId);
    else await stockChecks.finish(userId, claim, until, new Date(ctx.now().getTime() + UNTOLD_MS));
    return 0;
  }
  const { alerts, nextAt } = await checkStock(ctx, userId);
  const made = await remindOwner(ctx, recipient, alerts);
  await stockChecks.finish(userId, claim, until, nextAt);
  return made;
}

/**
 * Writes stock alerts as reminders, each alert once: of accounts that have changed what an alert depends on since their last
 * check, and of those for which the day has come on which time alone may bring one. A job of the worker; any number of
 * workers may run it.
 * @returns how many reminders were written
 */
export async function remindOfStock(ctx: Ctx, stopping?: AbortSignal): Promise<number> {
  authorise(ctx.actor, 'reminder.work');
  let made = 0;
  const isStopping = () => stopping?.aborted === true;
  while (!isStopping()) {
    const now = ctx.now();
    const hold = { claim: randomUUID(), until: new Date(now.getTime() + LEASE_MS) };
    const userIds = await repos(ctx).stockChecks.claim(now, hold.until, hold.claim, BATCH);
    if (userIds.length === 0) return made;
    for (const userId of userIds) {
      if (isStopping()) return made;
      made += await check(ctx, userId, hold);
    }
  }
  return made;
}

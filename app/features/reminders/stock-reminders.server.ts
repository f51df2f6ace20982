import { HOUR_MS } from '#app/domain/time/calendar.ts';
import type { StockAlert } from '#app/domain/vials/stock-alerts.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { tellNews } from '#app/platform/mail/reminder-outbox.server.ts';
import { findRecipient, type Recipient } from '#app/platform/mail/notification-choices.server.ts';
import { stockAlerts } from '#app/features/vials/index.server.ts';
import { recordEvents } from '#app/features/webhooks/index.server.ts';
import type { EventFacts } from '#app/domain/webhooks/webhook.ts';
import { repos } from './repositories.server.ts';

/** How often stock is checked across all workers, in ms. */
export const STOCK_ROUND_MS = HOUR_MS;

/** Accounts per batch. */
const BATCH = 200;

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

async function remindOwner(ctx: Ctx, recipient: Recipient): Promise<number> {
  const { userId } = recipient;
  const alerts = await stockAlerts(ctx, userId);
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

/**
 * Writes each account's stock alerts as reminders, each alert once. A job of the worker; only one worker at a time runs
 * it.
 * @returns how many reminders were written
 */
export async function remindOfStock(ctx: Ctx, stopping?: AbortSignal): Promise<number> {
  authorise(ctx.actor, 'reminder.work');
  const now = ctx.now();
  const until = new Date(now.getTime() + STOCK_ROUND_MS);
  if (!(await repos(ctx).jobRuns.takeTurn('remind-of-stock', now, until))) return 0;
  let made = 0;
  let last = '';
  for (;;) {
    const ids = await repos(ctx).users.listIds(last, BATCH);
    for (const id of ids) {
      if (stopping?.aborted === true) return made;
      const recipient = await findRecipient(ctx, id);
      if (recipient !== null) made += await remindOwner(ctx, recipient);
    }
    last = ids.at(-1) ?? '';
    if (ids.length < BATCH) return made;
  }
}

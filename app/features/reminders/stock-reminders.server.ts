import { HOUR_MS } from '#app/domain/time/durations.ts';
import type { StockAlert } from '#app/domain/vials/stock-alerts.ts';
import { DISCREET_OTHER } from '#app/domain/reminders/reminder-texts.ts';
import type { ReminderRow } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { deliveriesFor, REMINDER_LIFE_MS, reminderIdOfNews } from './outbox.server.ts';
import { findRecipient, type Recipient } from '#app/platform/mail/recipient.server.ts';
import { stockAlerts } from '#app/features/vials/index.server.ts';

/** How often stock is checked, by whichever worker, in ms. */
export const STOCK_ROUND_MS = HOUR_MS;

/** Accounts per batch. */
const BATCH = 200;

function isWanted({ kind }: StockAlert, { choices }: Recipient): boolean {
  return kind === 'low' ? choices.lowStock : choices.vialExpiry;
}

function reminderOf(userId: string, { key, message }: StockAlert, now: Date): ReminderRow {
  return {
    _id: reminderIdOfNews(userId, key),
    userId,
    doseId: null,
    type: 'other',
    message,
    discreetMessage: DISCREET_OTHER,
    reminderTime: now,
    isRead: false,
    isSent: false,
    isQuiet: false,
    shownAt: null,
    expiresAt: new Date(now.getTime() + REMINDER_LIFE_MS),
  };
}

/** Writes the reminder last: if cut off before, the next round repeats everything under the same ids. */
async function remindOwner(ctx: Ctx, recipient: Recipient): Promise<number> {
  const { userId } = recipient;
  let made = 0;
  for (const alert of await stockAlerts(ctx, userId)) {
    const reminder = reminderOf(userId, alert, ctx.now());
    if (!isWanted(alert, recipient) || (await ctx.repos.reminders.find(userId, reminder._id)) !== null)
      continue;
    await ctx.repos.deliveries.createMissing(deliveriesFor(reminder, recipient, ctx.now()));
    await ctx.repos.reminders.createMissing([reminder]);
    made += 1;
  }
  return made;
}

/**
 * Writes each account's stock alerts as reminders, each alert once. A job of the worker; one of several workers takes
 * the turn.
 * @returns how many reminders were written
 */
export async function remindOfStock(ctx: Ctx, stopping?: AbortSignal): Promise<number> {
  authorise(ctx.actor, 'reminder.work');
  const now = ctx.now();
  const until = new Date(now.getTime() + STOCK_ROUND_MS);
  if (!(await ctx.repos.jobRuns.takeTurn('remind-of-stock', now, until))) return 0;
  let made = 0;
  let last = '';
  for (;;) {
    const ids = await ctx.repos.users.listIds(last, BATCH);
    for (const id of ids) {
      if (stopping?.aborted === true) return made;
      const recipient = await findRecipient(ctx, id);
      if (recipient !== null) made += await remindOwner(ctx, recipient);
    }
    last = ids.at(-1) ?? '';
    if (ids.length < BATCH) return made;
  }
}

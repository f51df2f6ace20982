import { reminderView, type ReminderView } from '#app/domain/reminders/reminder-view.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { getBell } from './reminders.server.ts';

/** What the bell of the frame shows. */
export async function getBellView(
  ctx: Ctx,
  timeZone: string,
): Promise<{ reminders: ReminderView[]; unread: number; hasMore: boolean }> {
  const { reminders, ...rest } = await getBell(ctx);
  const now = ctx.now();
  return { ...rest, reminders: reminders.map((reminder) => reminderView(reminder, now, timeZone)) };
}

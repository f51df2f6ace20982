import { createHash } from 'node:crypto';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { DISCREET_OTHER } from '#app/domain/reminders/reminder-texts.ts';
import { DELIVERY_LIFE_MS } from '#app/domain/reminders/delivery-retry.ts';
import type { DeliveryRow, ReminderRow } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { Recipient } from './notification-choices.server.ts';
import { repos } from './repositories.server.ts';

/** Letters and digits only, since ids also appear in addresses and selectors. */
const plainDigest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The id of the reminder of a time slot: one for all of its doses and stages, whichever worker writes it. */
export const reminderIdOfSlot = (userId: string, start: Date) =>
  `rem_${plainDigest(`${userId}:slot:${start.getTime()}`)}`;

/** The id of a reminder about stock, so that each alert is sent once. */
const reminderIdOfNews = (userId: string, key: string) => `rem_${plainDigest(`${userId}:${key}`)}`;

const deliveryId = (reminderId: string, receiver: string) =>
  `dlv_${plainDigest(`${reminderId}:${receiver}`)}`;

/** How long a reminder is kept, in ms. */
export const REMINDER_LIFE_MS = 90 * DAY_MS;

/** How long a delivery is remembered, so that it is not repeated, in ms. */
const DELIVERY_KEPT_MS = 7 * DAY_MS + DELIVERY_LIFE_MS;

/**
 * A reminder's deliveries: one per browser, one by e-mail and one over ntfy, as the owner chose; none for a quiet reminder.
 * @param title replaces the usual title of its type
 */
export function deliveriesFor(
  reminder: ReminderRow,
  recipient: Recipient,
  now: Date,
  title: string | null = null,
): DeliveryRow[] {
  if (reminder.isQuiet) return [];
  const { choices, subscriptions, ntfy } = recipient;
  const { stepAt } = reminder;
  // A reminder that changes is sent once for each stage.
  const sending = stepAt ? `${reminder._id}:${stepAt.getTime()}` : reminder._id;
  const common = {
    userId: reminder.userId,
    reminderId: reminder._id,
    doseId: reminder.doseId,
    ...(reminder.doseIds && { doseIds: reminder.doseIds }),
    type: reminder.type,
    title,
    message: choices.discreet ? reminder.discreetMessage : reminder.message,
    isDiscreet: choices.discreet,
    madeAt: now,
    state: 'waiting',
    nextAt: now,
    claim: null,
    attempts: 0,
    sentAt: null,
    reason: null,
    expiresAt: new Date(now.getTime() + DELIVERY_KEPT_MS),
  } as const;
  const pushes = subscriptions.map(({ id }): DeliveryRow => {
    return { ...common, _id: deliveryId(sending, id), channel: 'push', subscriptionId: id };
  });
  const others = [
    ...(choices.email ? (['email'] as const) : []),
    ...(ntfy === null ? [] : (['ntfy'] as const)),
  ];
  const messages = others.map((channel): DeliveryRow => {
    return { ...common, _id: deliveryId(sending, channel), channel, subscriptionId: null };
  });
  return [...pushes, ...messages];
}

/** A one-time message that is not about a dose. */
interface News {
  /** Identifies the news, so that it is sent only once. */
  key: string;
  message: string;
  /** Replaces the usual title of such a reminder. */
  title: string | null;
}

function newsReminder(userId: string, { key, message }: News, now: Date): ReminderRow {
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

/**
 * Sends news to the bell and the chosen channels, unless already sent.
 * The reminder is written last, so that after an interruption the same call repeats everything with the same ids.
 * @returns whether it was new
 */
export async function tellNews(ctx: Ctx, recipient: Recipient, news: News): Promise<boolean> {
  const reminder = newsReminder(recipient.userId, news, ctx.now());
  if ((await repos(ctx).reminders.find(recipient.userId, reminder._id)) !== null) return false;
  await repos(ctx).deliveries.createMissing(deliveriesFor(reminder, recipient, ctx.now(), news.title));
  await repos(ctx).reminders.createMissing([reminder]);
  return true;
}

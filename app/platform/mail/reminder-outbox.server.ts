import { createHash } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { DISCREET_OTHER, NOT_SHOWN } from '#app/domain/reminders/reminder-texts.ts';
import type { ReminderType } from '#app/domain/reminders/reminder-stages.ts';
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

const deliveryId = (reminderId: string, receiver: string) =>
  `dlv_${plainDigest(`${reminderId}:${receiver}`)}`;

/** How long a reminder is kept, in ms. */
export const REMINDER_LIFE_MS = 90 * DAY_MS;

/** How long a delivery is remembered, so that it is not repeated, in ms. */
const DELIVERY_KEPT_MS = 7 * DAY_MS + DELIVERY_LIFE_MS;

/**
 * A reminder's deliveries: one per browser, one by e-mail and one over ntfy, as the owner chose, and what follows if no browser
 * shows it; none for a quiet reminder.
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
  return [...pushes, ...messages, ...escalationsOf(reminder, recipient, [...pushes, ...messages])];
}

/** Stages that must not get lost. Coming up is followed by due, and news can wait in the bell. */
const MUST_ARRIVE: readonly ReminderType[] = ['due', 'overdue'];

/** After a lost push the first that is on; the next one only if that could not be delivered. */
const ESCALATION_CHANNELS = ['ntfy', 'email'] as const;

/**
 * What goes out later, one channel after the other, if no browser confirms a push. Their ids hold the stage and not its time, so
 * that a stage that is repeated or snoozed does it once.
 */
function escalationsOf(
  { _id, type }: ReminderRow,
  { choices: { escalateAfterMinutes } }: Recipient,
  deliveries: readonly DeliveryRow[],
): DeliveryRow[] {
  if (escalateAfterMinutes === 0 || !MUST_ARRIVE.includes(type)) return [];
  if (!deliveries.some(({ channel }) => channel === 'push')) return [];
  return ESCALATION_CHANNELS.flatMap((channel) =>
    deliveries.filter((delivery) => delivery.channel === channel),
  ).map((delivery, index) => ({
    ...delivery,
    _id: deliveryId(`${_id}:${type}`, `escalation:${delivery.channel}`),
    message: `${delivery.message} ${NOT_SHOWN}`,
    nextAt: new Date(delivery.madeAt.getTime() + (index + 1) * escalateAfterMinutes * MINUTE_MS),
    isEscalation: true,
  }));
}

/** A one-time message that is not about a dose. */
interface News {
  /** Identifies the news, so that it is sent only once. */
  key: string;
  message: string;
  /** Replaces the usual title of such a reminder. */
  title: string | null;
}

/**
 * Sends news to the bell and the chosen channels, unless already sent.
 * The reminder is written last, so that after an interruption the same call repeats everything with the same ids.
 * @returns whether it was new
 */
export async function tellNews(ctx: Ctx, recipient: Recipient, news: News): Promise<boolean> {
  const now = ctx.now();
  const reminder: ReminderRow = {
    // So that each piece of news is sent once.
    _id: `rem_${plainDigest(`${recipient.userId}:${news.key}`)}`,
    userId: recipient.userId,
    doseId: null,
    type: 'other',
    message: news.message,
    discreetMessage: DISCREET_OTHER,
    reminderTime: now,
    isRead: false,
    isSent: false,
    isQuiet: false,
    shownAt: null,
    expiresAt: new Date(now.getTime() + REMINDER_LIFE_MS),
  };
  if ((await repos(ctx).reminders.find(recipient.userId, reminder._id)) !== null) return false;
  await repos(ctx).deliveries.createMissing(deliveriesFor(reminder, recipient, now, news.title));
  await repos(ctx).reminders.createMissing([reminder]);
  return true;
}

import { createHash } from 'node:crypto';
import { DAY_MS } from '#app/domain/time/durations.ts';
import { DELIVERY_LIFE_MS } from '#app/domain/reminders/delivery-retry.ts';
import type { DeliveryRow, ReminderRow } from '#models/index.server.ts';
import type { Recipient } from '#app/platform/mail/recipient.server.ts';

/** Letters and digits only, since ids also appear in addresses and selectors. */
const plainDigest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The id of a dose's reminder by its number: two workers that write the same reminder give it the same id. */
export const reminderIdOfDose = (doseId: string, count: number) => `rem_${plainDigest(`${doseId}:${count}`)}`;

/** The id of a reminder about stock: each alert is sent once. */
export const reminderIdOfNews = (userId: string, key: string) => `rem_${plainDigest(`${userId}:${key}`)}`;

const deliveryId = (reminderId: string, receiver: string) =>
  `dlv_${plainDigest(`${reminderId}:${receiver}`)}`;

/** How long a reminder is kept, in ms. */
export const REMINDER_LIFE_MS = 90 * DAY_MS;

/** How long a delivery is remembered, so that none is made twice, in ms. */
const DELIVERY_KEPT_MS = 7 * DAY_MS + DELIVERY_LIFE_MS;

/** A reminder's deliveries: one to each browser and one by e-mail, as its owner chose; none for a quiet reminder. */
export function deliveriesFor(reminder: ReminderRow, recipient: Recipient, now: Date): DeliveryRow[] {
  if (reminder.isQuiet) return [];
  const { choices, subscriptions } = recipient;
  const common = {
    userId: reminder.userId,
    reminderId: reminder._id,
    doseId: reminder.doseId,
    type: reminder.type,
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
    return { ...common, _id: deliveryId(reminder._id, id), channel: 'push', subscriptionId: id };
  });
  if (!choices.email) return pushes;
  const mail: DeliveryRow = {
    ...common,
    _id: deliveryId(reminder._id, 'email'),
    channel: 'email',
    subscriptionId: null,
  };
  return [...pushes, mail];
}

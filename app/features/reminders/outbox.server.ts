import { DELIVERY_LIFE_MS } from '#app/domain/reminders/delivery-retry.ts';
import type { DeliveryRow, ReminderRow } from '#models/index.server.ts';
import type { Recipient } from '#app/platform/mail/recipient.server.ts';
import { deliveryId } from './reminder-ids.server.ts';

const DAY_MS = 86_400_000;

/** How long a reminder stands in the bell's list, in ms. */
export const REMINDER_LIFE_MS = 90 * DAY_MS;

/** How long it is known that a delivery was made, so that none is made twice, in ms. */
const DELIVERY_KEPT_MS = 7 * DAY_MS + DELIVERY_LIFE_MS;

/** A reminder's deliveries: one to each browser and one to the mailbox, as its owner wants it; none for a quiet one. */
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

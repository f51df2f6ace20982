import type { Connection } from 'mongoose';
import { createCalendarFeedRepository } from './calendar-feed.server.ts';
import { guardRepository } from './database-errors.server.ts';
import { createDeliveryRepository } from './delivery.server.ts';
import { createDoseRemindingRepository } from './dose-reminding.repository.server.ts';
import { createPushSubscriptionRepository } from './push-subscription.server.ts';
import { createReminderRepository } from './reminder.server.ts';

/** What reminders need: those that stand in the bell, the outbox, the browsers, and the calendar links. */
export function reminderRepositories(connection: Connection) {
  return {
    calendarFeeds: guardRepository(createCalendarFeedRepository(connection)),
    deliveries: guardRepository(createDeliveryRepository(connection)),
    doseReminding: guardRepository(createDoseRemindingRepository(connection)),
    pushSubscriptions: guardRepository(createPushSubscriptionRepository(connection)),
    reminders: guardRepository(createReminderRepository(connection)),
  };
}

export type ReminderRepositories = ReturnType<typeof reminderRepositories>;

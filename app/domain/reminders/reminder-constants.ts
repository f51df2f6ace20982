/** What a reminder is about; `other` is low stock and vials that expire. */
export const REMINDER_TYPES = ['upcoming', 'due', 'overdue', 'other'] as const;
export type ReminderType = (typeof REMINDER_TYPES)[number];

/** The stages of a dose's reminders, in order. */
export type ReminderStage = Exclude<ReminderType, 'other'>;

/** Minutes after its time at which a pending dose is overdue. */
export const OVERDUE_AFTER_MINUTES = 30;

/** Minutes between repeated reminders of an overdue dose, for those who turned them on. Our choice. */
export const REPEAT_EVERY_MINUTES = 30;

/** Hours after which an overdue dose is no longer repeated: its owner has seen it by then. Our choice. */
export const REPEAT_FOR_HOURS = 6;

/** Minutes after which a late reminder is only listed in the bell. Our choice. */
export const STALE_AFTER_MINUTES = 120;

/** Minutes by which a reminder can be snoozed. */
export const SNOOZE_MINUTES = [5, 10, 15, 30, 60] as const;

/** Reminders that the bell lists. */
export const BELL_LENGTH = 10;

/** What a reminder is about; `other` is stock that runs low and vials that expire (decisions, section 9). */
export const REMINDER_TYPES = ['upcoming', 'due', 'overdue', 'other'] as const;
export type ReminderType = (typeof REMINDER_TYPES)[number];

/** The stages of the reminders of one dose, in their order. */
export type ReminderStage = Exclude<ReminderType, 'other'>;

/** Minutes after its time at which a pending dose is called overdue (decisions, section 9). */
export const OVERDUE_AFTER_MINUTES = 30;

/** Minutes between two reminders of an overdue dose, for those who want to hear of it again. Our choice. */
export const REPEAT_EVERY_MINUTES = 30;

/** Hours after its time at which a dose is no longer repeated: who has not answered by then has seen it. Our choice. */
export const REPEAT_FOR_HOURS = 6;

/** Minutes after which a reminder that could not go out in time only stands in the bell. Our choice. */
export const STALE_AFTER_MINUTES = 120;

/** Minutes that a reminder can be put off (decisions, section 9). */
export const SNOOZE_MINUTES = [5, 10, 15, 30, 60] as const;
export type SnoozeMinutes = (typeof SNOOZE_MINUTES)[number];

/** Reminders that the bell lists (the owner's specification, section 9). */
export const BELL_LENGTH = 10;

export { actDose, type ActDose, type LinkedDose } from './act.ts';
export {
  BELL_LENGTH,
  OVERDUE_AFTER_MINUTES,
  REMINDER_TYPES,
  REPEAT_EVERY_MINUTES,
  REPEAT_FOR_HOURS,
  SNOOZE_MINUTES,
  STALE_AFTER_MINUTES,
  type ReminderStage,
  type ReminderType,
  type SnoozeMinutes,
} from './constants.ts';
export { badgeText, relativeTime } from './relative-time.ts';
export { DELIVERY_LIFE_MS, MOST_ATTEMPTS, nextAttempt } from './retry.ts';
export {
  planReminder,
  snoozedStep,
  stageAt,
  stepAfter,
  type PlannedReminder,
  type ReminderStep,
} from './stages.ts';
export {
  DISCREET_OTHER,
  reminderTitle,
  reminderWords,
  type RemindedDose,
  type ReminderWords,
} from './texts.ts';
export { reminderView, type ListedReminder, type ReminderView } from './view.ts';

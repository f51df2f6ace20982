export {
  DEFAULT_NOTIFICATION_CHOICES,
  LEAD_MINUTES,
  MISSED_AFTER_HOURS,
  type NotificationChoices,
} from './choices.ts';

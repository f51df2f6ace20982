import { FIELD_MESSAGES } from '#app/domain/calculator/limits.ts';
import { DAY_PART_WORDS } from '#app/domain/doses/day-parts.ts';
import { STATUS_WORDS } from '#app/domain/doses/dose-status.ts';
import { FLAG_WORDS } from '#app/domain/flags/flags.ts';
import { DELETION_MESSAGES } from '#app/domain/accounts/account-deletion-schema.ts';
import { ACCOUNT_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import { ADHERENCE_MESSAGES } from '#app/domain/doses/adherence-schema.ts';
import { ADMIN_MESSAGES } from '#app/domain/admin/admin-schema.ts';
import { API_TOKEN_MESSAGES } from '#app/domain/accounts/api-token-schema.ts';
import { BILLING_MESSAGES } from '#app/domain/billing/billing-schema.ts';
import { CHOICE_MESSAGES } from '#app/domain/forms/text-fields.ts';
import { FEED_MESSAGES } from '#app/domain/schedules/calendar-feed-schema.ts';
import { DOSE_MESSAGES } from '#app/domain/doses/dose-schema.ts';
import { EMAIL_MESSAGES } from '#app/domain/accounts/email-change-schema.ts';
import { EXPORT_MESSAGES } from '#app/domain/export/export-schema.ts';
import { HALF_LIFE_MESSAGES } from '#app/domain/analytics/half-life-schema.ts';
import { HEALTH_MESSAGES } from '#app/domain/tracking/measurement-schema.ts';
import { IMAGE_MESSAGES } from '#app/domain/forms/image-schema.ts';
import { SITE_MESSAGES } from '#app/domain/tracking/injection-site-schema.ts';
import { NOTIFICATION_MESSAGES } from '#app/domain/reminders/notification-choices-schema.ts';
import { NUTRITION_MESSAGES } from '#app/domain/tracking/nutrition-schema.ts';
import { OFFLINE_MESSAGES } from '#app/domain/offline/offline-schema.ts';
import { ORDER_MESSAGES } from '#app/domain/vendors/order-schema.ts';
import { PAPER_MESSAGES } from '#app/domain/vendors/paper-schema.ts';
import { PERIOD_MESSAGES } from '#app/domain/forms/period.ts';
import { PROFILE_MESSAGES } from '#app/domain/accounts/profile-schema.ts';
import { PUSH_MESSAGES } from '#app/domain/reminders/push-schema.ts';
import { REMINDER_MESSAGES } from '#app/domain/reminders/reminder-schema.ts';
import { REPORT_MESSAGES } from '#app/domain/reports/report-schema.ts';
import { TIMING_MESSAGES } from '#app/domain/schedules/schedule-fields.ts';
import { TEMPLATE_MESSAGES } from '#app/domain/schedules/schedule-template-schema.ts';
import { SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import { SECOND_FACTOR_MESSAGES } from '#app/domain/accounts/second-factor-schema.ts';
import { SIDE_EFFECT_MESSAGES } from '#app/domain/tracking/side-effect-schema.ts';
import { VENDOR_MESSAGES } from '#app/domain/vendors/vendor-schema.ts';
import { VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import { SEVERITY_WORDS } from '#app/domain/tracking/side-effect-templates.ts';
import { MODULE_TEXTS, NETWORK_TEXTS, TIMEOUT_TEXTS } from './connection-messages.ts';
import { ERROR_WORDS } from './error-messages.ts';
import { EXPORT_FAILED } from '#app/domain/export/export-failed.ts';
import { INSTALLED_WORDS } from './installed-messages.ts';
import { CONNECTION_MESSAGES } from '#app/domain/accounts/sign-in-messages.ts';
import { SEALING_ERRORS } from './storage-messages.ts';

/**
 * Everything that the program says from a list, by area: errors, toasts, labels and names. A language is one more object of
 * this shape (`Catalogue`). For reading only: a component imports the one list that it needs, so that no page carries them all.
 */
export const CATALOGUE = {
  ACCOUNT_MESSAGES,
  ADHERENCE_MESSAGES,
  ADMIN_MESSAGES,
  API_TOKEN_MESSAGES,
  BILLING_MESSAGES,
  CHOICE_MESSAGES,
  CONNECTION_MESSAGES,
  DAY_PART_WORDS,
  DELETION_MESSAGES,
  DOSE_MESSAGES,
  EMAIL_MESSAGES,
  ERROR_WORDS,
  EXPORT_FAILED,
  EXPORT_MESSAGES,
  FEED_MESSAGES,
  FIELD_MESSAGES,
  FLAG_WORDS,
  HALF_LIFE_MESSAGES,
  HEALTH_MESSAGES,
  IMAGE_MESSAGES,
  INSTALLED_WORDS,
  MODULE_TEXTS,
  NETWORK_TEXTS,
  NOTIFICATION_MESSAGES,
  NUTRITION_MESSAGES,
  OFFLINE_MESSAGES,
  ORDER_MESSAGES,
  PAPER_MESSAGES,
  PERIOD_MESSAGES,
  PROFILE_MESSAGES,
  PUSH_MESSAGES,
  REMINDER_MESSAGES,
  REPORT_MESSAGES,
  SCHEDULE_MESSAGES,
  SEALING_ERRORS,
  SECOND_FACTOR_MESSAGES,
  SEVERITY_WORDS,
  SIDE_EFFECT_MESSAGES,
  SITE_MESSAGES,
  STATUS_WORDS,
  TEMPLATE_MESSAGES,
  TIMEOUT_TEXTS,
  TIMING_MESSAGES,
  VENDOR_MESSAGES,
  VIAL_MESSAGES,
} as const;

type Said<Text> = Text extends string ? string : { readonly [Name in keyof Text]: Said<Text[Name]> };

/** The same lists with other sentences in them. */
export type Catalogue = Said<typeof CATALOGUE>;

/** Every sentence in it, with the way to it: `DOSE_MESSAGES.taken`. */
export function sentences(words: unknown = CATALOGUE, at = ''): [path: string, text: string][] {
  if (typeof words === 'string') return [[at, words]];
  if (typeof words !== 'object' || words === null) return [];
  return Object.entries(words).flatMap(([name, inner]) =>
    sentences(inner, at === '' ? name : `${at}.${name}`),
  );
}

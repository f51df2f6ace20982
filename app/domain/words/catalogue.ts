import { FIELD_MESSAGES } from '../calculator/limits.ts';
import { DAY_PART_WORDS } from '../dose/day-parts.ts';
import { STATUS_WORDS } from '../dose/status.ts';
import { FLAG_WORDS } from '../flags/flags.ts';
import { DELETION_MESSAGES } from '../schemas/account-deletion.ts';
import { ACCOUNT_MESSAGES } from '../schemas/account.ts';
import { ADHERENCE_MESSAGES } from '../schemas/adherence.ts';
import { ADMIN_MESSAGES } from '../schemas/admin.ts';
import { API_TOKEN_MESSAGES } from '../schemas/api-token.ts';
import { BILLING_MESSAGES } from '../schemas/billing.ts';
import { CHOICE_MESSAGES } from '../schemas/calculation-fields.ts';
import { FEED_MESSAGES } from '../schemas/calendar-feed.ts';
import { DOSE_MESSAGES } from '../schemas/dose.ts';
import { EMAIL_MESSAGES } from '../schemas/email-change.ts';
import { EXPORT_MESSAGES } from '../schemas/export.ts';
import { HALF_LIFE_MESSAGES } from '../schemas/half-life.ts';
import { HEALTH_MESSAGES } from '../schemas/health.ts';
import { IMAGE_MESSAGES } from '../schemas/image.ts';
import { SITE_MESSAGES } from '../schemas/injection-site.ts';
import { NOTIFICATION_MESSAGES } from '../schemas/notification-choices.ts';
import { NUTRITION_MESSAGES } from '../schemas/nutrition.ts';
import { OFFLINE_MESSAGES } from '../schemas/offline.ts';
import { ORDER_MESSAGES } from '../schemas/order.ts';
import { PAPER_MESSAGES } from '../schemas/paper.ts';
import { PERIOD_MESSAGES } from '../schemas/period.ts';
import { PROFILE_MESSAGES } from '../schemas/profile.ts';
import { PUSH_MESSAGES } from '../schemas/push.ts';
import { REMINDER_MESSAGES } from '../schemas/reminder.ts';
import { REPORT_MESSAGES } from '../schemas/report.ts';
import { TIMING_MESSAGES } from '../schemas/schedule-fields.ts';
import { TEMPLATE_MESSAGES } from '../schemas/schedule-template.ts';
import { SCHEDULE_MESSAGES } from '../schemas/schedule.ts';
import { SECOND_FACTOR_MESSAGES } from '../schemas/second-factor.ts';
import { SIDE_EFFECT_MESSAGES } from '../schemas/side-effect.ts';
import { VENDOR_MESSAGES } from '../schemas/vendor.ts';
import { VIAL_MESSAGES } from '../schemas/vial-fields.ts';
import { SEVERITY_WORDS } from '../side-effects/templates.ts';
import { MODULE_TEXTS, NETWORK_TEXTS, TIMEOUT_TEXTS } from './connection.ts';
import { ERROR_WORDS } from './errors.ts';
import { EXPORT_FAILED } from './export.ts';
import { INSTALLED_WORDS } from './installed.ts';
import { CONNECTION_MESSAGES } from './sign-in.ts';
import { SEALING_ERRORS } from './storage.ts';

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

import { zoneName } from '#app/domain/time/time-zone.ts';
import { DateTime } from 'luxon';
import type { Site } from './letter.ts';

/** Why a security notice is sent; it cannot be turned off. */
export const SECURITY_REASON = 'You get this mail because the security of your account changed.';

/** Why a billing notice is sent. */
export const BILLING_REASON = 'You get this mail because of your Vialbook subscription.';

/** Why a notice about the account itself is sent. */
export const ACCOUNT_REASON = 'You get this mail because you have a Vialbook account.';

/** What to do about a change that the owner did not make. */
export const NOT_YOU = 'If this was not you, reset your password now. That signs out every device.';

/** Said in every mail about the end of Premium. */
export const NOTHING_DELETED =
  'Nothing is deleted. Everything you have stays readable, and you can continue on the free plan.';

const token = (text: string) => encodeURIComponent(text);

/** The links in mails. */
export const LINKS = {
  resetPassword: ({ appUrl }: Site, secret: string) => `${appUrl}/reset-password/${token(secret)}`,
  confirmEmail: ({ appUrl }: Site, secret: string) => `${appUrl}/confirm-email/${token(secret)}`,
  forgotPassword: ({ appUrl }: Site) => `${appUrl}/forgot-password`,
  act: ({ appUrl }: Site, secret: string) => `${appUrl}/act/${token(secret)}`,
  reminders: ({ appUrl }: Site) => `${appUrl}/dashboard/reminders`,
  notifications: ({ appUrl }: Site) => `${appUrl}/dashboard/profile/notifications`,
  profile: ({ appUrl }: Site) => `${appUrl}/dashboard/profile`,
  upgrade: ({ appUrl }: Site) => `${appUrl}/upgrade`,
  referrals: ({ appUrl }: Site) => `${appUrl}/dashboard/referrals`,
} as const;

/** An instant and the zone to show it in. */
export interface Moment {
  at: Date;
  /** IANA name of the reader's zone. */
  timeZone: string;
}

/** "1 March 2026, 14:05 (Europe/Berlin)". */
export function momentText({ at, timeZone }: Moment): string {
  return `${DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en').toFormat('d LLLL yyyy, HH:mm')} (${zoneName(timeZone)})`;
}

/** "1 March 2026". */
export function dayText({ at, timeZone }: Moment): string {
  return DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en').toFormat('d LLLL yyyy');
}

/** "$5.00", from US cents. */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

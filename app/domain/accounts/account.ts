import { MINUTE_MS, HOUR_MS } from '#app/domain/time/calendar.ts';

/** The shortest password accepted; the forms recommend 8 and more. */
export const MIN_PASSWORD_LENGTH = 6;

/** The longest one. Far above any passphrase; it only bounds the work of hashing. */
export const MAX_PASSWORD_LENGTH = 1024;

/** Longest address that mail can carry (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL_LENGTH = 254;

/** An address as it is compared and stored: trimmed, lower case, composed characters. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** The domain of demo accounts' addresses. No mail can reach `.invalid` (RFC 2606, section 2). */
export const DEMO_DOMAIN = 'demo.invalid';

/**
 * Whether an address belongs to a demo account. Everything that sends data off this machine for an account checks this
 * first; users' own requests are refused earlier, by the policy's `outsideDemo`.
 * @param email in its stored form
 */
export const isDemoAddress = (email: string): boolean => email.endsWith(`@${DEMO_DOMAIN}`);

/** The address of a new demo account. @param id of the account */
export const demoAddress = (id: string): string => `demo-${id}@${DEMO_DOMAIN}`;

export const ROLES = ['user', 'admin', 'super_admin'] as const;
/** What an account may do beyond its own data. */
export type Role = (typeof ROLES)[number];

/** True for the roles that may open the admin area. */
export function isAdminRole(role: Role): boolean {
  return role === 'admin' || role === 'super_admin';
}

/** Whether an account must have a second factor: admins need one when the site is served over https. */
export function isSecondFactorRequired(role: Role, appUrl: string): boolean {
  return isAdminRole(role) && appUrl.startsWith('https:');
}

/** Shown to an administrator without a second factor. */
export const SECOND_FACTOR_REQUIRED = 'Administrators need two-step sign-in. Set it up first.';

/** Shown to users who want to contact others before they have confirmed their own address. */
export const EMAIL_NOT_CONFIRMED = 'Confirm your email address first: open the link we mailed to you.';

/** Shown for a password link that does not work. */
export const RESET_LINK_OVER = 'This link has been used or has expired. Please request a new one.';

/** For how long after entering the password an account's security settings may be changed (ASVS 7.5). */
export const RECENT_SIGN_IN_MINUTES = 15;

/** Whether the password was entered recently. Setting the clock back does not extend the time. */
export function isRecentSignIn(authenticatedAt: Date, now: Date): boolean {
  const age = now.getTime() - authenticatedAt.getTime();
  return Math.abs(age) < RECENT_SIGN_IN_MINUTES * MINUTE_MS;
}

/** Hours between the request for a deletion and the deletion, in which the owner can cancel it. */
const DELETION_HOURS = 48;

/** When an account will be deleted if its owner asks for it now. */
export function deletionTime(now: Date): Date {
  return new Date(now.getTime() + DELETION_HOURS * HOUR_MS);
}

/** True once an account is due to be deleted: nobody can sign in, even if its data is deleted later. */
export function isGone(account: { deleteAfter: Date | null }, now: Date): boolean {
  return (account.deleteAfter?.getTime() ?? Infinity) <= now.getTime();
}

/** The first steps of a new account, in this order. */
export const FIRST_STEPS = ['vial', 'plan', 'reminders'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** The first steps open to an account: schedules and reminders are part of Premium. */
export const stepsFor = (isPremium: boolean): readonly FirstStep[] => (isPremium ? FIRST_STEPS : ['vial']);

/** Reads the name of a step; null for any other text. */
export const readFirstStep = (text: string | null): FirstStep | null =>
  FIRST_STEPS.find((step) => step === text) ?? null;

/** The page with the first steps. */
export const BEGIN_PATH = '/dashboard/begin';

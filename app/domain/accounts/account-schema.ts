import * as z from 'zod';
import { MAX_EMAIL_LENGTH, normaliseEmail, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './account.ts';
import { isTimeZone } from '#app/domain/time/zoned-time.ts';
import { optionalCode } from './second-factor.ts';

/** Messages about addresses, passwords and signing in. */
export const ACCOUNT_MESSAGES = {
  noPasswords: 'Passwords are not used on this server. Sign in with one of the services on the sign-in page.',
  required: 'Please fill in all fields',
  email: 'Enter a valid email address',
  passwordShort: 'Password must be at least 6 characters',
  passwordLong: `Password must be at most ${MAX_PASSWORD_LENGTH} characters`,
  passwordCommon: 'This password is one of the most common ones. Choose another.',
  passwordsDiffer: 'Passwords do not match',
  wrongPassword: 'This is not your current password',
  samePassword: 'The new password is the same as the current one',
  terms: 'You must agree to the Terms of Service',
  age: 'You must be 18 or older to use this service',
  invalidCredentials: 'Invalid email or password',
  closed: 'Nobody can create an account on this server. Its administrator gives accounts out.',
  inviteOnly: 'You need an invitation to create an account on this server. Ask its administrator for one.',
  inviteOver: 'This invitation was used or has expired. Ask for a new one.',
  inviteForOther: 'This invitation is for another email address',
  noInvitations: 'Invitations exist only on a server with SIGN_UP=invite.',
  registrationFailed: 'Registration failed. Please try again.',
  suspended: 'This account is suspended. Contact support.',
  signedOut: 'You were signed out. Sign in to finish saving.',
  signedOutLong:
    'You were signed out, and your text is too long to be kept. Go back in your browser and copy it before you sign in.',
  noCookies:
    'You are not signed in because your browser blocks cookies for this site. Allow them, then sign in again.',
} as const;

const EMAIL = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\].]+(\.[^\s@<>"(),:;\\[\].]+)+$/;

const filled = () =>
  z.string({ error: ACCOUNT_MESSAGES.required }).min(1, { error: ACCOUNT_MESSAGES.required, abort: true });

/** An address in its stored form. */
export const emailSchema = filled()
  .transform(normaliseEmail)
  .pipe(
    z
      .string({ error: ACCOUNT_MESSAGES.required })
      .min(1, { error: ACCOUNT_MESSAGES.required, abort: true })
      .max(MAX_EMAIL_LENGTH, { error: ACCOUNT_MESSAGES.email, abort: true })
      .regex(EMAIL, { error: ACCOUNT_MESSAGES.email }),
  )
  .meta({ maxLength: MAX_EMAIL_LENGTH });

/** A password as typed: spaces count and nothing is trimmed. */
export const passwordSchema = filled()
  .min(MIN_PASSWORD_LENGTH, { error: ACCOUNT_MESSAGES.passwordShort, abort: true })
  .max(MAX_PASSWORD_LENGTH, { error: ACCOUNT_MESSAGES.passwordLong });

/** Of a password typed again, which must be the same. */
const SAME_LENGTH = { maxLength: MAX_PASSWORD_LENGTH } as const;

const confirmed = (message: string) =>
  z.boolean({ error: message }).refine((value) => value, { error: message });

/** Whether both passwords were typed, whatever else is wrong. */
function isTypedTwice(value: unknown): boolean {
  const { password, confirmPassword } = (value ?? {}) as Record<string, unknown>;
  return [password, confirmPassword].every((text) => typeof text === 'string' && text !== '');
}

/** What comes with a new account besides the way to sign in. */
export const newAccountShape = {
  agreeToTerms: confirmed(ACCOUNT_MESSAGES.terms),
  ageVerification: confirmed(ACCOUNT_MESSAGES.age),
  plan: z.literal('trial').optional().catch(undefined),
  invite: z.string().max(64).optional().catch(undefined),
  ref: z
    .string()
    .trim()
    .max(64, { abort: true })
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional()
    .catch(undefined),
  timeZone: z.string().refine(isTimeZone).optional().catch(undefined),
};

/** Registration, for page and API. `plan: "trial"` starts the trial; `ref` is the referral code. */
export const registerSchema = z
  .object({
    email: emailSchema,
    password: passwordSchema,
    confirmPassword: filled().meta(SAME_LENGTH),
    ...newAccountShape,
  })
  .refine((value) => value.password === value.confirmPassword, {
    path: ['confirmPassword'],
    error: ACCOUNT_MESSAGES.passwordsDiffer,
    // Checked even when other fields are wrong, so that one answer lists all errors.
    when: ({ value }) => isTypedTwice(value),
  });

export type RegisterInput = z.input<typeof registerSchema>;

/** An administrator's invitation of somebody to this server. */
export const inviteSchema = z.object({ email: emailSchema });

export type InviteInput = z.input<typeof inviteSchema>;

/** For how many days an invitation can be used. */
export const INVITATION_DAYS = 7;

/** Sign-in. The address format is not checked: a malformed address is simply unknown. */
export const signInSchema = z.object({
  email: filled()
    .transform(normaliseEmail)
    .pipe(
      z
        .string({ error: ACCOUNT_MESSAGES.required })
        .min(1, { error: ACCOUNT_MESSAGES.required })
        .max(1024, { error: ACCOUNT_MESSAGES.invalidCredentials }),
    )
    .meta({ maxLength: 1024 }),
  password: passwordSchema,
  remember: z.boolean().optional().default(false),
});

export type SignInInput = z.input<typeof signInSchema>;

/** The request for a link to choose a new password. */
export const forgotPasswordSchema = z.object({ email: emailSchema });

export type ForgotPasswordInput = z.input<typeof forgotPasswordSchema>;

/** Choosing a new password by such a link. */
export const resetPasswordSchema = z
  .object({
    password: passwordSchema,
    confirmPassword: z
      .string({ error: ACCOUNT_MESSAGES.required })
      .min(1, { error: ACCOUNT_MESSAGES.required }),
  })
  .superRefine((value, context) => {
    if (value.password === value.confirmPassword) return;
    const message = ACCOUNT_MESSAGES.passwordsDiffer;
    context.addIssue({ code: 'custom', path: ['confirmPassword'], message });
  });

export type ResetPasswordInput = z.input<typeof resetPasswordSchema>;

/** How long a link works. */
export const RESET_MINUTES = 30;

/** A password to compare, not to set: only its length is limited, so a wrong one is reported as wrong, not as malformed. */
const knownPassword = z
  .string({ error: ACCOUNT_MESSAGES.required })
  .min(1, { error: ACCOUNT_MESSAGES.required, abort: true })
  .max(MAX_PASSWORD_LENGTH, { error: ACCOUNT_MESSAGES.wrongPassword });

/** Changing the password while signed in. */
export const changePasswordSchema = z
  .object({
    currentPassword: knownPassword,
    newPassword: passwordSchema,
    confirmPassword: z
      .string({ error: ACCOUNT_MESSAGES.required })
      .min(1, { error: ACCOUNT_MESSAGES.required })
      .meta(SAME_LENGTH),
    code: optionalCode.describe('Code for two-step sign-in, if the account has it'),
    endLinks: z
      .boolean()
      .default(false)
      .describe(
        'Also end shared reports, the calendar link, webhooks, the ntfy topic, and push to browsers whose session is over',
      ),
  })
  .superRefine((value, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (value.newPassword !== value.confirmPassword)
      issue('confirmPassword', ACCOUNT_MESSAGES.passwordsDiffer);
    if (value.newPassword === value.currentPassword) issue('newPassword', ACCOUNT_MESSAGES.samePassword);
  });

export type ChangePasswordInput = z.input<typeof changePasswordSchema>;

/** Entering the password again, and a code with two-step sign-in, before changes to the account's security. */
export const confirmPasswordSchema = z.object({ password: knownPassword, code: optionalCode });

export type ConfirmPasswordInput = z.input<typeof confirmPasswordSchema>;

/** The first step of an address change. */
export const changeEmailSchema = z.object({ email: emailSchema });

export type ChangeEmailInput = z.input<typeof changeEmailSchema>;

/** How long the link to the new address works. */
export const EMAIL_MINUTES = 60;

/** How long the link mailed at registration works. */
export const CONFIRMATION_HOURS = 72;

export const EMAIL_MESSAGES = {
  same: 'This is already the email address of your account',
  /** The same whether or not another account has the address. */
  linkSent: 'We have sent a link to the new address. Open it to confirm the change.',
  over: 'This link has been used or has expired, or the address cannot be used. Please request a new one in your profile.',
  sent: 'We have sent the link again',
  confirmedAlready: 'Your email address is already confirmed.',
  confirmed: 'Your email address is confirmed',
  done: 'Your account has a new email address',
} as const;

export const DELETION_MESSAGES = {
  email: 'This is not the email address of this account',
  superAdmin: 'A super admin cannot be deleted. Have another super admin change your role first.',
  alreadyScheduled: 'This account is already scheduled for deletion.',
  late: 'No deletion is scheduled.',
} as const;

/** Deleting one's own account, confirmed by typing its address. */
export const deleteAccountSchema = z.object({
  email: z
    .string({ error: ACCOUNT_MESSAGES.required })
    .max(1024, { error: DELETION_MESSAGES.email })
    .transform(normaliseEmail)
    .refine((email) => email !== '', { error: ACCOUNT_MESSAGES.required }),
});

export type DeleteAccountInput = z.input<typeof deleteAccountSchema>;

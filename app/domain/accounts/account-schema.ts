import * as z from 'zod';
import { MAX_EMAIL_LENGTH, normaliseEmail, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './account.ts';
import { isTimeZone } from '#app/domain/time/zoned-time.ts';

/** Messages of sign-in and registration. */
export const ACCOUNT_MESSAGES = {
  required: 'Please fill in all fields',
  email: 'Enter a valid email address',
  passwordShort: 'Password must be at least 6 characters',
  passwordLong: `Password must be at most ${MAX_PASSWORD_LENGTH} characters`,
  passwordCommon: 'This password is one of the most common ones. Choose another.',
  passwordsDiffer: 'Passwords do not match',
  terms: 'You must agree to the Terms of Service',
  age: 'You must be 18 or older to use this service',
  invalidCredentials: 'Invalid email or password',
  registrationFailed: 'Registration failed. Please try again.',
  suspended: 'This account is suspended. Contact support.',
  signedOut: 'You were signed out. Sign in to finish saving.',
  signedOutLong:
    'You were signed out, and what you typed is too long to be kept. Go back in your browser and copy it before you sign in.',
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
  );

/** A password as typed: blanks belong to it, nothing is cut. */
export const passwordSchema = filled()
  .min(MIN_PASSWORD_LENGTH, { error: ACCOUNT_MESSAGES.passwordShort, abort: true })
  .max(MAX_PASSWORD_LENGTH, { error: ACCOUNT_MESSAGES.passwordLong });

const confirmed = (message: string) =>
  z.boolean({ error: message }).refine((value) => value, { error: message });

/** Whether both passwords were typed, whatever else is wrong. */
function isTypedTwice(value: unknown): boolean {
  const { password, confirmPassword } = (value ?? {}) as Record<string, unknown>;
  return [password, confirmPassword].every((text) => typeof text === 'string' && text !== '');
}

/** Registration, by page, API and tests alike. `plan: "trial"` starts the trial, `ref` is who sent them. */
export const registerSchema = z
  .object({
    email: emailSchema,
    password: passwordSchema,
    confirmPassword: filled(),
    agreeToTerms: confirmed(ACCOUNT_MESSAGES.terms),
    ageVerification: confirmed(ACCOUNT_MESSAGES.age),
    plan: z.literal('trial').optional().catch(undefined),
    ref: z
      .string()
      .trim()
      .max(64)
      .regex(/^[A-Za-z0-9_-]+$/)
      .optional()
      .catch(undefined),
    timeZone: z.string().refine(isTimeZone).optional().catch(undefined),
  })
  .refine((value) => value.password === value.confirmPassword, {
    path: ['confirmPassword'],
    error: ACCOUNT_MESSAGES.passwordsDiffer,
    // Beside the other fields' messages, so that one answer names everything that is wrong.
    when: ({ value }) => isTypedTwice(value),
  });

export type RegisterInput = z.input<typeof registerSchema>;

/** Sign-in. The form of the address is not checked: a malformed one is simply unknown. */
export const signInSchema = z.object({
  email: filled()
    .transform(normaliseEmail)
    .pipe(
      z
        .string({ error: ACCOUNT_MESSAGES.required })
        .min(1, { error: ACCOUNT_MESSAGES.required })
        .max(1024, { error: ACCOUNT_MESSAGES.invalidCredentials }),
    ),
  password: passwordSchema,
  remember: z.boolean().optional().default(false),
});

export type SignInInput = z.input<typeof signInSchema>;

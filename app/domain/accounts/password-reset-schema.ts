import * as z from 'zod';
import { ACCOUNT_MESSAGES, emailSchema, passwordSchema } from './account-schema.ts';

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

/** The answer whether or not the address has an account. */
export const RESET_ASKED =
  'If there is an account with this address, we have sent a link to it. The link works for 30 minutes.';

/** The message of a link that does not work. */
export const RESET_LINK_OVER = 'This link has been used or has expired. Please request a new one.';

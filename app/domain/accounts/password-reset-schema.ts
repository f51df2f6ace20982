import * as z from 'zod';
import { ACCOUNT_MESSAGES, emailSchema, passwordSchema } from './account-schema.ts';

/** Asking for a link to a new password. */
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

/** What is answered whether or not the address has an account. */
export const RESET_ASKED =
  'If there is an account with this address, a mail with a link is on its way. The link works for 30 minutes.';

/** What a link that does not work says. */
export const RESET_LINK_OVER = 'This link has been used or is too old. Ask for a new one.';

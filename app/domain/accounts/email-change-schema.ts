import * as z from 'zod';
import { emailSchema } from './account-schema.ts';

/** The first step of an address change. */
export const changeEmailSchema = z.object({ email: emailSchema });

export type ChangeEmailInput = z.input<typeof changeEmailSchema>;

/** How long the link to the new address works. */
export const EMAIL_MINUTES = 60;

export const EMAIL_MESSAGES = {
  same: 'This is already the address of your account',
  /** The same whether or not somebody else has the address. */
  asked: 'We have sent a link to the new address. Open it to confirm the change.',
  over: 'This link has been used or has expired, or the address cannot be used. Please request the change again.',
  done: 'Your account has a new address',
} as const;

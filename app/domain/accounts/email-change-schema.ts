import * as z from 'zod';
import { emailSchema } from './account-schema.ts';

/** The first step of an address change. */
export const changeEmailSchema = z.object({ email: emailSchema });

export type ChangeEmailInput = z.input<typeof changeEmailSchema>;

/** How long the link to the new address works. */
export const EMAIL_MINUTES = 60;

/** How long the link works that is mailed at registration. */
export const CONFIRMATION_HOURS = 72;

export const EMAIL_MESSAGES = {
  same: 'This is already the address of your account',
  /** The same whether or not somebody else has the address. */
  asked: 'We have sent a link to the new address. Open it to confirm the change.',
  over: 'This link has been used or has expired, or the address cannot be used. Please request a new one in your profile.',
  sent: 'We have sent the link again',
  confirmedAlready: 'Your address is confirmed already.',
  confirmed: 'Your address is confirmed',
  done: 'Your account has a new address',
} as const;

import * as z from 'zod';
import { emailSchema } from './account-schema.ts';

/** Asking for another address. */
export const changeEmailSchema = z.object({ email: emailSchema });

export type ChangeEmailInput = z.input<typeof changeEmailSchema>;

/** How long the link to the new address works. */
export const EMAIL_MINUTES = 60;

export const EMAIL_MESSAGES = {
  same: 'This is the address of your account already',
  /** The same whether or not somebody else has the address. */
  asked: 'A mail with a link is on its way to the new address. The address changes when the link is opened.',
  over: 'This link has been used, is too old, or the address cannot be used. Ask for the change again.',
  done: 'Your account has a new address',
} as const;

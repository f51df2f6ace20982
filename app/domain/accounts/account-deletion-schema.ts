import * as z from 'zod';
import { normaliseEmail } from './email.ts';
import { ACCOUNT_MESSAGES } from './account-schema.ts';

export const DELETION_MESSAGES = {
  email: 'This is not the address of this account',
  superAdmin: 'A super admin cannot be deleted. Have another super admin change your role first.',
  asked: 'This account will be deleted already.',
  late: 'There is no deletion to call off.',
} as const;

/** Asking for the deletion of one's account: its address, typed. */
export const deleteAccountSchema = z.object({
  email: z
    .string({ error: ACCOUNT_MESSAGES.required })
    .max(1024, { error: DELETION_MESSAGES.email })
    .transform(normaliseEmail)
    .refine((email) => email !== '', { error: ACCOUNT_MESSAGES.required }),
});

export type DeleteAccountInput = z.input<typeof deleteAccountSchema>;

import * as z from 'zod';
import { normaliseEmail } from './account.ts';
import { ACCOUNT_MESSAGES } from './account-schema.ts';

export const DELETION_MESSAGES = {
  email: 'This is not the address of this account',
  superAdmin: 'A super admin cannot be deleted. Have another super admin change your role first.',
  asked: 'This account is already scheduled for deletion.',
  late: 'No deletion is scheduled.',
} as const;

/** The request to delete one's account, confirmed by typing its address. */
export const deleteAccountSchema = z.object({
  email: z
    .string({ error: ACCOUNT_MESSAGES.required })
    .max(1024, { error: DELETION_MESSAGES.email })
    .transform(normaliseEmail)
    .refine((email) => email !== '', { error: ACCOUNT_MESSAGES.required }),
});

export type DeleteAccountInput = z.input<typeof deleteAccountSchema>;

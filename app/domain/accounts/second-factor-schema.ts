import * as z from 'zod';

export const SECOND_FACTOR_MESSAGES = {
  code: 'Enter the code',
  wrong: 'This code is not right, or it was used already. Wait for the next one.',
  again: 'This sign-in took too long, or there were too many wrong codes. Please sign in again.',
  askCode: 'This account needs a code from its authenticator app.',
  on: 'Two-step sign-in is already on.',
  off: 'Two-step sign-in is not on.',
  stale: 'The setup was restarted elsewhere. Scan the code again.',
} as const;

/** A code from an authenticator app, or a recovery code. Their forms tell them apart. */
export const codeSchema = z.object({
  code: z
    .string({ error: SECOND_FACTOR_MESSAGES.code })
    .trim()
    .min(1, { error: SECOND_FACTOR_MESSAGES.code })
    .max(64, { error: SECOND_FACTOR_MESSAGES.wrong }),
});

export type CodeInput = z.input<typeof codeSchema>;

import * as z from 'zod';

export const SECOND_FACTOR_MESSAGES = {
  code: 'Enter the code',
  wrong: 'This code is not right, or it was used already. Wait for the next one.',
  again: 'This sign-in took too long or had too many wrong codes. Please sign in again.',
  required: 'Administrators need two-step sign-in. Set it up first.',
  askCode: 'This account asks for a code of its authenticator app.',
  on: 'Two-step sign-in is on already.',
  off: 'Two-step sign-in is not on.',
  stale: 'This setup was begun anew elsewhere. Scan the code again.',
} as const;

/** A code of an authenticator app, or a recovery code. Which of them it is shows from its form. */
export const codeSchema = z.object({
  code: z
    .string({ error: SECOND_FACTOR_MESSAGES.code })
    .trim()
    .min(1, { error: SECOND_FACTOR_MESSAGES.code })
    .max(64, { error: SECOND_FACTOR_MESSAGES.wrong }),
});

export type CodeInput = z.input<typeof codeSchema>;

import * as z from 'zod';
import { passkeyField } from './passkey-schema.ts';

export const SECOND_FACTOR_MESSAGES = {
  code: 'Enter the code',
  wrong: 'This code is not right, or it was used already. Wait for the next one.',
  again: 'This sign-in took too long, or there were too many wrong codes. Please sign in again.',
  askCode: 'This account needs a code from its authenticator app.',
  on: 'Two-step sign-in is already on.',
  off: 'Two-step sign-in is not on.',
  stale: 'The setup was restarted elsewhere. Scan the code again.',
} as const;

const typedCode = z
  .string({ error: SECOND_FACTOR_MESSAGES.code })
  .trim()
  .max(64, { error: SECOND_FACTOR_MESSAGES.wrong });

/** A code from an authenticator app, or a recovery code. Their forms tell them apart. */
export const codeSchema = z.object({ code: typedCode.min(1, { error: SECOND_FACTOR_MESSAGES.code }) });

/** The same where only accounts with two-step sign-in are asked for it. */
export const optionalCode = typedCode.optional();

/** Turning two-step sign-in off. The operation asks for the code, after it has looked whether there is something to turn off. */
export const turnOffSchema = z.object({ code: optionalCode, passkey: passkeyField.optional() });

export type TurnOffInput = z.input<typeof turnOffSchema>;

export type CodeInput = z.input<typeof codeSchema>;

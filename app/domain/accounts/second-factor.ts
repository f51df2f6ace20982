import * as z from 'zod';
import { passkeyField } from './passkey-schema.ts';

export const SECOND_FACTOR_MESSAGES = {
  code: 'Enter the code',
  wrong: 'This code is wrong or was already used. Wait for the next one.',
  again: 'This sign-in took too long, or there were too many wrong codes. Please sign in again.',
  askCode: 'Enter the code from your authenticator app.',
  on: 'Two-step sign-in is already on.',
  off: 'Two-step sign-in is not on.',
  stale: 'The setup was restarted elsewhere. Scan the code again.',
} as const;

const typedCode = z
  .string({ error: SECOND_FACTOR_MESSAGES.code })
  .trim()
  .max(64, { error: SECOND_FACTOR_MESSAGES.wrong });

/** A code from an authenticator app, or a recovery code. Their formats tell them apart. */
export const codeSchema = z.object({ code: typedCode.min(1, { error: SECOND_FACTOR_MESSAGES.code }) });

/** The two forms of the page that sets it up. */
export const setupFormSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('begin') }),
  codeSchema.extend({ intent: z.literal('confirm').optional() }),
]);

/** The same where only accounts with two-step sign-in need it. */
export const optionalCode = typedCode.optional();

/** Turning two-step sign-in off. The operation requires the code once it knows that two-step sign-in is on. */
export const turnOffSchema = z.object({ code: optionalCode, passkey: passkeyField.optional() });

export type TurnOffInput = z.input<typeof turnOffSchema>;

export type CodeInput = z.input<typeof codeSchema>;

/** Digits of a code, as every authenticator app shows it (RFC 6238). */
export const CODE_DIGITS = 6;

/** How long one code is shown, in seconds. */
export const STEP_SECONDS = 30;

/** Steps before and after the current one that are accepted, since clocks differ and typing takes time (RFC 6238, 5.2). */
export const STEP_TOLERANCE = 1;

/** Bytes of a new secret: those of the hash behind it (RFC 4226, section 4, R6). */
export const SECRET_BYTES = 20;

/** The number of the step that an instant falls into. */
export function stepOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000 / STEP_SECONDS);
}

/** A typed code without spaces and hyphens; null when it cannot be a code. */
export function parseCode(text: string): string | null {
  const code = text.replace(/[\s-]/g, '');
  return /^\d{6}$/.test(code) ? code : null;
}

/**
 * Whether a correct code may still be used: each works once, and none older than the last accepted one works (RFC 6238,
 * section 5.2). Store an accepted code's step with an update that requires the stored step to be smaller.
 * @param step the step whose code it is
 * @param lastStep the step of the last code that was accepted; null before the first
 */
export function isFreshStep(step: number, lastStep: number | null): boolean {
  return lastStep === null || step > lastStep;
}

/** Recovery codes that an account gets at a time. */
export const RECOVERY_CODES = 10;

/** Bytes behind one code: 80 bits, above what can be guessed even without a throttle. */
export const RECOVERY_CODE_BYTES = 10;

/** Crockford's base 32: 32 characters that cannot be mistaken for one another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const LENGTH = 16;

function signs(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group, 2)]).join('');
}

/** A code as shown and printed: four groups of four. */
export function formatRecoveryCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-');
}

/**
 * New recovery codes in their stored form (16 characters). They are shown once and kept as hashes.
 * @param random `RECOVERY_CODES * RECOVERY_CODE_BYTES` random bytes
 */
export function recoveryCodes(random: Uint8Array): string[] {
  if (random.length !== RECOVERY_CODES * RECOVERY_CODE_BYTES)
    throw new RangeError('wrong number of random bytes');
  return Array.from({ length: RECOVERY_CODES }, (_, index) =>
    signs(random.subarray(index * RECOVERY_CODE_BYTES, (index + 1) * RECOVERY_CODE_BYTES)),
  );
}

/** A typed code in its stored form, with common mix-ups corrected (O is 0; I and L are 1). Null when it cannot be a code. */
export function parseRecoveryCode(text: string): string | null {
  if (text.length > 64) return null;
  const code = text.replace(/[\s-]/g, '').toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');
  return code.length === LENGTH && [...code].every((sign) => ALPHABET.includes(sign)) ? code : null;
}

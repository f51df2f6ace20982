import { createHash, randomBytes } from 'node:crypto';
import {
  formatRecoveryCode,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  recoveryCodes,
} from '#app/domain/accounts/recovery-codes.ts';

/** What is stored of a recovery code. Its 80 random bits need no slow hash. @param code in its stored form */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(`recovery\n${code}`).digest('base64url');
}

/** A new set: the codes as they are shown, once, and the hashes that are kept. */
export function makeRecoveryCodes(): { shown: string[]; hashes: string[] } {
  const codes = recoveryCodes(randomBytes(RECOVERY_CODES * RECOVERY_CODE_BYTES));
  return { shown: codes.map(formatRecoveryCode), hashes: codes.map(hashRecoveryCode) };
}

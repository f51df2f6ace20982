import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Prefix of every encrypted text. Another method needs another prefix. */
const METHOD = 'sealed1.';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Purpose and owner of a secret. A text encrypted for one purpose or owner cannot be decrypted for another. */
export interface SecretUse {
  purpose: string;
  ownerId: string;
}

function keyOf(serverSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', serverSecret, 'vialbook', purpose, 32));
}

/** Whether a stored text is encrypted; early versions stored plain texts. */
export const isEncrypted = (stored: string) => stored.startsWith(METHOD);

/**
 * Encrypts a secret for storage (AES-256-GCM, NIST SP 800-38D) with a key that is not in the database, so that the database
 * alone, or a backup of it, reveals nothing.
 * @param serverSecret the secret from which the key is derived (HKDF, RFC 5869); without it nothing can be decrypted
 */
export function encryptSecret(serverSecret: string, { purpose, ownerId }: SecretUse, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(serverSecret, purpose), nonce);
  cipher.setAAD(Buffer.from(ownerId));
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return METHOD + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** The secret in a stored text; null if it was encrypted with another key or for another use, or was modified. */
export function decryptSecret(
  serverSecret: string,
  { purpose, ownerId }: SecretUse,
  stored: string,
): string | null {
  const bytes = Buffer.from(stored.slice(METHOD.length), 'base64url');
  if (!isEncrypted(stored) || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const rest = bytes.subarray(NONCE_BYTES);
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(serverSecret, purpose),
      bytes.subarray(0, NONCE_BYTES),
      { authTagLength: TAG_BYTES },
    );
    decipher.setAAD(Buffer.from(ownerId));
    decipher.setAuthTag(rest.subarray(0, TAG_BYTES));
    return Buffer.concat([decipher.update(rest.subarray(TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    // The authentication tag does not match.
    return null;
  }
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Before each sealed text; what comes after a change of the method gets another. */
const METHOD = 'sealed1.';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a secret is for and whose it is. A text that was sealed for one thing does not open for another. */
export interface SealContext {
  purpose: string;
  ownerId: string;
}

function keyOf(serverSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', serverSecret, 'vialbook', purpose, 32));
}

/** Whether a stored text is sealed; one from before this was done is not. */
export const isSealed = (stored: string) => stored.startsWith(METHOD);

/**
 * A secret in the form in which it is stored: encrypted (AES-256-GCM, NIST SP 800-38D) with a key that is not in the
 * database, so that the database alone, or a backup of it, opens nothing.
 * @param serverSecret the secret that the key is derived from (HKDF, RFC 5869); without it nothing opens again
 */
export function seal(serverSecret: string, { purpose, ownerId }: SealContext, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(serverSecret, purpose), nonce);
  cipher.setAAD(Buffer.from(ownerId));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return METHOD + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** What was sealed; null when it was sealed with another secret, for something else, or was changed since. */
export function unseal(
  serverSecret: string,
  { purpose, ownerId }: SealContext,
  stored: string,
): string | null {
  const bytes = Buffer.from(stored.slice(METHOD.length), 'base64url');
  if (!isSealed(stored) || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
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
    // A tag that does not fit is the one way in which this fails.
    return null;
  }
}

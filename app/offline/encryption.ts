export const SEALING = {
  version: '1.0',
  iterations: 100_000,
  hash: 'SHA-256',
  keyBits: 256,
  saltBytes: 16,
  ivBytes: 12,
} as const;

export const SEALING_ERRORS = {
  encrypt: 'Failed to encrypt data',
  decrypt: 'Failed to decrypt data - possibly corrupted or wrong key',
} as const;

/** An encrypted item as it is stored. */
export interface Sealed {
  version: string;
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

/** The decrypted item: any JSON value, with times in ms. If `expiresAt` is null, it never expires. */
export interface Item<Value> {
  value: Value;
  timestamp: number;
  expiresAt: number | null;
}

const bytes = (text: string) => new TextEncoder().encode(text);

export const randomBytes = (length: number): Uint8Array<ArrayBuffer> =>
  crypto.getRandomValues(new Uint8Array(length));

/**
 * Derives the key of a session's store with PBKDF2 from the email address and the session's secret. The key cannot be
 * extracted from the browser.
 */
export async function deriveKey(
  email: string,
  secret: string,
  salt: Uint8Array<ArrayBuffer>,
): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', bytes(`${email}:${secret}`), 'PBKDF2', false, [
    'deriveKey',
  ]);
  const { iterations, hash, keyBits } = SEALING;
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', salt, iterations, hash },
    material,
    { name: 'AES-GCM', length: keyBits },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** Encrypts an item with AES-GCM and a new IV. @throws Error 'Failed to encrypt data' */
export async function seal<Value>(key: CryptoKey, item: Item<Value>): Promise<Sealed> {
  try {
    const iv = randomBytes(SEALING.ivBytes);
    const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, bytes(JSON.stringify(item)));
    return { version: SEALING.version, iv, data };
  } catch (cause) {
    throw new Error(SEALING_ERRORS.encrypt, { cause });
  }
}

function isItem(value: unknown): value is Item<unknown> {
  if (typeof value !== 'object' || value === null || !('value' in value)) return false;
  const { timestamp, expiresAt } = value as Partial<Item<unknown>>;
  return typeof timestamp === 'number' && (expiresAt === null || typeof expiresAt === 'number');
}

/**
 * Decrypts what {@link seal} made.
 * @throws Error 'Failed to decrypt data - possibly corrupted or wrong key', also for another version
 */
export async function unseal<Value>(key: CryptoKey, sealed: Sealed): Promise<Item<Value>> {
  try {
    const { version, iv, data } = sealed;
    if (version !== SEALING.version) throw new Error(`version ${version}`);
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data);
    const item: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
    if (!isItem(item)) throw new Error('not an item');
    return item as Item<Value>;
  } catch (cause) {
    throw new Error(SEALING_ERRORS.decrypt, { cause });
  }
}

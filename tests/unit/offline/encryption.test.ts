import { describe, expect, it } from 'vitest';
import { SEALING_ERRORS, deriveKey, randomBytes, seal, SEALING, unseal } from '#app/offline/encryption.ts';

const fromHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const toHex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex');

const ITEM = { value: { dose: '250 mcg', name: 'BPC-157' }, timestamp: 1_795_334_400_000, expiresAt: null };

const someKey = (salt = randomBytes(SEALING.saltBytes)) => deriveKey('ada@example.org', 's3cret', salt);

describe('the encryption parameters', () => {
  it('are the specified ones', () => {
    expect(SEALING).toEqual({
      version: '1.0',
      iterations: 100_000,
      hash: 'SHA-256',
      keyBits: 256,
      saltBytes: 16,
      ivBytes: 12,
    });
  });

  it('are used: 16 bytes of salt, 12 of IV, a new IV each time, a key that cannot be extracted', async () => {
    const key = await someKey();
    expect(key.extractable).toBe(false);
    expect(key.algorithm).toMatchObject({ name: 'AES-GCM', length: 256 });
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
    const [one, two] = [await seal(key, ITEM), await seal(key, ITEM)];
    expect([one.version, one.iv.length, two.iv.length]).toEqual(['1.0', 12, 12]);
    expect(toHex(one.iv.buffer)).not.toBe(toHex(two.iv.buffer));
  });
});

describe('known encryption vectors', () => {
  // RFC 7914, section 11 (PBKDF2-HMAC-SHA-256), the first 32 of its 64 bytes.
  it.each([
    ['passwd', 'salt', 1, '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc'],
    ['Password', 'NaCl', 80_000, '4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56'],
  ])('PBKDF2 of %s', async (password, salt, iterations, expected) => {
    const encode = (text: string) => new TextEncoder().encode(text);
    const material = await crypto.subtle.importKey('raw', encode(password), 'PBKDF2', false, ['deriveBits']);
    const algorithm = { name: 'PBKDF2', salt: encode(salt), iterations, hash: SEALING.hash };
    expect(toHex(await crypto.subtle.deriveBits(algorithm, material, 256))).toBe(expected);
  });

  // McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 13 and 14: 256 bits, an IV of 12 bytes.
  it.each([
    ['', '530f8afbc74536b9a963b4f1c4cb738b'],
    ['00000000000000000000000000000000', 'cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919'],
  ])('AES-GCM of "%s"', async (plain, expected) => {
    const key = await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', false, ['encrypt']);
    const iv = new Uint8Array(12);
    expect(toHex(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, fromHex(plain)))).toBe(expected);
  });

  it('our key equals PBKDF2 of "email:secret" as computed by another library', async () => {
    const salt = fromHex('000102030405060708090a0b0c0d0e0f');
    const sealed = await seal(await deriveKey('ada@example.org', 'AAECAw', salt), ITEM);
    const { pbkdf2Sync, createDecipheriv } = await import('node:crypto');
    const raw = pbkdf2Sync('ada@example.org:AAECAw', salt, 100_000, 32, 'sha256');
    const decipher = createDecipheriv('aes-256-gcm', raw, sealed.iv);
    const bytes = Buffer.from(sealed.data);
    decipher.setAuthTag(bytes.subarray(-16));
    const text = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString();
    expect(JSON.parse(text)).toEqual(ITEM);
  });
});

describe('an encrypted item', () => {
  it('decrypts to the original value', async () => {
    const key = await someKey();
    expect(await unseal(key, await seal(key, ITEM))).toEqual(ITEM);
  });

  it('cannot be decrypted if a single bit is changed', async () => {
    const key = await someKey();
    const sealed = await seal(key, ITEM);
    for (const part of ['iv', 'data'] as const) {
      const copy = { ...sealed, iv: sealed.iv.slice(), data: sealed.data.slice(0) };
      const bytes = part === 'iv' ? copy.iv : new Uint8Array(copy.data);
      bytes[3] = (bytes[3] ?? 0) ^ 1;
      await expect(unseal(key, copy)).rejects.toThrow(SEALING_ERRORS.decrypt);
    }
  });

  it.each(['2.0', '', '0.9'])('is refused with version "%s"', async (version) => {
    const key = await someKey();
    await expect(unseal(key, { ...(await seal(key, ITEM)), version })).rejects.toThrow(
      SEALING_ERRORS.decrypt,
    );
  });

  it('cannot be decrypted with the key of another salt, email or secret', async () => {
    const salt = randomBytes(16);
    const sealed = await seal(await deriveKey('ada@example.org', 's', salt), ITEM);
    for (const other of [
      await deriveKey('ada@example.org', 's', randomBytes(16)),
      await deriveKey('bob@example.org', 's', salt),
      await deriveKey('ada@example.org', 't', salt),
    ])
      await expect(unseal(other, sealed)).rejects.toThrow(
        'Failed to decrypt data - possibly corrupted or wrong key',
      );
  });

  it('with invalid content, or empty, is refused with the same message', async () => {
    const key = await someKey();
    const iv = randomBytes(12);
    for (const text of ['', '7', 'null', '{"value":1}', '{"value":1,"timestamp":"x","expiresAt":null}']) {
      const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text));
      await expect(unseal(key, { version: '1.0', iv, data })).rejects.toThrow(SEALING_ERRORS.decrypt);
    }
    await expect(unseal(key, { version: '1.0', iv, data: new ArrayBuffer(0) })).rejects.toThrow(
      SEALING_ERRORS.decrypt,
    );
  });

  it('that cannot be encrypted fails with the specified message', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await expect(seal(await someKey(), { ...ITEM, value: circle })).rejects.toThrow('Failed to encrypt data');
  });
});

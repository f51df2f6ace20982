import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decryptSecret, encryptSecret, isEncrypted } from '#app/platform/secrets/encrypted-secret.server.ts';

const SERVER = 'the secret of a server, long enough to be one';
const MINE = { purpose: 'second factor', ownerId: 'user-1' };

describe('an encrypted secret', () => {
  it('decrypts to the original, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, ownerId) => {
        const whose = { purpose: 'second factor', ownerId };
        const stored = encryptSecret(SERVER, whose, plain);
        expect(isEncrypted(stored)).toBe(true);
        expect(decryptSecret(SERVER, whose, stored)).toBe(plain);
      }),
    );
  });

  it('is different each time, and never contains the secret', () => {
    const stored = Array.from({ length: 50 }, () => encryptSecret(SERVER, MINE, 'JBSWY3DPEHPK3PXP'));
    expect(new Set(stored).size).toBe(50);
    expect(stored.join(' ')).not.toContain('JBSWY3DP');
  });

  it('cannot be decrypted with another key, for another owner or another purpose', () => {
    const stored = encryptSecret(SERVER, MINE, 'JBSWY3DPEHPK3PXP');
    expect(decryptSecret(`${SERVER}!`, MINE, stored)).toBeNull();
    expect(decryptSecret(SERVER, { ...MINE, ownerId: 'user-2' }, stored)).toBeNull();
    expect(decryptSecret(SERVER, { ...MINE, purpose: 'something else' }, stored)).toBeNull();
  });

  it('cannot be decrypted if a single byte was changed', () => {
    const stored = encryptSecret(SERVER, MINE, 'JBSWY3DPEHPK3PXP');
    const [method = '', data = ''] = stored.split('.');
    const bytes = Buffer.from(data, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ difference;
        expect(decryptSecret(SERVER, MINE, `${method}.${changed.toString('base64url')}`)).toBeNull();
      }),
    );
  });

  it.each(['', 'sealed1.', 'sealed1.AAAA', 'sealed2.AAAA', 'JBSWY3DPEHPK3PXP'])(
    '%j opens to nothing',
    (text) => {
      expect(decryptSecret(SERVER, MINE, text)).toBeNull();
    },
  );

  it('is distinguished from one stored in plain text', () => {
    expect(isEncrypted('JBSWY3DPEHPK3PXP')).toBe(false);
  });
});

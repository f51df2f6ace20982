import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSealed, seal, unseal } from '#app/platform/secrets/encrypted-secret.server.ts';

const SERVER = 'the secret of a server, long enough to be one';
const MINE = { purpose: 'second factor', ownerId: 'user-1' };

describe('a sealed secret', () => {
  it('opens to what was sealed, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, ownerId) => {
        const whose = { purpose: 'second factor', ownerId };
        const stored = seal(SERVER, whose, plain);
        expect(isSealed(stored)).toBe(true);
        expect(unseal(SERVER, whose, stored)).toBe(plain);
      }),
    );
  });

  it('looks different each time, and never contains the secret', () => {
    const stored = Array.from({ length: 50 }, () => seal(SERVER, MINE, 'JBSWY3DPEHPK3PXP'));
    expect(new Set(stored).size).toBe(50);
    expect(stored.join(' ')).not.toContain('JBSWY3DP');
  });

  it('opens with no other secret, for nobody else, and for nothing else', () => {
    const stored = seal(SERVER, MINE, 'JBSWY3DPEHPK3PXP');
    expect(unseal(`${SERVER}!`, MINE, stored)).toBeNull();
    expect(unseal(SERVER, { ...MINE, ownerId: 'user-2' }, stored)).toBeNull();
    expect(unseal(SERVER, { ...MINE, purpose: 'something else' }, stored)).toBeNull();
  });

  it('opens to nothing when a single byte of it was changed', () => {
    const stored = seal(SERVER, MINE, 'JBSWY3DPEHPK3PXP');
    const [method = '', data = ''] = stored.split('.');
    const bytes = Buffer.from(data, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ difference;
        expect(unseal(SERVER, MINE, `${method}.${changed.toString('base64url')}`)).toBeNull();
      }),
    );
  });

  it.each(['', 'sealed1.', 'sealed1.AAAA', 'sealed2.AAAA', 'JBSWY3DPEHPK3PXP'])(
    '%j opens to nothing',
    (text) => {
      expect(unseal(SERVER, MINE, text)).toBeNull();
    },
  );

  it('is told from one that was stored before', () => {
    expect(isSealed('JBSWY3DPEHPK3PXP')).toBe(false);
  });
});

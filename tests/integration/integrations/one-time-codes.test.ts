import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SECRET_BYTES, stepOf } from '#app/domain/accounts/second-factor.ts';
import {
  matchOneTimeCode,
  oneTimeCode,
  oneTimeSecret,
  oneTimeUri,
} from '#app/integrations/one-time-codes.server.ts';

/** The shared secret of RFC 6238, appendix B. */
const rfcSecret = oneTimeSecret(Buffer.from('12345678901234567890'));

describe('one-time codes', () => {
  it('match RFC 6238, appendix B, cut to six digits', () => {
    expect(rfcSecret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(oneTimeCode(rfcSecret, new Date(59_000))).toBe('287082');
    expect(oneTimeCode(rfcSecret, new Date(1_111_111_109_000))).toBe('081804');
    expect(oneTimeCode(rfcSecret, new Date(20_000_000_000_000))).toBe('353130');
  });

  it('are accepted one step early and one step late, and return their step', () => {
    const secret = oneTimeSecret(randomBytes(SECRET_BYTES));
    const now = new Date('2026-03-01T12:00:10Z');
    const codeAt = (steps: number) => oneTimeCode(secret, new Date(now.getTime() + steps * 30_000));
    for (const steps of [-1, 0, 1])
      expect(matchOneTimeCode(secret, codeAt(steps), now)).toBe(stepOf(now) + steps);
    for (const steps of [-3, 3, 120]) expect(matchOneTimeCode(secret, codeAt(steps), now)).toBeNull();
  });

  it('may contain spaces, and are rejected if malformed', () => {
    const now = new Date(59_000);
    expect(matchOneTimeCode(rfcSecret, '287 082', now)).toBe(1);
    for (const typed of ['', '000000', '28708', '2870829', 'abcdef', '287082\n287082']) {
      expect(matchOneTimeCode(rfcSecret, typed, now)).toBeNull();
    }
  });

  it('reach an authenticator through a URI with issuer, account and secret', () => {
    const uri = new URL(oneTimeUri(rfcSecret, 'ann+1@example.org'));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain('Vialbook:ann+1@example.org');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Vialbook',
      secret: rfcSecret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

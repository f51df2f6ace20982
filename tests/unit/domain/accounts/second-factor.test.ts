import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  formatRecoveryCode,
  parseRecoveryCode,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  recoveryCodes,
  isFreshStep,
  parseCode,
  stepOf,
} from '#app/domain/accounts/second-factor.ts';

describe('a code from an authenticator app', () => {
  it.each([
    ['123456', '123456'],
    [' 123 456 ', '123456'],
    ['123-456', '123456'],
    ['12345', null],
    ['1234567', null],
    ['12345a', null],
    ['１２３４５６', null],
    ['', null],
  ])('typed as %j is read as %j', (text, code) => {
    expect(parseCode(text)).toBe(code);
  });

  it('belongs to a step of thirty seconds', () => {
    expect(stepOf(new Date(0))).toBe(0);
    expect(stepOf(new Date(29_999))).toBe(0);
    expect(stepOf(new Date(30_000))).toBe(1);
  });

  it('6.5.1 works once, and never after a later one was used', () => {
    expect(isFreshStep(10, null)).toBe(true);
    expect(isFreshStep(11, 10)).toBe(true);
    expect(isFreshStep(10, 10)).toBe(false);
    expect(isFreshStep(9, 10)).toBe(false);
  });
});

describe('recovery codes', () => {
  const random = randomBytes(RECOVERY_CODES * RECOVERY_CODE_BYTES);

  it('are ten different codes of sixteen characters, made from the random bytes alone', () => {
    const codes = recoveryCodes(random);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/);
    expect(recoveryCodes(random)).toEqual(codes);
    expect(recoveryCodes(new Uint8Array(100))[0]).toBe('0000000000000000');
    expect(recoveryCodes(new Uint8Array(100).fill(255))[0]).toBe('ZZZZZZZZZZZZZZZZ');
  });

  it('refuse too few random bytes', () => {
    expect(() => recoveryCodes(randomBytes(10))).toThrow(RangeError);
  });

  it('are shown in groups and accepted however they are typed', () => {
    const [code = ''] = recoveryCodes(random);
    const shown = formatRecoveryCode(code);
    expect(shown).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}$/);
    expect(parseRecoveryCode(shown)).toBe(code);
    expect(parseRecoveryCode(` ${shown.toLowerCase().replace(/-/g, ' ')}`)).toBe(code);
  });

  it('accept O for 0, and I and L for 1, but no other mix-up', () => {
    expect(parseRecoveryCode('OOOO-IIII-llll-0000')).toBe('0000111111110000');
    expect(parseRecoveryCode('UUUU-UUUU-UUUU-UUUU')).toBeNull();
    expect(parseRecoveryCode('0000-0000-0000')).toBeNull();
    expect(parseRecoveryCode('0'.repeat(10_000))).toBeNull();
  });
});

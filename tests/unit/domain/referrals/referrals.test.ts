import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  mayRefer,
  nextStatus,
  parseReferralCode,
  REFERRAL_ALPHABET,
  REFERRAL_CODE_BYTES,
  referralCode,
  referralLink,
  shareText,
} from '#app/domain/referrals/referral.ts';

describe('a referral code', () => {
  it('uses only letters that cannot be mistaken for one another', () => {
    const code = referralCode(randomBytes(REFERRAL_CODE_BYTES));
    expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{8}$/);
    expect(parseReferralCode(code ?? '')).toBe(code);
  });

  it('skips bytes that would make some letters more likely', () => {
    expect(referralCode(new Uint8Array(REFERRAL_CODE_BYTES).fill(255))).toBeNull();
    expect(referralCode(Uint8Array.from([255, 0, 240, 1, 2, 3, 4, 5, 6, 7, 8]))).toBe('23456789');
    const fair = Uint8Array.from({ length: 240 }, (_, index) => index);
    const letters = Array.from(
      { length: 30 },
      (_, start) => referralCode(fair.subarray(start * 8)) ?? '',
    ).join('');
    for (const letter of REFERRAL_ALPHABET) expect(letters.split(letter)).toHaveLength(9);
  });

  it.each([
    ['2345-6789', '23456789'],
    [' abcd efgh ', 'ABCDEFGH'],
    ['ABCDEFG', null],
    ['ABCDEFGHJ', null],
    ['ABCDEFG0', null],
    ['ABCDEFGI', null],
    ['$ne', null],
    ['A'.repeat(10_000), null],
    ['', null],
  ])('reads %j as %j', (text, code) => {
    expect(parseReferralCode(text)).toBe(code);
  });

  it('is part of a link to this site and of a text to share', () => {
    const link = referralLink('https://vialbook.example', 'ABCDEFGH');
    expect(link).toBe('https://vialbook.example/register?ref=ABCDEFGH');
    expect(shareText(link)).toContain(link);
  });
});

describe('a referral', () => {
  it('needs two people', () => {
    expect(mayRefer({ referrerId: 'a', referredId: 'b' })).toBe(true);
    expect(mayRefer({ referrerId: 'a', referredId: 'a' })).toBe(false);
  });

  it.each([
    ['pending', 'none', 'pending', null],
    ['pending', 'made', 'credited', 'grant'],
    ['pending', 'taken-back', 'reversed', null],
    ['credited', 'made', 'credited', null],
    ['credited', 'taken-back', 'reversed', 'reverse'],
    ['credited', 'none', 'credited', null],
    ['reversed', 'made', 'reversed', null],
    ['reversed', 'taken-back', 'reversed', null],
  ] as const)(
    'that is %s and whose first payment is %s becomes %s, to do: %s',
    (current, payment, status, change) => {
      expect(nextStatus(current, payment)).toEqual({ status, change });
    },
  );
});

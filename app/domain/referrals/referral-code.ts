/** Letters and digits that cannot be mistaken for one another: no 0 and O, no 1, I and L, no U (which is read as V). */
export const REFERRAL_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 30^8 is 6.5 × 10^11: among a million accounts about two draw the same code, which the unique key catches. */
export const REFERRAL_CODE_LENGTH = 8;

/** Bytes to pass to {@link referralCode}: too few for eight letters only once in 10^9 times. */
export const REFERRAL_CODE_BYTES = 24;

/** Bytes from here on are skipped: they would make the first letters of the alphabet likelier than the others. */
const FAIR_BYTES = 256 - (256 % REFERRAL_ALPHABET.length);

/**
 * A new code from random bytes. All codes are equally likely.
 * @returns null when too many of the bytes had to be skipped: pass new ones
 */
export function referralCode(random: Uint8Array): string | null {
  const letters = [...random]
    .filter((byte) => byte < FAIR_BYTES)
    .slice(0, REFERRAL_CODE_LENGTH)
    .map((byte) => REFERRAL_ALPHABET[byte % REFERRAL_ALPHABET.length]);
  return letters.length === REFERRAL_CODE_LENGTH ? letters.join('') : null;
}

/**
 * A code as somebody typed or pasted it, in its stored form: capitals, without blanks and hyphens.
 * @returns null when no code can look like that
 */
export function parseReferralCode(text: string): string | null {
  if (text.length > 64) return null;
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  const isCode =
    code.length === REFERRAL_CODE_LENGTH && [...code].every((letter) => REFERRAL_ALPHABET.includes(letter));
  return isCode ? code : null;
}

/** The link that carries a code. @param appUrl origin of the site, from the settings */
export function referralLink(appUrl: string, code: string): string {
  return `${appUrl}/register?ref=${encodeURIComponent(code)}`;
}

/** The text to send with the link. */
export function shareText(link: string): string {
  return `I use Vialbook for my reconstitution maths and dose log. With this link we both get 30 days of Premium after your first payment: ${link}`;
}

/** The shortest password accepted; the forms recommend 8 and more. */
export const MIN_PASSWORD_LENGTH = 6;

/** The longest one. Far above any passphrase; it only bounds the work of hashing. */
export const MAX_PASSWORD_LENGTH = 1024;

/** Longest address that mail can carry (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL_LENGTH = 254;

/** The form an address is compared and stored in: no blanks around it, lower case, composed characters. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** Longest address that mail can carry (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL_LENGTH = 254;

/** The form an address is compared and stored in: no blanks around it, lower case, composed characters. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

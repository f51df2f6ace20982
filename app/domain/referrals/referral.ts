import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { FirstPayment } from '#app/domain/billing/billing-state.ts';
import {
  dayText,
  type Moment,
  ACCOUNT_REASON,
  LINKS,
  writeLetter,
  type MailText,
  type Site,
} from '#app/domain/mail/letter.ts';

/** Letters and digits that cannot be mistaken for one another: no 0 and O, no 1, I and L, no U (which is read as V). */
export const REFERRAL_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 30^8 is 6.5 × 10^11: among a million accounts about two draw the same code, which the unique key catches. */
const REFERRAL_CODE_LENGTH = 8;

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

/** Days of Premium that a referral earns each of its two accounts. */
export const REFERRAL_CREDIT_DAYS = 30;

/** Premium time given to an account. */
export interface CreditGrant {
  /** Why it was given; unique within the account. */
  id: string;
  grantedAt: Date;
  days: number;
  /** When it was taken back. Days used before stay used. */
  reversedAt: Date | null;
}

/** When one grant begins and ends. */
interface CreditSpan {
  id: string;
  from: Date;
  until: Date;
}

function spanAfter(grant: CreditGrant, earliest: number): CreditSpan {
  const from = Math.max(earliest, grant.grantedAt.getTime());
  const end = from + grant.days * DAY_MS;
  const until = grant.reversedAt === null ? end : Math.min(Math.max(grant.reversedAt.getTime(), from), end);
  return { id: grant.id, from: new Date(from), until: new Date(until) };
}

/**
 * When the grants of an account begin and end, one after the other: each begins when it was given, or when the one before
 * ends. One that is taken back loses its remaining days, and those after it move up; used days are never taken back.
 */
export function creditSpans(grants: readonly CreditGrant[]): CreditSpan[] {
  const inOrder = [...grants].sort(
    (a, b) => a.grantedAt.getTime() - b.grantedAt.getTime() || (a.id < b.id ? -1 : 1),
  );
  return inOrder.reduce<CreditSpan[]>(
    (spans, grant) => [...spans, spanAfter(grant, spans.at(-1)?.until.getTime() ?? 0)],
    [],
  );
}

/** When an account's credit ends, `creditUntil`: the end of the last grant. Null without any. */
export function creditUntil(grants: readonly CreditGrant[]): Date | null {
  return creditSpans(grants).at(-1)?.until ?? null;
}

/** The grants with one more, which begins at its time or when the present credit ends. A known id changes nothing. */
export function grantCredit(
  grants: readonly CreditGrant[],
  grant: Pick<CreditGrant, 'id' | 'grantedAt'> & { days?: number },
): CreditGrant[] {
  if (grants.some(({ id }) => id === grant.id)) return [...grants];
  return [...grants, { days: REFERRAL_CREDIT_DAYS, reversedAt: null, ...grant }];
}

/** The grants with one of them taken back. Doing it again, or with an unknown id, changes nothing. */
export function reverseCredit(grants: readonly CreditGrant[], id: string, at: Date): CreditGrant[] {
  return grants.map((grant) =>
    grant.id === id && grant.reversedAt === null ? { ...grant, reversedAt: at } : grant,
  );
}

/** The grants, all taken back: an admin's downgrade ends all credit at once. */
export function endCredit(grants: readonly CreditGrant[], at: Date): CreditGrant[] {
  return grants.map((grant) => (grant.reversedAt === null ? { ...grant, reversedAt: at } : grant));
}

/** The status of a referral. It only moves to the right: pending, credited, reversed. */
export type ReferralStatus = 'pending' | 'credited' | 'reversed';

/** What happens to the credit of a referral's two accounts. */
type CreditChange = 'grant' | 'reverse' | null;

const STATUS_AFTER = {
  none: 'pending',
  made: 'credited',
  'taken-back': 'reversed',
} as const satisfies Record<FirstPayment, ReferralStatus>;

const RANK: Record<ReferralStatus, number> = { pending: 0, credited: 1, reversed: 2 };

/**
 * The status that follows from the referred account's first payment. A payment that was refunded before it was credited
 * is never credited; one that was reversed is never credited again.
 */
export function nextStatus(
  current: ReferralStatus,
  payment: FirstPayment,
): { status: ReferralStatus; change: CreditChange } {
  const next = STATUS_AFTER[payment];
  if (RANK[next] <= RANK[current]) return { status: current, change: null };
  if (next === 'credited') return { status: next, change: 'grant' };
  return { status: next, change: current === 'credited' ? 'reverse' : null };
}

/** The two accounts of a registration with a code. */
interface Referral {
  referrerId: string;
  referredId: string;
}

/**
 * Whether a referral may exist: nobody refers themselves. The key of the ledger sees to it that an account is referred at
 * most once.
 */
export function mayRefer({ referrerId, referredId }: Referral): boolean {
  return referrerId !== referredId;
}

/** A referral earned Premium. @param data.at when the credit ends now @param data.days how many were added */
export function referralCreditedMail(data: Site & Moment & { days: number }): MailText {
  return writeLetter(
    {
      subject: `${data.days} days of Premium for a referral`,
      blocks: [
        `A referral earned you ${data.days} days of Premium. Your credit now lasts until ${dayText(data)}.`,
        { kind: 'link', label: 'See your referrals', url: LINKS.referrals(data) },
      ],
      reason: ACCOUNT_REASON,
    },
    data,
  );
}

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

/** Letters and digits that cannot be mistaken for one another: no 0 or O, no 1, I or L, no U (it looks like V). */
export const REFERRAL_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 30^8 is 6.5 × 10^11: a million accounts see about one collision, which the unique key catches. */
const REFERRAL_CODE_LENGTH = 8;

/** Bytes to pass to {@link referralCode}. They are too few for eight letters only once in 10^9 times. */
export const REFERRAL_CODE_BYTES = 24;

/** Bytes from this value on are skipped, because they would make the first letters of the alphabet more likely. */
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
 * A typed or pasted code in its stored form: upper case, without spaces and hyphens.
 * @returns null when it cannot be a code
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
  /** When it was taken back. Days used before then still count. */
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
 * When each grant of an account begins and ends. Each begins when it was given or when the previous one ends. A grant that
 * is taken back loses its remaining days and later grants move up; used days are never taken back.
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

/** Adds a grant, which begins when given or when the current credit ends. A known id changes nothing. */
export function grantCredit(
  grants: readonly CreditGrant[],
  grant: Pick<CreditGrant, 'id' | 'grantedAt'> & { days?: number },
): CreditGrant[] {
  if (grants.some(({ id }) => id === grant.id)) return [...grants];
  return [...grants, { days: REFERRAL_CREDIT_DAYS, reversedAt: null, ...grant }];
}

/** Takes one grant back. Doing it again, or with an unknown id, changes nothing. */
export function reverseCredit(grants: readonly CreditGrant[], id: string, at: Date): CreditGrant[] {
  return grants.map((grant) =>
    grant.id === id && grant.reversedAt === null ? { ...grant, reversedAt: at } : grant,
  );
}

/** Takes all grants back: an admin's downgrade ends all credit at once. */
export function endCredit(grants: readonly CreditGrant[], at: Date): CreditGrant[] {
  return grants.map((grant) => (grant.reversedAt === null ? { ...grant, reversedAt: at } : grant));
}

/** The status of a referral. It only moves forward: pending, credited, reversed. */
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
 * Whether a referral is allowed: nobody can refer themselves. The ledger's unique key ensures that an account is referred
 * at most once.
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

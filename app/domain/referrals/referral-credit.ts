import { DAY_MS } from '#app/domain/time/durations.ts';

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
export interface CreditSpan {
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

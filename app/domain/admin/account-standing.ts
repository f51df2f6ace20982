import { isDemoAddress } from '../accounts/account.ts';
import { entitlementOf, graceEndsAt, type EntitlementSources } from '../billing/plans.ts';
import { DAY_MS } from '../time/calendar.ts';

/** What accounts count for in the administrators' figures: of one account, each is 0 or 1. */
export interface AccountFigures {
  total: number;
  /** Entitled to Premium, from any source, on a server that sells plans. */
  premium: number;
  /** Somebody signed in to it, and used it in the last 30 days. */
  active: number;
}

/** What a demo counts for, and an account that is gone or has not been counted yet. */
export const NO_FIGURES: AccountFigures = { total: 0, premium: 0, active: 0 };

/** What an account's standing depends on. */
export interface AccountFacts extends EntitlementSources {
  email: string;
  lastLogin: Date | null;
  lastSeenAt: Date;
}

/** What an account counts for now, and when time alone may change that. */
export interface AccountStanding {
  figures: AccountFigures;
  /** Null if only an act can change it. */
  changesAt: Date | null;
}

const ACTIVE_MS = 30 * DAY_MS;

/** Accounts that were last seen before this instant do not count as active. */
export const activeSince = (now: Date): Date => new Date(now.getTime() - ACTIVE_MS);

/**
 * Whether an account may have to be counted again because somebody uses it now. A day earlier than it stops being active,
 * because clocks differ.
 */
export function comesBack(
  { lastLogin, lastSeenAt }: Pick<AccountFacts, 'lastLogin' | 'lastSeenAt'>,
  now: Date,
) {
  return lastLogin === null || lastSeenAt.getTime() < now.getTime() - ACTIVE_MS + DAY_MS;
}

/** What an account counts for. */
export function standingOf(account: AccountFacts, now: Date): AccountStanding {
  if (isDemoAddress(account.email)) return { figures: NO_FIGURES, changesAt: null };
  const { lastLogin, lastSeenAt, pastDueSince, creditUntil, trialEndsAt } = account;
  const isActive = lastLogin !== null && lastSeenAt >= activeSince(now);
  const { isPremium } = entitlementOf(account, { now: () => now, isSelling: true });
  const ends = [
    ...(pastDueSince === null ? [] : [graceEndsAt(pastDueSince).getTime()]),
    ...[creditUntil, trialEndsAt].flatMap((at) => at?.getTime() ?? []),
    ...(isActive ? [lastSeenAt.getTime() + ACTIVE_MS + 1] : []),
  ].filter((at) => at > now.getTime());
  return {
    figures: { total: 1, premium: isPremium ? 1 : 0, active: isActive ? 1 : 0 },
    changesAt: ends.length === 0 ? null : new Date(Math.min(...ends)),
  };
}

/** The sum of figures. */
export function addFigures(all: readonly AccountFigures[]): AccountFigures {
  return all.reduce(
    (sum, { total, premium, active }) => ({
      total: sum.total + total,
      premium: sum.premium + premium,
      active: sum.active + active,
    }),
    NO_FIGURES,
  );
}

/** How figures differ from earlier ones. */
export function changeOf(from: AccountFigures, to: AccountFigures): AccountFigures {
  return {
    total: to.total - from.total,
    premium: to.premium - from.premium,
    active: to.active - from.active,
  };
}

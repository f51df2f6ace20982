import { DEMO_DOMAIN, type Role, isDemoAddress, normaliseEmail } from '#app/domain/accounts/account.ts';
import { entitlementOf, type EntitlementSources, type EntitlementTerms } from '#app/domain/billing/plans.ts';

export const SUBSCRIPTION_FILTERS = ['all', 'free', 'premium'] as const;
export const STATUS_FILTERS = ['all', 'active', 'trial', 'past_due', 'canceled', 'suspended'] as const;
export const ROLE_FILTERS = ['all', 'user', 'admin', 'super_admin'] as const;
export const USER_SORTS = ['newest', 'oldest', 'email', 'last-active'] as const;

type SubscriptionFilter = (typeof SUBSCRIPTION_FILTERS)[number];
type StatusFilter = (typeof STATUS_FILTERS)[number];
type RoleFilter = (typeof ROLE_FILTERS)[number];

/** Which accounts a list shows. */
export interface UserFilter {
  subscription: SubscriptionFilter;
  status: StatusFilter;
  role: RoleFilter;
  /** Only accounts active since then. */
  activeSince: Date | null;
  /** Only demo accounts instead of only real ones. */
  isOfDemos: boolean;
}

type Filtered = EntitlementSources & { email: string; role: Role; lastSeenAt: Date; lastLogin: Date | null };

export function matchesUserFilter(user: Filtered, filter: UserFilter, terms: EntitlementTerms): boolean {
  if (isDemoAddress(user.email) !== filter.isOfDemos) return false;
  const { subscription, status } = entitlementOf(user, terms);
  if (filter.subscription !== 'all' && filter.subscription !== subscription) return false;
  if (filter.status === 'suspended' && user.suspendedAt === null) return false;
  if (filter.status !== 'all' && filter.status !== 'suspended' && filter.status !== status) return false;
  if (filter.role !== 'all' && filter.role !== user.role) return false;
  // An account made at the terminal has a `lastSeenAt` even if nobody has ever signed in.
  return (
    filter.activeSince === null ||
    (user.lastLogin !== null && user.lastSeenAt.getTime() >= filter.activeSince.getTime())
  );
}

/** A search text, parsed into a query that an index can answer. */
export type UserSearch =
  | { kind: 'none' }
  /** One account, by its id or its customer at the payment provider. */
  | { kind: 'id'; id: string }
  | { kind: 'customer'; id: string }
  /** Demo accounts, which no other search finds: all of them, or those whose address starts with `begins`. */
  | { kind: 'demos'; begins: string | null }
  /** Emails with this text in them. */
  | { kind: 'text'; text: string };

/** What the account search matches, for pages, API and terminal. */
export const USER_SEARCH_HINT = 'Part of an address (anna or @example.org), an account id or a customer id';

/**
 * Parses a search text. Every character is literal; there are no patterns or operators. `cus_…` is a customer, 24 hexadecimal
 * digits an id, and anything else part of an email.
 */
export function readUserSearch(typed: string): UserSearch {
  const trimmed = typed.trim();
  if (trimmed === '' || trimmed === '@') return { kind: 'none' };
  if (/^[0-9a-f]{24}$/i.test(trimmed)) return { kind: 'id', id: trimmed.toLowerCase() };
  if (/^cus_\w+$/.test(trimmed)) return { kind: 'customer', id: trimmed };
  const text = normaliseEmail(trimmed);
  if (text === DEMO_DOMAIN || text === `@${DEMO_DOMAIN}`) return { kind: 'demos', begins: null };
  return isDemoAddress(text) ? { kind: 'demos', begins: text } : { kind: 'text', text };
}

/** The part after the last @. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** The upper bound of an index range that holds all texts starting with `begins`. */
export function upperBound(begins: string): string {
  return `${begins}\u{10ffff}`;
}

import { type Role, isDemoAddress, normaliseEmail } from '#app/domain/accounts/account.ts';
import { entitlementOf, type EntitlementSources } from '#app/domain/billing/plans.ts';

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
  /** Only who was seen since. */
  activeSince: Date | null;
  /** Demo accounts instead of everybody else's. */
  isOfDemos: boolean;
}

type Filtered = EntitlementSources & { email: string; role: Role; lastSeenAt: Date; lastLogin: Date | null };

/** Whether an account is one of those that a list shows now. */
export function matchesUserFilter(user: Filtered, filter: UserFilter, now: Date): boolean {
  if (isDemoAddress(user.email) !== filter.isOfDemos) return false;
  const { subscription, status } = entitlementOf(user, now);
  if (filter.subscription !== 'all' && filter.subscription !== subscription) return false;
  if (filter.status === 'suspended' && user.suspendedAt === null) return false;
  if (filter.status !== 'all' && filter.status !== 'suspended' && filter.status !== status) return false;
  if (filter.role !== 'all' && filter.role !== user.role) return false;
  // Made at the terminal and never signed in to: nobody was there yet.
  return (
    filter.activeSince === null ||
    (user.lastLogin !== null && user.lastSeenAt.getTime() >= filter.activeSince.getTime())
  );
}

/** What an administrator typed into the search, as something an index answers. */
export type UserSearch =
  | { kind: 'none' }
  /** One account, by its id or its customer at the payment provider. */
  | { kind: 'id'; id: string }
  | { kind: 'customer'; id: string }
  /** Addresses whose part behind the @ begins so. */
  | { kind: 'domain'; begins: string }
  /** Addresses that begin so. */
  | { kind: 'email'; begins: string };

/** What a search of accounts matches, as every door says it. */
export const USER_SEARCH_HINT =
  'The start of an address, a domain (example.org or @example.org), an account id or a customer id';

/**
 * The same search for the part of an address behind the @, when it looks like a domain and no address begins so.
 * @returns null for a search that cannot be meant so
 */
export function asDomainSearch(search: UserSearch): UserSearch | null {
  if (search.kind !== 'email' || !/^[^@\s]+\.[^@\s]+$/.test(search.begins)) return null;
  return { kind: 'domain', begins: search.begins };
}

/**
 * Reads a search. Every character stands for itself: nothing of it becomes a pattern or an operator.
 * `@example.org` is a domain, `cus_…` a customer, 24 hexadecimal figures an id, all else the beginning of an address.
 */
export function readUserSearch(typed: string): UserSearch {
  const text = typed.trim();
  if (text === '' || text === '@') return { kind: 'none' };
  if (/^[0-9a-f]{24}$/i.test(text)) return { kind: 'id', id: text.toLowerCase() };
  if (/^cus_\w+$/.test(text)) return { kind: 'customer', id: text };
  const address = normaliseEmail(text);
  return address.startsWith('@')
    ? { kind: 'domain', begins: address.slice(1) }
    : { kind: 'email', begins: address };
}

/** The part of an address behind its last @. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** The first text behind all that begin with `begins`, for a range in an index. */
export function behind(begins: string): string {
  return `${begins}\u{10ffff}`;
}

import { behind, readUserSearch } from '#app/domain/admin/user-search.ts';
import type { UserFilter } from '#app/domain/admin/user-filter.ts';
import type { ListUsersQuery } from '#app/domain/admin/admin-lists-schema.ts';
import { DAY_MS } from '#app/domain/time/durations.ts';
import type { UserListField, UserPath } from '#models/index.server.ts';

/** Days within which somebody counts as active. */
export const ACTIVE_DAYS = 30;

/** Which accounts are asked for, of all that a path leads along. */
export function userFilter(query: ListUsersQuery, now: Date): UserFilter {
  const { subscription, status, role, active } = query;
  const activeSince = active === '30' ? new Date(now.getTime() - ACTIVE_DAYS * DAY_MS) : null;
  return { subscription, status, role, activeSince };
}

const newestFirst = { where: {}, direction: -1 } as const;

const SORTS: Readonly<Record<ListUsersQuery['sort'], UserPath>> = {
  newest: { ...newestFirst, by: 'createdAt' },
  oldest: { where: {}, by: 'createdAt', direction: 1 },
  email: { where: {}, by: 'email', direction: 1 },
  'last-active': { ...newestFirst, by: 'lastSeenAt' },
};

/** The path of a filter that few accounts pass, so that no others need to be looked at. */
function narrowPath(query: ListUsersQuery, filter: UserFilter, now: Date): UserPath | null {
  const direction = query.sort === 'oldest' ? 1 : -1;
  if (query.status === 'suspended') return { ...newestFirst, by: 'suspendedAt', from: new Date(0) };
  if (query.status === 'trial') return { ...newestFirst, by: 'trialEndsAt', from: now };
  if (filter.role !== 'all') return { where: { role: filter.role }, by: 'createdAt', direction };
  if (query.status === 'past_due' || query.status === 'canceled')
    return { where: { billingStatus: query.status }, by: 'createdAt', direction };
  if (filter.activeSince !== null) return { ...newestFirst, by: 'lastSeenAt', from: filter.activeSince };
  return null;
}

/** The piece of an index along which a list of accounts is read: the narrowest there is for what is asked. */
export function userPath(query: ListUsersQuery, filter: UserFilter, now: Date): UserPath {
  const search = readUserSearch(query.search);
  if (search.kind === 'email' || search.kind === 'domain') {
    const by = search.kind === 'email' ? 'email' : 'emailDomain';
    return { where: {}, by, direction: 1, from: search.begins, below: behind(search.begins) };
  }
  return narrowPath(query, filter, now) ?? SORTS[query.sort];
}

const ORDERS: Readonly<Record<UserListField, readonly [down: string, up: string]>> = {
  createdAt: ['newest first', 'oldest first'],
  email: ['by address, backwards', 'by address'],
  emailDomain: ['by domain, backwards', 'by domain'],
  lastSeenAt: ['last active first', 'longest away first'],
  trialEndsAt: ['latest trial first', 'earliest trial first'],
  suspendedAt: ['latest suspension first', 'earliest suspension first'],
};

/** The order of a path in words. */
export function orderOf({ by, direction }: UserPath): string {
  return ORDERS[by][direction === 1 ? 1 : 0];
}

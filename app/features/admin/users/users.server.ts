import { matchesUserFilter, type UserFilter } from '#app/domain/admin/user-filter.ts';
import { readUserSearch } from '#app/domain/admin/user-search.ts';
import {
  listUsersSchema,
  type ListUsersInput,
  type ListUsersQuery,
} from '#app/domain/admin/admin-lists-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { UserPath, UserPlace, UserRecord } from '#models/index.server.ts';
import { accountView, type AccountView } from '#app/platform/access/owner.server.ts';
import { orderOf, userFilter, userPath } from './user-filter.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { readListCursor, writeListCursor } from '#app/platform/pagination/list-cursor.server.ts';
import { placeBeforePage, walkPage, type Walk } from '#app/platform/pagination/filtered-pagination.server.ts';

/** An account in the list of the admin area. */
export interface ListedUser extends AccountView {
  suspended: boolean;
  lastSeenAt: Date;
  stripeCustomerId: string | null;
}

/** One page of accounts. */
export interface UserPage {
  users: ListedUser[];
  /** The order of the list in words: a search and some filters have one of their own. */
  order: string;
  /** Cursors of the pages beside it; null where there is none. */
  next: string | null;
  previous: string | null;
  /** True when the page looked at as many accounts as it may; the next page looks on. */
  isCut: boolean;
}

/** An account as the lists show it. */
export function listedUser(user: UserRecord, now: Date): ListedUser {
  const { suspendedAt, lastSeenAt, stripeCustomerId } = user;
  return { ...accountView(user, now), suspended: suspendedAt !== null, lastSeenAt, stripeCustomerId };
}

const isText = ({ by }: UserPath) => by === 'email' || by === 'emailDomain';

function placeOn({ by }: UserPath, user: UserRecord): UserPlace {
  return { value: user[by] ?? '', id: user.id };
}

/** The way along a path to the accounts that are asked for. */
export function userWalk(
  ctx: Ctx,
  path: UserPath,
  filter: UserFilter,
  backwards: boolean,
): Walk<UserRecord, UserPlace> {
  const now = ctx.now();
  return {
    read: (place, limit) => ctx.repos.userLists.read(path, place, { backwards, limit }),
    placeOf: (user) => placeOn(path, user),
    matches: (user) => matchesUserFilter(user, filter, now),
  };
}

/** The one account that a search names by an id, if it is one of those asked for. */
export async function findNamed(ctx: Ctx, query: ListUsersQuery): Promise<UserRecord[] | null> {
  const search = readUserSearch(query.search);
  if (search.kind !== 'id' && search.kind !== 'customer') return null;
  const id = search.kind === 'id' ? search.id : await ctx.repos.stripeCustomers.findOwner(search.id);
  const user = id === null ? null : await ctx.repos.users.findById(id);
  const now = ctx.now();
  return user !== null && matchesUserFilter(user, userFilter(query, now), now) ? [user] : [];
}

/**
 * One page of the accounts of everybody.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listUsers(ctx: Ctx, input: ListUsersInput): Promise<UserPage> {
  authorise(ctx.actor, 'admin.list-users');
  const query = parseInput(listUsersSchema, input);
  const now = ctx.now();
  const named = await findNamed(ctx, query);
  const alone = { order: 'one account', next: null, previous: null, isCut: false };
  if (named !== null) return { ...alone, users: named.map((user) => listedUser(user, now)) };
  const filter = userFilter(query, now);
  const path = userPath(query, filter, now);
  const cursor = readListCursor(query.cursor, path.by, isText(path) ? 'text' : 'instant');
  const backwards = cursor?.backwards ?? false;
  const way = userWalk(ctx, path, filter, backwards);
  const place = cursor?.place ?? (await placeBeforePage(way, query));
  const order = orderOf(path);
  if (place === 'beyond') return { ...alone, order, users: [] };
  const page = await walkPage(way, { place, backwards }, query.limit);
  const link = (to: UserPlace | null, back: boolean) =>
    to && writeListCursor({ list: path.by, backwards: back, place: to });
  return {
    users: page.rows.map((user) => listedUser(user, now)),
    order,
    next: link(page.next, false),
    previous: link(page.previous, true),
    isCut: page.isCut,
  };
}

/**
 * How many accounts a list has in all, for callers that number their pages. Costs what is counted.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function countUsers(ctx: Ctx, input: ListUsersInput): Promise<number> {
  authorise(ctx.actor, 'admin.list-users');
  const query = parseInput(listUsersSchema, input);
  const named = await findNamed(ctx, query);
  if (named !== null) return named.length;
  const { search, subscription, status, role, active } = query;
  if (search === '' && [subscription, status, role].every((value) => value === 'all') && active === undefined)
    return ctx.repos.userCounts.countAll();
  const filter = userFilter(query, ctx.now());
  const way = userWalk(ctx, userPath(query, filter, ctx.now()), filter, false);
  let count = 0;
  for (let place: UserPlace | null = null; ;) {
    const rows: UserRecord[] = await way.read(place, 1000);
    count += rows.filter((row) => way.matches(row)).length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < 1000) return count;
    place = way.placeOf(last);
  }
}

import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { DEMO_DOMAIN, isDemoAddress } from '#app/domain/accounts/account.ts';
import {
  upperBound,
  readUserSearch,
  matchesUserFilter,
  type UserFilter,
} from '#app/domain/admin/user-search.ts';
import { listUsersSchema, type ListUsersQuery, type ListUsersInput } from '#app/domain/admin/admin-schema.ts';
import type { EntitlementTerms } from '#app/domain/billing/plans.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { UserListField, UserPath, UserPlace, UserRecord } from '#models/index.server.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { accountView, type AccountView } from '#app/platform/access/owner.server.ts';
import { authorise, actorName, authoriseRecentOver } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  readListCursor,
  writeListCursor,
  placeBeforePage,
  walkPage,
  type Walk,
} from '#app/platform/pagination.server.ts';
import { guardFormula } from '#app/domain/records/csv-table.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { heavyFile } from '#app/platform/heavy-work.server.ts';
import { repos } from '../repositories.server.ts';

export interface ListedUser extends AccountView {
  suspended: boolean;
  lastSeenAt: Date;
  stripeCustomerId: string | null;
}

export function listedUser(user: UserRecord, terms: EntitlementTerms): ListedUser {
  const { suspendedAt, lastSeenAt, stripeCustomerId } = user;
  return { ...accountView(user, terms), suspended: suspendedAt !== null, lastSeenAt, stripeCustomerId };
}

/** One page of accounts. */
interface UserPage {
  users: ListedUser[];
  /** The order of the list in words; a search and some filters have their own. */
  order: string;
  /** Cursors of the next and previous page; null if there is none. */
  next: string | null;
  previous: string | null;
  /** True when the page reached the limit of accounts it may read; the next page continues the search. */
  isCut: boolean;
}

/**
 * One page of all accounts.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listUsers(ctx: Ctx, input: ListUsersInput): Promise<UserPage> {
  authorise(ctx.actor, 'admin.list-users');
  const query = parseInput(listUsersSchema, input);
  const now = ctx.now();
  const named = await findNamed(ctx, query);
  const alone = { order: 'one account', next: null, previous: null, isCut: false };
  if (named !== null) return { ...alone, users: named.map((user) => listedUser(user, ctx)) };
  const filter = userFilter(query, now);
  const path = await listPath(ctx, query, filter);
  const cursor = readListCursor(query.cursor, path.by, TEXTS.includes(path.by) ? 'text' : 'instant');
  const backwards = cursor?.backwards ?? false;
  const walk = userWalk(ctx, path, filter, backwards);
  const place = cursor?.place ?? (await placeBeforePage(walk, query));
  const order = path.by === 'part' ? PART_ORDER : ORDERS[path.by][path.direction === 1 ? 1 : 0];
  if (place === 'beyond') return { ...alone, order, users: [] };
  const page = await walkPage(walk, { place, backwards }, query.limit);
  const link = (to: UserPlace | null, back: boolean) =>
    to && writeListCursor({ list: path.by, backwards: back, place: to });
  return {
    users: page.rows.flatMap(({ user }) => (user === null ? [] : [listedUser(user, ctx)])),
    order,
    next: link(page.next, false),
    previous: link(page.previous, true),
    isCut: page.isCut,
  };
}

/**
 * The number of accounts in a list, for callers with numbered pages. The cost grows with the number of accounts.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function countUsers(ctx: Ctx, input: ListUsersInput): Promise<number> {
  authorise(ctx.actor, 'admin.list-users');
  const query = parseInput(listUsersSchema, input);
  const named = await findNamed(ctx, query);
  if (named !== null) return named.length;
  const filter = userFilter(query, ctx.now());
  const path = await listPath(ctx, query, filter);
  if (isUnfiltered(query)) {
    if (query.search === '') return repos(ctx).userCounts.countAll();
    if (path.by === 'part') return repos(ctx).addressParts.count(path.text);
  }
  let count = 0;
  for await (const _user of matching(ctx, path, filter)) count += 1;
  return count;
}

const isUnfiltered = ({ subscription, status, role, active }: ListUsersQuery): boolean =>
  [subscription, status, role].every((value) => value === 'all') && active === undefined;

/** For a search by id: the account, if it matches the filters. @returns null for other searches */
async function findNamed(ctx: Ctx, query: ListUsersQuery): Promise<UserRecord[] | null> {
  const search = readUserSearch(query.search);
  if (search.kind !== 'id' && search.kind !== 'customer') return null;
  const id = search.kind === 'id' ? search.id : await repos(ctx).stripeCustomers.findOwner(search.id);
  const user = id === null ? null : await repos(ctx).users.find(id);
  const now = ctx.now();
  if (user === null) return [];
  const filter = { ...userFilter(query, now), isOfDemos: isDemoAddress(user.email) };
  return matchesUserFilter(user, filter, ctx) ? [user] : [];
}

/** An account with its position on a path. */
interface PlacedUser {
  /** Null for an account that was deleted meanwhile. */
  user: UserRecord | null;
  place: UserPlace;
  /** False where the text of a search occurs in its address once more. */
  isFirst: boolean;
}

/** Reads accounts along an index and picks the ones that match. */
function userWalk(
  ctx: Ctx,
  path: ListPath,
  filter: UserFilter,
  backwards: boolean,
): Walk<PlacedUser, UserPlace> {
  return {
    async read(place, limit) {
      if (path.by === 'part')
        return repos(ctx).userLists.listContaining(path.text, place, { backwards, limit });
      const users = await repos(ctx).userLists.list(path, place, { backwards, limit });
      return users.map((user) => ({
        user,
        place: { value: user[path.by] ?? '', id: user.id },
        isFirst: true,
      }));
    },
    placeOf: ({ place }) => place,
    matches: ({ user, isFirst }) => isFirst && user !== null && matchesUserFilter(user, filter, ctx),
  };
}

/** A user seen within this many days counts as active. */
const ACTIVE_DAYS = 30;

/** The filter for a query. Demo accounts are listed only when the search names their domain. */
function userFilter(query: ListUsersQuery, now: Date): UserFilter {
  const { subscription, status, role, active } = query;
  const activeSince = active === '30' ? new Date(now.getTime() - ACTIVE_DAYS * DAY_MS) : null;
  const isOfDemos = readUserSearch(query.search).kind === 'demos';
  return { subscription, status, role, activeSince, isOfDemos };
}

/** The accounts whose address has a text in it, in the order of the text that begins there. */
interface PartPath {
  by: 'part';
  text: string;
}

type ListPath = UserPath | PartPath;

/** The fields of a list's order that are texts. */
const TEXTS: readonly ListPath['by'][] = ['email', 'emailDomain', 'part'];

/** The index range to read: the narrowest one for the query. */
async function listPath(ctx: Ctx, query: ListUsersQuery, filter: UserFilter): Promise<ListPath> {
  const search = readUserSearch(query.search);
  if (search.kind === 'demos')
    return search.begins === null ? beginning('emailDomain', DEMO_DOMAIN) : beginning('email', search.begins);
  if (search.kind !== 'text') return narrowPath(query, filter, ctx.now()) ?? SORTS[query.sort];
  const { text } = search;
  if (await repos(ctx).userLists.areSearchable()) return { by: 'part', text };
  // Until then, what the index of addresses finds.
  return text.startsWith('@') ? beginning('emailDomain', text.slice(1)) : beginning('email', text);
}

/** The index range of texts with the same beginning. */
const beginning = (by: 'email' | 'emailDomain', text: string): UserPath => {
  return { where: {}, by, direction: 1, from: text, below: upperBound(text) };
};

const newestFirst = { where: {}, direction: -1 } as const;

const SORTS: Readonly<Record<ListUsersQuery['sort'], UserPath>> = {
  newest: { ...newestFirst, by: 'createdAt' },
  oldest: { where: {}, by: 'createdAt', direction: 1 },
  email: { where: {}, by: 'email', direction: 1 },
  'last-active': { ...newestFirst, by: 'lastSeenAt' },
};

/** The index range of a filter that few accounts match, so that no others are read. */
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

const PART_ORDER = 'by what the search found in the email';

const ORDERS: Readonly<Record<UserListField, readonly [down: string, up: string]>> = {
  createdAt: ['newest first', 'oldest first'],
  email: ['by email, Z to A', 'by email'],
  emailDomain: ['by domain, Z to A', 'by domain'],
  lastSeenAt: ['last active first', 'longest inactive first'],
  trialEndsAt: ['latest trial first', 'earliest trial first'],
  suspendedAt: ['latest suspension first', 'earliest suspension first'],
};

const BATCH = 500;

const COLUMNS = [
  'id',
  'email',
  'role',
  'subscription',
  'subscriptionStatus',
  'suspended',
  'createdAt',
  'lastLogin',
  'lastSeenAt',
  'stripeCustomerId',
] as const satisfies readonly (keyof ListedUser)[];

function cellsOf(user: ListedUser): string[] {
  return COLUMNS.map((name) => {
    const value = user[name];
    if (value instanceof Date) return value.toISOString();
    return typeof value === 'string' ? guardFormula(value) : String(value ?? '');
  });
}

async function* linesOf(ctx: Ctx, input: ListUsersInput): AsyncGenerator<string[]> {
  for await (const user of walkUsers(ctx, input)) yield cellsOf(user);
}

/** The stream fails when its source fails, and closes the source when it is no longer read. */
function csvOf(lines: AsyncIterable<string[]>): AsyncIterable<string> {
  const table = stringify({ header: true, columns: [...COLUMNS] }).setEncoding('utf8');
  return pipeline(Readable.from(lines), table, () => undefined);
}

/** All matching accounts, read only as fast as they are consumed. The caller must have checked the permission. */
export async function* walkUsers(ctx: Ctx, input: ListUsersInput): AsyncGenerator<ListedUser> {
  const query = parseInput(listUsersSchema, input);
  const now = ctx.now();
  const named = await findNamed(ctx, query);
  if (named !== null) {
    for (const user of named) yield listedUser(user, ctx);
    return;
  }
  const filter = userFilter(query, now);
  for await (const user of matching(ctx, await listPath(ctx, query, filter), filter))
    yield listedUser(user, ctx);
}

/** All accounts along a path that match. */
async function* matching(ctx: Ctx, path: ListPath, filter: UserFilter): AsyncGenerator<UserRecord> {
  const walk = userWalk(ctx, path, filter, false);
  for (let place: UserPlace | null = null, more = true; more;) {
    const rows: PlacedUser[] = await walk.read(place, BATCH);
    for (const row of rows) if (row.user !== null && walk.matches(row)) yield row.user;
    const last = rows.at(-1);
    more = rows.length === BATCH && last !== undefined;
    place = last?.place ?? null;
  }
}

/** A CSV file of accounts, read from the database as fast as it is consumed. */
interface UsersFile {
  fileName: string;
  /** @throws AppError RATE_LIMITED while the administrator's last file is still being made, and while too many others are */
  open(): Promise<Readable>;
}

/**
 * Prepares a complete list of accounts as CSV. It contains all emails, so it requires a recent sign-in and is
 * recorded in the audit trail.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, RECENT_SIGN_IN_REQUIRED
 */
export async function prepareUsersFile(ctx: Ctx, input: ListUsersInput): Promise<UsersFile> {
  authoriseRecentOver(ctx, 'admin.export-users', {});
  const { search, subscription, status, role, active } = parseInput(listUsersSchema, input);
  const { actor } = ctx;
  await recordAudit(ctx, {
    action: 'users.export',
    subjectId: actor.kind === 'visitor' ? 'visitor' : actorName(actor),
    before: {},
    after: {
      isSearched: search !== '',
      ...(ctx.isSelling ? { subscription } : {}),
      status,
      role,
      active: active ?? null,
    },
  });
  return {
    fileName: `users-${calendarDay(ctx.now(), ctx.timeZone)}.csv`,
    open: () => heavyFile(ctx, () => csvOf(linesOf(ctx, input))),
  };
}

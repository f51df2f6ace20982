import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { guardFormula } from '#app/domain/export/spreadsheet.ts';
import { listUsersSchema, type ListUsersInput } from '#app/domain/admin/admin-lists-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import type { UserPlace } from '#models/index.server.ts';
import { userFilter, userPath } from './user-filter.server.ts';
import { findNamed, listedUser, userWalk, type ListedUser } from './users.server.ts';
import { actorName } from '#app/platform/access/authorise.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { authoriseRecentOver } from '#app/platform/access/recent-sign-in.server.ts';

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
  const query = parseInput(listUsersSchema, input);
  const now = ctx.now();
  const named = await findNamed(ctx, query);
  if (named !== null) {
    for (const user of named) yield cellsOf(listedUser(user, now));
    return;
  }
  const filter = userFilter(query, now);
  const way = userWalk(ctx, userPath(query, filter, now), filter, false);
  for (let place: UserPlace | null = null, more = true; more;) {
    const rows = await way.read(place, BATCH);
    for (const row of rows) if (way.matches(row)) yield cellsOf(listedUser(row, now));
    const last = rows.at(-1);
    more = rows.length === BATCH && last !== undefined;
    place = last === undefined ? null : way.placeOf(last);
  }
}

/** A file of accounts, read from the database as fast as it is taken. */
export interface UsersFile {
  fileName: string;
  open(): Readable;
}

/**
 * Prepares the list of accounts that a page shows, whole, as CSV. Everybody's address is in it: it asks for a recent
 * sign-in and leaves an audit row.
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
    after: { isSearched: search !== '', subscription, status, role, active: active ?? null },
  });
  return {
    fileName: `users-${calendarDay(ctx.now(), ctx.timeZone)}.csv`,
    open: () => Readable.from(linesOf(ctx, input)).pipe(stringify({ header: true, columns: [...COLUMNS] })),
  };
}

import * as z from 'zod';
import {
  decodeCursor,
  encodeCursor,
  pageFrom,
  type Changes,
  type PageRequest,
} from '#app/platform/pagination.server.ts';
import {
  HISTORY_SORTS,
  type HistorySort,
  type HistoryEntry,
  historyQuerySchema,
  type HistoryQuery,
  type HistoryQueryInput,
  summarise,
  type UsageStatistics,
} from '#app/domain/calculator/history.ts';
import { nameKeyOf, type HistoryPosition } from '#models/index.server.ts';
import { authorisePremiumUser, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { calculateFigures } from '#app/domain/calculator/calculate.ts';
import { syringeIdOf, type CalculationInput } from '#app/domain/calculator/calculation.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';
import { newCalculationId } from '#app/platform/ids.server.ts';
import { repos } from './repositories.server.ts';

/** One page of the saved calculations. */
export interface HistoryPage {
  items: HistoryEntry[];
  /** How many calculations match the search; all of them without one. */
  total: number;
  page: number;
  pages: number;
  limit: number;
  sort: HistorySort;
  search: string;
  /** Cursors of the next and previous page, null at the ends. Links should contain them along with `page`. */
  next: string | null;
  previous: string | null;
}

/** The calculations that a signed-in user sees: permanent ones, and those of this sign-in. */
function visibleTo(user: SignedInUser): { userId: string; signInId: string } {
  return { userId: user.id, signInId: user.sessionId };
}

/**
 * One page of the signed-in user's saved calculations, searched and sorted.
 * @throws AppError RATE_LIMITED while their last search is still running, SEARCH_TIMEOUT
 */
export async function listCalculations(ctx: Ctx, input: HistoryQueryInput = {}): Promise<HistoryPage> {
  const user = authoriseUser(ctx.actor, 'calculation.read');
  const query = historyQuerySchema.parse(input);
  const read = () => readHistory(ctx, user, query);
  return query.search === '' ? read() : heavyWork('search', user.id, read);
}

/**
 * The same for the API, which goes on where it stopped whatever was deleted meanwhile.
 * @throws AppError INVALID_INPUT, RATE_LIMITED while their last search is still running, SEARCH_TIMEOUT
 */
export async function pageOfCalculations(
  ctx: Ctx,
  {
    page,
    limit,
    cursor,
    updatedSince,
    ...input
  }: PageRequest & Changes & Pick<HistoryQueryInput, 'sort' | 'search'>,
) {
  const user = authoriseUser(ctx.actor, 'calculation.read');
  const { sort, search } = historyQuerySchema.parse(input);
  const chosen = { search, updatedSince };
  const isAll = search === '' && updatedSince === undefined;
  const scope = visibleTo(user);
  const { calculations } = repos(ctx);
  const read = () =>
    pageFrom<HistoryEntry>(
      { page, limit, cursor },
      {
        name: `calculations by ${sort}`,
        kinds: ['instant', 'text', ...PLACE_KEYS[sort]],
        placeOf: (entry) => {
          const key = keyOf(entry, sort);
          return [entry.createdAt, entry.id, ...(key === null ? [] : [key])];
        },
        read: ({ after, ...slice }) => {
          const [createdAt, id, key = null] = after ?? [];
          const from = after === undefined ? null : ({ createdAt, id, key } as HistoryPosition);
          return calculations.list(scope, { sort, ...chosen, ...slice, from, backwards: false });
        },
        count: () => (isAll ? calculations.countAll(scope) : calculations.countMatches(scope, chosen)),
      },
    );
  return search === '' ? read() : heavyWork('search', user.id, read);
}

/** What a place consists of beside the time and the id. */
const PLACE_KEYS = { date: [], name: ['text'], concentration: ['number'] } as const;

async function readHistory(ctx: Ctx, user: SignedInUser, query: HistoryQuery): Promise<HistoryPage> {
  const { sort, search, limit } = query;
  const scope = visibleTo(user);
  const total =
    search === ''
      ? await repos(ctx).calculations.countAll(scope)
      : await repos(ctx).calculations.countMatches(scope, { search });
  const pages = Math.max(1, Math.ceil(total / limit));
  const cursor = readCursor(query.cursor, sort);
  // The first page always begins at the first row, even when reached with "previous".
  let slice = cursor === null || cursor.page === 1 ? null : await readFrom(ctx, user, query, cursor);
  if (slice === null || slice.items.length === 0) slice = await readPage(ctx, user, query, total);
  const page = Math.min(slice.page, pages);
  const [first, last] = [slice.items[0], slice.items.at(-1)];
  return {
    items: slice.items,
    total,
    page,
    pages,
    limit,
    sort,
    search,
    next: last && page < pages ? writeCursor(last, { sort, backwards: false, page: page + 1 }) : null,
    previous: first && page > 1 ? writeCursor(first, { sort, backwards: true, page: page - 1 }) : null,
  };
}

/** How many calculations the signed-in user sees. The cost does not depend on how many there are. */
export async function countCalculations(ctx: Ctx): Promise<number> {
  const user = authoriseUser(ctx.actor, 'calculation.read');
  return repos(ctx).calculations.countAll(visibleTo(user));
}

/** The usage statistics of the signed-in user, from totals that are kept with each write. */
export async function calculationStatistics(ctx: Ctx): Promise<UsageStatistics> {
  const user = authoriseUser(ctx.actor, 'calculation.read');
  return summarise(await repos(ctx).calculations.totals(visibleTo(user), ctx.now()));
}

type Slice = { page: number; items: HistoryEntry[] };

/** Reads the rows after or before the row of a cursor. */
async function readFrom(
  ctx: Ctx,
  user: SignedInUser,
  query: HistoryQuery,
  cursor: HistoryCursor,
): Promise<Slice> {
  const { sort, search, limit } = query;
  const slice = { sort, search, limit, from: cursor.position, backwards: cursor.backwards, skip: 0 };
  return { page: cursor.page, items: await repos(ctx).calculations.list(visibleTo(user), slice) };
}

/** Reads a page by its number, from whichever end of the list is nearer. */
async function readPage(ctx: Ctx, user: SignedInUser, query: HistoryQuery, total: number): Promise<Slice> {
  const { sort, search, limit } = query;
  const page = Math.min(query.page, Math.max(1, Math.ceil(total / limit)));
  const before = (page - 1) * limit;
  const after = Math.max(0, total - before - limit);
  const backwards = before > after;
  const slice = {
    sort,
    search,
    limit: backwards ? Math.min(limit, total - before) : limit,
    from: null,
    backwards,
    skip: backwards ? after : before,
  };
  return { page, items: await repos(ctx).calculations.list(visibleTo(user), slice) };
}

/** Where a list continues: after (or before) a row, and the number of that page. */
interface HistoryCursor {
  sort: HistorySort;
  backwards: boolean;
  page: number;
  position: HistoryPosition;
}

const shape = z.tuple([
  z.enum(HISTORY_SORTS),
  z.boolean(),
  z.number().int().min(1).max(1_000_000_000),
  z.number().int().min(-8.64e15).max(8.64e15),
  z.string().max(64),
  z.union([z.string().max(500), z.number(), z.null()]),
]);

function keyOf(entry: HistoryEntry, sort: HistorySort): HistoryPosition['key'] {
  if (sort === 'date') return null;
  return sort === 'name' ? nameKeyOf(entry.peptideName) : entry.concentration;
}

/** The cursor of a row as text for a link. It contains only what the user sees anyway. */
function writeCursor(entry: HistoryEntry, cursor: Omit<HistoryCursor, 'position'>): string {
  const { sort, backwards, page } = cursor;
  const parts = [sort, backwards, page, entry.createdAt.getTime(), entry.id, keyOf(entry, sort)];
  return encodeCursor(parts);
}

/** Reads a link's cursor; null if it is invalid or for another sort order. The list then goes by page number. */
function readCursor(text: string | undefined, sort: HistorySort): HistoryCursor | null {
  const parts = decodeCursor(text, shape);
  if (parts === null || parts[0] !== sort) return null;
  const [, backwards, page, time, id, key] = parts;
  if ((sort === 'date') !== (key === null) || (sort === 'concentration') !== (typeof key === 'number'))
    return null;
  return { sort, backwards, page, position: { createdAt: new Date(time), id, key } };
}

interface SaveOptions {
  /**
   * Made by the client for one submission of the form: saving again with the same key returns the first calculation. Only
   * the first 100 characters count.
   */
  saveKey?: string | null | undefined;
  /** When it was made, if it was made earlier without a connection. A future time counts as now. */
  madeAt?: Date | undefined;
}

const NOT_FOUND_MESSAGE = 'Calculation not found.';

/** @throws AppError INVALID_INPUT with the calculator's messages by field */
function checked({ syringe, ...input }: CalculationInput, user: SignedInUser): CalculationInput {
  const parsed = parseCalculationForm({ ...input, syringe: syringeIdOf(syringe) }, user.syringes);
  if (parsed.ok) return parsed.input;
  const [message] = Object.values(parsed.fields).flat();
  throw new AppError('INVALID_INPUT', message ?? 'The calculation is not valid.', { fields: parsed.fields });
}

/** Deletes a session-only calculation if its session ended while it was being saved. */
async function refuseIfEnded(ctx: Ctx, user: SignedInUser, id: string): Promise<void> {
  if (await repos(ctx).sessions.isRunning(user.id, user.sessionId, ctx.now())) return;
  await repos(ctx).calculations.delete(visibleTo(user), id);
  throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
}

/**
 * Saves a calculation of the signed-in user: permanently with Premium, otherwise until this session ends.
 * @param input within the limits, as `parseCalculationForm` or `parseCalculationJson` gives it; it is checked again
 * @throws AppError INVALID_INPUT, UNAUTHENTICATED, PLAN_LIMIT when the account is full; PREMIUM_REQUIRED for the personal
 * token of a free account, which has no session that the calculation could belong to
 */
export async function saveCalculation(
  ctx: Ctx,
  input: CalculationInput,
  options: SaveOptions = {},
): Promise<HistoryEntry> {
  const user = authorisePremiumUser(ctx.actor, 'calculation.save');
  const calculation = checked(input, user);
  const { concentration, injectionVolume } = calculateFigures(calculation);
  const now = ctx.now();
  const createdAt = options.madeAt !== undefined && options.madeAt < now ? options.madeAt : now;
  const id = newCalculationId(now);
  const signInId = user.entitlement.isPremium ? null : user.sessionId;
  const saveKey = options.saveKey?.slice(0, 100) || id;
  await takeRows(
    ctx,
    { id: user.id, isPremium: user.entitlement.isPremium },
    { findEarlier: () => repos(ctx).calculations.findSaved(user.id, saveKey) },
  );
  const { entry } = await repos(ctx).calculations.create({
    id,
    userId: user.id,
    signInId,
    saveKey,
    createdAt,
    input: calculation,
    concentration,
    injectionVolume,
  });
  if (signInId !== null) await refuseIfEnded(ctx, user, entry.id);
  return entry;
}

/**
 * One of the signed-in user's calculations.
 * @throws AppError NOT_FOUND, whether it is missing, another user's, or another session's
 */
export async function getCalculation(ctx: Ctx, id: string): Promise<HistoryEntry> {
  const user = authoriseUser(ctx.actor, 'calculation.read');
  const entry = await repos(ctx).calculations.find(visibleTo(user), id);
  if (entry === null) throw new AppError('NOT_FOUND', NOT_FOUND_MESSAGE);
  return entry;
}

/**
 * Removes one of the signed-in user's calculations.
 * @returns what was removed
 * @throws AppError NOT_FOUND
 */
export async function deleteCalculation(ctx: Ctx, id: string): Promise<HistoryEntry> {
  const user = authoriseUser(ctx.actor, 'calculation.remove');
  const removed = await repos(ctx).calculations.delete(visibleTo(user), id);
  if (removed === null) throw new AppError('NOT_FOUND', NOT_FOUND_MESSAGE);
  return removed;
}

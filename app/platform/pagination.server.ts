import * as z from 'zod';
import { fieldError } from '#app/domain/errors.ts';

/** A position in a list as text for a link. It contains only what the user sees anyway. */
export function encodeCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a link's cursor; null if it is missing or invalid. */
export function decodeCursor<T>(text: string | undefined, shape: z.ZodType<T>): T | null {
  if (text === undefined) return null;
  try {
    const parsed = shape.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A position in a list: after a row, or before it. */
interface ListCursor<Place> {
  /** What the list is sorted by; with another list's cursor, it starts at the beginning. */
  list: string;
  backwards: boolean;
  place: Place;
}

const shape = z.tuple([
  z.string().max(40),
  z.boolean(),
  z.union([z.string().max(500), z.number().int().min(-8.64e15).max(8.64e15)]),
  z.string().max(200),
]);

/** A cursor as text for a link. It contains only what the user sees anyway. */
export function writeListCursor(cursor: ListCursor<{ value: Date | string; id: string }>): string {
  const { list, backwards, place } = cursor;
  const value = place.value instanceof Date ? place.value.getTime() : place.value;
  return encodeCursor([list, backwards, value, place.id]);
}

/**
 * A link's cursor; null if it is invalid or belongs to another list.
 * @param kind what the list is sorted by
 */
export function readListCursor(
  text: string | undefined,
  list: string,
  kind: 'text' | 'instant',
): ListCursor<{ value: Date | string; id: string }> | null {
  const parts = decodeCursor(text, shape);
  if (parts === null || parts[0] !== list) return null;
  const [, backwards, value, id] = parts;
  if ((kind === 'text') !== (typeof value === 'string')) return null;
  return { list, backwards, place: { value: typeof value === 'number' ? new Date(value) : value, id } };
}

/** The most rows examined for one page. */
const LOOK_AT = 5000;

const FEWEST = 50;
const MOST = 500;

/** Reads a number of rows after a place, in order. */
export interface Walk<Row, Place> {
  read(place: Place | null, limit: number): Promise<Row[]>;
  placeOf(row: Row): Place;
  matches(row: Row): boolean;
}

interface Walked<Row, Place> {
  found: Row[];
  /** Where it stopped at the row limit, with possibly more rows after it; otherwise null. */
  cutAt: Place | null;
}

/**
 * Walks along an index and collects matching rows, until there are enough or {@link LOOK_AT} rows were examined. The cost of
 * a page does not grow with the number of rows, whatever the filter.
 */
async function walk<Row, Place>(
  way: Walk<Row, Place>,
  start: Place | null,
  enough: number,
): Promise<Walked<Row, Place>> {
  const found: Row[] = [];
  let place = start;
  let batch = enough;
  for (let looked = 0; looked < LOOK_AT;) {
    const rows = await way.read(place, batch);
    for (const row of rows) {
      if (way.matches(row)) found.push(row);
      if (found.length === enough) return { found, cutAt: null };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return { found, cutAt: null };
    place = way.placeOf(last);
    looked += rows.length;
    batch = Math.min(MOST, Math.max(FEWEST, batch * 2));
  }
  return { found, cutAt: place };
}

interface WalkedPage<Row, Place> {
  rows: Row[];
  /** The row after which the next page begins, and the row before which the previous one ends; null if there is none. */
  next: Place | null;
  previous: Place | null;
  /** True if the page ended at the limit of examined rows. */
  isCut: boolean;
}

/**
 * One page of a list, starting after a place or ending before it.
 * @param way reads backwards when `backwards` is set
 */
export async function walkPage<Row, Place>(
  way: Walk<Row, Place>,
  start: { place: Place | null; backwards: boolean },
  limit: number,
): Promise<WalkedPage<Row, Place>> {
  const { found, cutAt } = await walk(way, start.place, limit + 1);
  const rows = found.slice(0, limit);
  if (start.backwards) rows.reverse();
  const edge = (row: Row | undefined) => (row === undefined ? start.place : way.placeOf(row));
  const goesOn = found.length > limit;
  const beyond = goesOn ? edge(start.backwards ? rows[0] : rows.at(-1)) : cutAt;
  return start.backwards
    ? { rows, next: edge(rows.at(-1)), previous: beyond, isCut: cutAt !== null }
    : {
        rows,
        next: beyond,
        previous: start.place === null ? null : edge(rows[0]),
        isCut: cutAt !== null,
      };
}

/**
 * The place before a page given by number, for callers without a cursor. Walks all previous pages.
 * @returns `beyond` if there are fewer pages
 */
export async function placeBeforePage<Row, Place>(
  way: Walk<Row, Place>,
  { page = 1, limit }: { page?: number | undefined; limit: number },
): Promise<Place | null | 'beyond'> {
  let place: Place | null = null;
  for (let at = 1; at < page; at += 1) {
    const before: WalkedPage<Row, Place> = await walkPage(way, { place, backwards: false }, limit);
    if (before.next === null) return 'beyond';
    place = before.next;
  }
  return place;
}

/** The values of a list's sort fields in a row, the last of which is unique. */
export type Place = readonly (Date | string | number)[];

/** Part of a list: after a place, or after a number of rows. */
export interface Slice {
  after?: Place | undefined;
  skip: number;
  limit: number;
}

/** What a program asks of a list: a page by its number, or the one that a cursor leads to. */
export interface PageRequest {
  page: number;
  limit: number;
  cursor?: string | undefined;
}

/** What a program asks of a list of records that note when they were changed. */
export interface Changes {
  updatedSince?: Date | undefined;
}

/** A list that programs read page by page. */
interface PagedList<Row> {
  /** Its name and, if it can be sorted, the order. A cursor of another list is refused. */
  name: string;
  /** What a place consists of. */
  kinds: readonly ('instant' | 'text' | 'number')[];
  placeOf(row: Row): Place;
  read(slice: Slice): Promise<Row[]>;
  count(): Promise<number>;
}

const WRONG_CURSOR = 'This is no cursor of this list. Send `next` of its last response unchanged';

const cursorShape = z.tuple([
  z.string().max(60),
  z.int().min(1),
  z.array(z.union([z.string().max(500), z.number()])).max(4),
]);

const LAST_INSTANT = 8.64e15;

function placeValue(kind: 'instant' | 'text' | 'number', value: string | number): Date | string | number {
  if (typeof value !== (kind === 'text' ? 'string' : 'number')) throw fieldError('cursor', WRONG_CURSOR);
  if (kind !== 'instant') return value;
  if (!(Math.abs(Number(value)) <= LAST_INSTANT)) throw fieldError('cursor', WRONG_CURSOR);
  return new Date(value);
}

/** Where a cursor leads to. @throws AppError INVALID_INPUT if it is not one of this list */
function readPlace(cursor: string, { name, kinds }: Pick<PagedList<unknown>, 'name' | 'kinds'>) {
  const [list, page, values] = decodeCursor(cursor, cursorShape) ?? ['', 1, []];
  if (list !== name || values.length !== kinds.length) throw fieldError('cursor', WRONG_CURSOR);
  return { page, after: kinds.map((kind, index) => placeValue(kind, values[index] ?? '')) };
}

/**
 * A page of a list for a program. A cursor goes on after the last row that was read, so rows that are added or deleted
 * meanwhile neither repeat another nor hide one.
 * @returns `next`: the cursor of the next page; null at the end
 * @throws AppError INVALID_INPUT for a cursor of another list, and what the list throws
 */
export async function pageFrom<Row>(
  { page, limit, cursor }: PageRequest,
  list: PagedList<Row>,
): Promise<{ items: Row[]; paging: { page: number; limit: number; total: number; next: string | null } }> {
  const from = cursor === undefined ? { page, after: undefined } : readPlace(cursor, list);
  const skip = from.after === undefined ? (page - 1) * limit : 0;
  const rows = await list.read({ after: from.after, skip, limit: limit + 1 });
  const total = await list.count();
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  const next = last === undefined ? null : writePlace(list.name, from.page + 1, list.placeOf(last));
  return { items, paging: { page: from.page, limit, total, next } };
}

const writePlace = (name: string, page: number, place: Place): string =>
  encodeCursor([name, page, place.map((value) => (value instanceof Date ? value.getTime() : value))]);

/** Which of two places comes first: negative for the first one. */
function compare(one: Place, other: Place): number {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? '';
    if (value < against) return -1;
    if (value > against) return 1;
  }
  return 0;
}

/**
 * A page, for a program, of a list that is short enough to be read as a whole.
 * @param list with the order of the places: 1, or -1 for the highest first
 * @throws AppError INVALID_INPUT for a cursor of another list
 */
export function pageOfAll<Row>(
  request: PageRequest,
  rows: readonly Row[],
  { order, ...list }: Pick<PagedList<Row>, 'name' | 'kinds' | 'placeOf'> & { order: 1 | -1 },
) {
  const { placeOf } = list;
  const sorted = rows.toSorted((a, b) => order * compare(placeOf(a), placeOf(b)));
  return pageFrom(request, {
    ...list,
    read({ after, skip, limit }) {
      const isBeyond = (row: Row) => after === undefined || order * compare(placeOf(row), after) > 0;
      return Promise.resolve(sorted.filter(isBeyond).slice(skip, skip + limit));
    },
    count: () => Promise.resolve(rows.length),
  });
}

/**
 * The cursor of a list whose pages have cursors of their own: those, with the number of the page. Another list's is refused.
 * @param name of the list and its order
 */
export const wrappedCursor = (name: string) => ({
  /** @returns the page's own cursor @throws AppError INVALID_INPUT for a cursor of another list */
  read({ page, cursor }: Pick<PageRequest, 'page' | 'cursor'>): { page: number; inner?: string } {
    if (cursor === undefined) return { page };
    const from = readPlace(cursor, { name, kinds: ['text'] });
    return { page: from.page, inner: String(from.after[0]) };
  },
  write: (page: number, inner: string | null): string | null =>
    inner === null ? null : writePlace(name, page + 1, [inner]),
});

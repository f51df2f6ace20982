import * as z from 'zod';

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

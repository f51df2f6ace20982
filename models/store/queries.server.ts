import { trusted, type Model, type QueryFilter } from 'mongoose';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';

/**
 * Documents that a stream fetches at a time. Without a batch size, the driver requests up to 16 MB and holds it
 * all in memory, so that memory grows with the stream's length.
 */
const STREAM_BATCH = 200;

/**
 * Total time the database may spend on a stream, in ms: exporting the largest account
 * takes minutes, and the reader may be slow.
 */
const STREAM_MS = 10 * MINUTE_MS;

/** Options for a cursor that reads many rows, whether or not it returns them in batches of this size. */
export const STREAMING = { batchSize: STREAM_BATCH, maxTimeMS: STREAM_MS } as const;

/** The part of a mongoose cursor used here. */
interface RowCursor<Row> {
  next(): Promise<Row | null>;
  close(): Promise<void>;
}

/** The rows of a lean cursor. It is closed also when its reader stops early. */
export async function* rowsOf<Row>(cursor: RowCursor<Row>): AsyncGenerator<Row> {
  // Outside the block below: a cursor that cannot be opened cannot be closed either.
  let row = await cursor.next();
  try {
    for (; row !== null; row = await cursor.next()) yield row;
  } finally {
    await cursor.close();
  }
}

/** Maps a lean cursor's rows to records, `size` at a time. */
export async function* inBatches<Row, T>(
  cursor: RowCursor<Row>,
  read: (row: Row) => T,
  size = STREAM_BATCH,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const row of rowsOf(cursor)) {
    if (batch.push(read(row)) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A filter for rows with a text in one of these fields, ignoring case; every character is matched literally. */
export function containing(search: string, fields: readonly string[]): Record<string, unknown> {
  if (search === '') return {};
  const $regex = search.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return { $or: fields.map((field) => ({ [field]: trusted({ $regex, $options: 'i' }) })) };
}

/** A filter for rows whose instant in `field` is in a range; a range without bounds matches all. */
export function during<F extends string>(field: F, range: InstantRange): { [K in F]?: never } {
  const bounds = { ...(range.from && { $gte: range.from }), ...(range.before && { $lt: range.before }) };
  const filter: { [K in F]?: never } = {};
  // Mongoose's filter types allow an operator in place of a value; callers need not know about it.
  if (Object.keys(bounds).length > 0) Object.assign(filter, { [field]: trusted(bounds) });
  return filter;
}

/** A filter for rows that were added or changed at an instant or later; without one it matches all. */
export function changedSince(since: Date | undefined): { updatedAt?: never } {
  const filter: { updatedAt?: never } = {};
  if (since !== undefined) Object.assign(filter, { updatedAt: trusted({ $gte: since }) });
  return filter;
}

export type Direction = 1 | -1;

/** An index for what has changed, of collections in which one owner may have very many rows. */
export const CHANGES_INDEX = { userId: 1, updatedAt: 1 } as const;

/** So many rows are sorted sooner than all of an owner's rows are read in order. */
const FEW_CHANGES = 2000;

/**
 * The index with which to read what was changed since an instant: {@link CHANGES_INDEX} if that is little.
 * @returns undefined to read along the list's own order
 */
export async function changesHint<Row>(
  model: Model<Row>,
  userId: string,
  since: Date | undefined,
): Promise<typeof CHANGES_INDEX | undefined> {
  if (since === undefined) return undefined;
  const filter = { userId, ...changedSince(since) } as QueryFilter<Row>;
  const changed = await model.countDocuments(filter, { limit: FEW_CHANGES + 1 }).hint({ ...CHANGES_INDEX });
  return changed > FEW_CHANGES ? undefined : { ...CHANGES_INDEX };
}

/** The sort fields in order; the last one is unique. */
export type SortFields = readonly (readonly [field: string, direction: Direction])[];

/** The sort of a list, reversed when reading backwards. */
export function directed(fields: SortFields, backwards: boolean): Record<string, Direction> {
  return Object.fromEntries(
    fields.map(([field, direction]) => [field, backwards ? ((direction * -1) as Direction) : direction]),
  );
}

/**
 * Filters for the rows after a place in a sorted list (before it when reading backwards), to query one after the other:
 * first rows that differ in the last sort field only, then those that differ in earlier ones. Each reads one contiguous
 * index range, so a deep page costs no more than the first, however many rows share a value.
 * @param place the value of each field at that place
 */
export function rangesBeyond(
  fields: SortFields,
  place: readonly unknown[],
  backwards: boolean,
): Record<string, unknown>[] {
  return fields
    .map(([field, direction], depth) => {
      const filter: Record<string, unknown> = {};
      fields.slice(0, depth).forEach(([earlier], index) => (filter[earlier] = place[index]));
      const upwards = (direction === 1) !== backwards;
      filter[field] = trusted({ [upwards ? '$gt' : '$lt']: place[depth] });
      return filter;
    })
    .reverse();
}

/** More rows than anybody has at one instant. */
const MOST_AT_ONCE = 1000;

/**
 * All rows of the latest instant, for the caller to choose from, since servers return rows of one instant in any order.
 * Takes one index read, and a second one only if there are several.
 * @param read returns up to this many of the latest rows, or of the given instant's rows
 */
export async function rowsOfLatest<Row>(
  read: (limit: number, at?: Date) => Promise<Row[]>,
  timeOf: (row: Row) => Date | null,
): Promise<Row[]> {
  const [last, earlier] = await read(2);
  const at = last && timeOf(last);
  if (!at) return [];
  const isAlone = earlier === undefined || timeOf(earlier)?.getTime() !== at.getTime();
  return isAlone ? [last] : read(MOST_AT_ONCE, at);
}

/** Reads ranges one after the other until there are enough rows. */
export async function readRanges<Range, Row>(
  ranges: readonly Range[],
  limit: number,
  read: (range: Range, limit: number) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const range of ranges) {
    if (rows.length === limit) break;
    rows.push(...(await read(range, limit - rows.length)));
  }
  return rows;
}

/** Part of a sorted list. */
export interface SortedPart {
  /** The last field is unique. */
  sort: Record<string, Direction>;
  skip: number;
  limit: number;
  /** Begin after the row with these values of the sort fields. */
  after?: readonly unknown[] | undefined;
  hint?: Record<string, Direction> | undefined;
}

/** The rows of a part of a sorted list. */
export async function readPart<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  { sort, skip, limit, after, hint }: SortedPart,
): Promise<Row[]> {
  const ranges = after === undefined ? [{}] : rangesBeyond(Object.entries(sort), after, false);
  return readRanges(ranges, limit, (range, most) => {
    const both = after === undefined ? filter : ({ ...filter, $and: [range] } as QueryFilter<Row>);
    const query = model.find(both).sort(sort).skip(skip).limit(most);
    if (hint !== undefined) query.hint(hint);
    return query.lean<Row[]>();
  });
}

/**
 * The distinct texts of a field in matching rows. Uses a grouping, because every server supports a time limit for it.
 * @param filter passed to the database as it is: it may contain user input only as plain values
 */
export async function differentTexts<Row>(
  model: Model<Row>,
  field: string,
  filter: Record<string, unknown>,
): Promise<string[]> {
  const groups = await model.aggregate<{ _id: string }>([
    { $match: filter },
    { $group: { _id: `$${field}` } },
  ]);
  return groups.map(({ _id }) => _id);
}

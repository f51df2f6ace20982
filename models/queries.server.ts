import { trusted, type Model } from 'mongoose';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import type { InstantRange } from '#app/domain/time/zoned-time.ts';

/**
 * Documents that a stream fetches at a time. Without a size the driver asks for up to 16 MB, all of it in memory at
 * once, and the memory of a stream then grows with its length.
 */
const STREAM_BATCH = 200;

/**
 * How long the database may work on the rows of a stream, all of them together, in ms: an export of the largest account
 * takes minutes, and whoever reads it may be slow.
 */
const STREAM_MS = 10 * MINUTE_MS;

/** Options of a cursor that reads many rows, whether or not it gives them in batches of this size. */
export const STREAMING = { batchSize: STREAM_BATCH, maxTimeMS: STREAM_MS } as const;

/** A lean cursor of mongoose, and the driver's behind it once it is open. */
interface RowCursor<Row> {
  next(): Promise<Row | null>;
  close(): Promise<void>;
}

interface DriverCursor<Row> {
  cursor?: { readBufferedDocuments(): Row[] } | null;
}

/**
 * The rows of a lean cursor in the pieces in which they arrive. One by one, each row costs mongoose and the driver a
 * handful of promises, which is more than reading it.
 */
export async function* piecesOf<Row>(cursor: RowCursor<Row>): AsyncGenerator<Row[]> {
  const opened = cursor as DriverCursor<Row>;
  try {
    for (let row = await cursor.next(); row !== null; row = await cursor.next())
      yield [row, ...(opened.cursor?.readBufferedDocuments() ?? [])];
  } finally {
    // One that could not be opened has nothing to close.
    if (opened.cursor) await cursor.close();
  }
}

/** What a lean cursor gives, made into records, `size` at a time. */
export async function* inBatches<Row, T>(
  cursor: RowCursor<Row>,
  read: (row: Row) => T,
  size = STREAM_BATCH,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const rows of piecesOf(cursor)) {
    for (const row of rows) {
      if (batch.push(read(row)) < size) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** A filter for rows one of whose fields holds a text, capitals or not; every character is matched literally. */
export function containing(search: string, fields: readonly string[]): Record<string, unknown> {
  if (search === '') return {};
  const $regex = search.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return { $or: fields.map((field) => ({ [field]: trusted({ $regex, $options: 'i' }) })) };
}

/** The filter for rows whose instant in `field` lies in a range; an open range filters nothing. */
export function during<F extends string>(field: F, range: InstantRange): { [K in F]?: never } {
  const bounds = { ...(range.from && { $gte: range.from }), ...(range.before && { $lt: range.before }) };
  // An operator where the row has a value: mongoose's filter types know it, this function's callers need not.
  const filter = Object.keys(bounds).length === 0 ? {} : { [field]: trusted(bounds) };
  return filter as unknown as { [K in F]?: never };
}

export type Direction = 1 | -1;

/** The fields of a sort in order, the last of which no two rows share. */
export type SortFields = readonly (readonly [field: string, direction: Direction])[];

/** The sort of a list, the other way round when it is read backwards. */
export function directed(fields: SortFields, backwards: boolean): Record<string, Direction> {
  return Object.fromEntries(
    fields.map(([field, direction]) => [field, backwards ? ((direction * -1) as Direction) : direction]),
  );
}

/**
 * The rows that stand after a place in a sorted list (before it, backwards), as filters to ask one after the other:
 * first the rows that differ in the last sort field only, then those that differ earlier. Each is one unbroken piece
 * of the index, so a deep page costs what the first does, however many rows share a value.
 * @param place the place's value of each field
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
 * The rows of the latest instant, of which a server gives any first: whoever wants the last one chooses among them. It takes
 * one look at the index, and a second one only where there are several.
 * @param read gives the latest rows, so many of them; those of one instant, when it is named
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

/** Rows of ranges that are asked one after the other, until there are enough. */
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

/**
 * The different texts that a field has in the rows that match. As a grouping, which every server can bound in time.
 * @param filter as the database reads it: nothing from outside but plain values
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

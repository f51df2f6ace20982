import * as z from 'zod';
import { decodeCursor, encodeCursor } from './cursor.server.ts';

/** Where a list goes on: behind a row, or before it. */
export interface ListCursor<Place> {
  /** What the list is sorted by: a cursor of another list begins at the start. */
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

/** A cursor as text for a link. It holds nothing that its reader does not see anyway. */
export function writeListCursor(cursor: ListCursor<{ value: Date | string; id: string }>): string {
  const { list, backwards, place } = cursor;
  const value = place.value instanceof Date ? place.value.getTime() : place.value;
  return encodeCursor([list, backwards, value, place.id]);
}

/**
 * A link's cursor; null when it cannot be read, or is of another list.
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

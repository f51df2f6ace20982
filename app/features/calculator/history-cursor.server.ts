import * as z from 'zod';
import { decodeCursor, encodeCursor } from '#app/platform/pagination/cursor.server.ts';
import { HISTORY_SORTS, type HistorySort } from '#app/domain/calculator/history.ts';
import { nameKeyOf, type HistoryPosition } from '#models/index.server.ts';
import type { HistoryEntry } from '#app/domain/calculator/history.ts';

/** Where a list goes on: after (or before) a row, and which page that is. */
export interface HistoryCursor {
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

/** The cursor of a row as text for a link. It holds nothing that its reader does not see anyway. */
export function writeCursor(entry: HistoryEntry, cursor: Omit<HistoryCursor, 'position'>): string {
  const { sort, backwards, page } = cursor;
  const parts = [sort, backwards, page, entry.createdAt.getTime(), entry.id, keyOf(entry, sort)];
  return encodeCursor(parts);
}

/** A link's cursor, null when it cannot be read or is of another sort; the list then begins at its page number. */
export function readCursor(text: string | undefined, sort: HistorySort): HistoryCursor | null {
  const parts = decodeCursor(text, shape);
  if (parts === null || parts[0] !== sort) return null;
  const [, backwards, page, time, id, key] = parts;
  if ((sort === 'date') !== (key === null) || (sort === 'concentration') !== (typeof key === 'number'))
    return null;
  return { sort, backwards, page, position: { createdAt: new Date(time), id, key } };
}

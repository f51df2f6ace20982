import * as z from 'zod';
import { decodeCursor, encodeCursor } from '#app/platform/pagination/cursor.server.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import {
  vialQuerySchema,
  VIAL_SORTS,
  type VialQuery,
  type VialQueryInput,
} from '#app/domain/vials/vial-list-schema.ts';
import { vialPosition, type VialPosition } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { ownersDay } from './vial-writes.server.ts';

/** One page of somebody's vials. */
export interface VialPage extends Pick<VialQuery, 'filter' | 'sort' | 'search' | 'limit'> {
  items: Vial[];
  page: number;
  /** The owner's today, by which dates were judged. */
  day: string;
  /** Cursors of the pages beside this one, null at the ends. */
  next: string | null;
  previous: string | null;
}

interface VialCursor {
  backwards: boolean;
  page: number;
  position: VialPosition;
}

const shape = z.tuple([
  z.enum(VIAL_SORTS),
  z.boolean(),
  z.number().int().min(1).max(1_000_000),
  z.union([z.string().max(500), z.number()]),
  z.string().max(64),
]);

function writeCursor(vial: Vial, sort: VialQuery['sort'], backwards: boolean, page: number): string {
  const [key, id] = vialPosition(vial, sort);
  const plain = key instanceof Date ? key.getTime() : key;
  return encodeCursor([sort, backwards, page, plain, id]);
}

/** A link's cursor, null when it cannot be read or is of another sort; the list then begins at its start. */
function readCursor(text: string | undefined, sort: VialQuery['sort']): VialCursor | null {
  const parts = decodeCursor(text, shape);
  if (parts === null || parts[0] !== sort) return null;
  const [, backwards, page, key, id] = parts;
  const isNumber = sort === 'remaining' || sort === 'added';
  if ((typeof key === 'number') !== isNumber) return null;
  if (sort === 'added' && Math.abs(Number(key)) > 8.64e15) return null;
  return { backwards, page, position: [sort === 'added' ? new Date(key) : key, id] };
}

/**
 * Vials of an account: searched, filtered, sorted, a page at a time. One row more than the page is read, which tells
 * whether there is a next page without counting.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function listVials(ctx: Ctx, ownerId: string, input: VialQueryInput = {}): Promise<VialPage> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const { cursor: text, page: asked, ...query } = vialQuerySchema.parse(input);
  const { sort, limit } = query;
  const day = await ownersDay(ctx, ownerId);
  const cursor = readCursor(text, sort);
  const backwards = cursor?.backwards ?? false;
  const read = (at: Pick<VialCursor, 'position' | 'backwards'> | null, skip: number) =>
    ctx.repos.compounds.list(ownerId, {
      ...query,
      day,
      limit: limit + 1,
      skip,
      from: at?.position ?? null,
      backwards: at?.backwards ?? false,
    });
  const page = cursor?.page ?? asked;
  const found = await read(cursor, cursor ? 0 : (page - 1) * limit);
  const more = found.length > limit;
  const items = backwards ? found.slice(more ? 1 : 0) : found.slice(0, limit);
  const [first, last] = [items[0], items.at(-1)];
  const hasNext = backwards || more;
  const hasPrevious = backwards ? more : page > 1;
  return {
    ...query,
    items,
    page: hasPrevious ? page : 1,
    day,
    next: last && hasNext ? writeCursor(last, sort, false, page + 1) : null,
    previous: first && hasPrevious ? writeCursor(first, sort, true, Math.max(1, page - 1)) : null,
  };
}

/** How many vials a filter and a search find. Reads the owner's rows once. @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function countVials(ctx: Ctx, ownerId: string, input: VialQueryInput = {}): Promise<number> {
  authorise(ctx.actor, 'vial.read', { ownerId });
  const query = vialQuerySchema.parse(input);
  return ctx.repos.compounds.count(ownerId, { ...query, day: await ownersDay(ctx, ownerId) });
}

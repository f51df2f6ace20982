import { trusted, type Model, type QueryFilter, type UpdateQuery } from 'mongoose';

/** How workers claim work from a collection. */
export interface Claim<T> {
  /** Matches documents that may be claimed; checked again when claiming. */
  free: QueryFilter<T>;
  /** The order in which documents are claimed. */
  sort: Record<string, 1 | -1>;
  /** The update that claims a document; `free` must not match it afterwards. */
  take: UpdateQuery<T>;
  /** Matches documents claimed by this call. */
  taken: QueryFilter<T>;
  size: number;
}

/** Candidates read for each document claimed, so that concurrent workers rarely choose the same ones. */
const CHOICE = 8;

/** A contiguous part of the list at a random position. */
function stretch<T>(list: readonly T[], size: number): T[] {
  const start = Math.floor(Math.random() * Math.max(1, list.length - size + 1));
  return list.slice(start, start + size);
}

/**
 * Some of the work of all accounts that is due, for a step in which one atomic update of a document both does the work and
 * requires that nobody has done it: workers rarely choose the same.
 */
export async function chooseBatch<T>(
  model: Model<T>,
  { free, sort, size }: Pick<Claim<T>, 'free' | 'sort' | 'size'>,
): Promise<T[]> {
  const due = model.find(free, { _id: 1 }).sort(sort);
  const candidates = await due.limit(size * CHOICE).lean<{ _id: string }[]>();
  if (candidates.length === 0) return [];
  const chosen = { _id: trusted({ $in: stretch(candidates, size).map(({ _id }) => _id) }) } as QueryFilter<T>;
  return model.find({ ...chosen, ...free }).lean<T[]>();
}

/**
 * Claims a batch of work of all accounts. Each document is claimed by one atomic update that requires it to be free, so
 * only one worker gets it. For its owner it has not changed.
 */
export async function claimBatch<T>(
  model: Model<T>,
  { free, sort, take, taken, size }: Claim<T>,
): Promise<T[]> {
  const candidates = await model
    .find(free, { _id: 1 })
    .sort(sort)
    .limit(size * CHOICE)
    .lean<{ _id: string }[]>();
  if (candidates.length === 0) return [];
  const chosen = { _id: trusted({ $in: stretch(candidates, size).map(({ _id }) => _id) }) } as QueryFilter<T>;
  const { modifiedCount } = await model.updateMany({ ...chosen, ...free }, take, { timestamps: false });
  return modifiedCount === 0 ? [] : await model.find({ ...chosen, ...taken }).lean<T[]>();
}

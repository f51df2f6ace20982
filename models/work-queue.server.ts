import { trusted, type Model, type QueryFilter, type UpdateQuery } from 'mongoose';

/** Work that any worker may take, and how it is taken. */
export interface Claim<T> {
  /** Finds what may be taken; holds again when it is taken. */
  free: QueryFilter<T>;
  /** What comes first. */
  sort: Record<string, 1 | -1>;
  /** Written into what is taken; it makes `free` false. */
  take: UpdateQuery<T>;
  /** Finds what was taken by this call. */
  taken: QueryFilter<T>;
  size: number;
}

/** How many candidates are looked at for each one taken: workers that look at once rarely choose the same. */
const CHOICE = 8;

/** A stretch of the list at a random place. */
function stretch<T>(list: readonly T[], size: number): T[] {
  const start = Math.floor(Math.random() * Math.max(1, list.length - size + 1));
  return list.slice(start, start + size);
}

/**
 * Takes a batch of work of anybody. Each document is taken by one atomic update that finds it free, so of any number of
 * workers one gets it.
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
  const { modifiedCount } = await model.updateMany({ ...chosen, ...free }, take);
  return modifiedCount === 0 ? [] : await model.find({ ...chosen, ...taken }).lean<T[]>();
}

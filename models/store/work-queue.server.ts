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
 * A filter for some of the free documents, by owner and id; null when none is free. Only this query asks all shards of a
 * cluster.
 */
async function someOf<T>(
  model: Model<T>,
  { free, sort, size }: Pick<Claim<T>, 'free' | 'sort' | 'size'>,
): Promise<QueryFilter<T> | null> {
  const candidates = await model
    .find(free, { _id: 1, userId: 1 })
    .sort(sort)
    .limit(size * CHOICE)
    .lean<{ _id: string; userId?: string }[]>();
  if (candidates.length === 0) return null;
  const some = stretch(candidates, size);
  const owners = [...new Set(some.flatMap(({ userId }) => userId ?? []))];
  return {
    ...(owners.length > 0 && { userId: trusted({ $in: owners }) }),
    _id: trusted({ $in: some.map(({ _id }) => _id) }),
  } as QueryFilter<T>;
}

/**
 * Some of the work of all accounts that is due, for a step in which one atomic update of a document both does the work and
 * requires that nobody has done it: workers rarely choose the same.
 */
export async function chooseBatch<T>(
  model: Model<T>,
  which: Pick<Claim<T>, 'free' | 'sort' | 'size'>,
): Promise<T[]> {
  const chosen = await someOf(model, which);
  return chosen === null ? [] : await model.find({ ...chosen, ...which.free }).lean<T[]>();
}

/** For its owner, a document that a worker claims has not changed. */
const QUIETLY = { timestamps: false } as const;

/**
 * Claims a batch of work of all accounts. Each document is claimed by one atomic update that requires it to be free, so
 * only one worker gets it.
 */
export async function claimBatch<T>(model: Model<T>, { take, taken, ...which }: Claim<T>): Promise<T[]> {
  const chosen = await someOf(model, which);
  if (chosen === null) return [];
  const { modifiedCount } = await model.updateMany({ ...chosen, ...which.free }, take, QUIETLY);
  return modifiedCount === 0 ? [] : await model.find({ ...chosen, ...taken }).lean<T[]>();
}

/**
 * Claims the first free document of all accounts, or another one if several workers are at it.
 * @returns the document as it is now; null when none is free
 */
export async function claimOne<T>(
  model: Model<T>,
  { free, sort, take }: Pick<Claim<T>, 'free' | 'sort' | 'take'>,
): Promise<T | null> {
  for (let attempt = 0; ; attempt += 1) {
    const first = await model
      .find(free, { _id: 1, userId: 1 })
      .sort(sort)
      .limit(CHOICE)
      .lean<{ _id: string; userId: string }[]>();
    const choice = first[attempt === 0 ? 0 : Math.floor(Math.random() * first.length)];
    if (choice === undefined) return null;
    const { _id, userId } = choice;
    const one = { ...free, userId, _id } as QueryFilter<T>;
    const row = await model.findOneAndUpdate(one, take, { ...QUIETLY, returnDocument: 'after' }).lean<T>();
    if (row !== null) return row;
  }
}

import { type Model, trusted, type QueryFilter, type UpdateQuery } from 'mongoose';
import { shardKeyOf } from './shard-keys.ts';
import { isInTransaction } from './transaction.server.ts';

/** True for the server's answer that a unique value is taken; false in a transaction, which cannot go on after it. */
export function isDuplicateKey(error: unknown): boolean {
  if (isInTransaction()) return false;
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 11000;
}

/** Two concurrent upserts of a new document may both try to create it; on retry, the second one finds it. */
export async function retryOnDuplicate<T>(attempt: () => PromiseLike<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return attempt();
  }
}

const idOf = (row: unknown): unknown => (row as { _id?: unknown })._id;

/** Which of these rows' ids exist already. Ids of what people own are derived from their owners, so only these are asked. */
async function takenIds<T>(model: Model<T>, rows: readonly Partial<T>[]): Promise<Set<unknown>> {
  const owners = new Set(rows.map((row) => (row as { userId?: unknown }).userId));
  const [first] = owners;
  const isOwned = shardKeyOf(model.collection.collectionName) === 'userId';
  const filter = {
    ...(isOwned && { userId: owners.size === 1 ? first : trusted({ $in: [...owners] }) }),
    _id: trusted({ $in: rows.map(idOf) }),
  } as QueryFilter<T>;
  return new Set((await model.find(filter, { _id: 1 }).lean()).map(idOf));
}

/**
 * Writes a new document; fields with a default may be missing.
 * @returns false when its id, or another value that must be unique, is taken
 */
export async function insertUnlessTaken<T>(model: Model<T>, row: Partial<T>): Promise<boolean> {
  if (isInTransaction() && (await takenIds(model, [row])).size > 0) return false;
  try {
    await model.create(row as T);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** True when an unordered insert failed only because rows existed already. */
function onlyDuplicates(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const failures: unknown = 'writeErrors' in error ? error.writeErrors : undefined;
  if (!Array.isArray(failures) || failures.length === 0) return isDuplicateKey(error);
  return failures.every((failure: unknown) => isDuplicateKey(failure));
}

/**
 * Adds rows whose id does not exist yet and leaves existing ones unchanged. Repeating it changes nothing.
 * @returns whether every row was added
 */
export async function insertMissing<T>(model: Model<T>, rows: readonly T[]): Promise<boolean> {
  const taken = isInTransaction() ? await takenIds(model, rows) : new Set<unknown>();
  const fresh = rows.filter((row) => !taken.has(idOf(row)));
  if (fresh.length === 0) return rows.length === 0;
  try {
    await model.insertMany(fresh, { ordered: false, throwOnValidationError: true });
    return taken.size === 0;
  } catch (error) {
    if (!onlyDuplicates(error)) throw error;
    return false;
  }
}

/** Rows that one statement changes or removes, so that other calls get their turn in between. */
export const ROWS_AT_ONCE = 500;

/** The same for rows of up to a quarter of a megabyte, such as chunks of files. */
export const LARGE_ROWS_AT_ONCE = 20;

/**
 * Passes the ids of all matching rows to `write`, some at a time, until none matches: `write` must change or
 * remove them. After an interruption, calling it again continues with the rest.
 */
async function eachBatch<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  atOnce: number,
  write: (these: QueryFilter<Row>) => Promise<unknown>,
): Promise<void> {
  const key = shardKeyOf(model.collection.collectionName) ?? '_id';
  const isNamed = key in filter;
  for (;;) {
    const rows = await model
      .find(filter, { _id: 1, [key]: 1 })
      .limit(atOnce)
      .lean<Record<string, unknown>[]>();
    const ids = rows.map(({ _id }) => _id);
    const shards = isNamed ? {} : { [key]: trusted({ $in: [...new Set(rows.map((row) => row[key]))] }) };
    // Includes the rest of the filter, so that a row changed meanwhile is left alone.
    if (ids.length > 0) await write({ ...filter, ...shards, _id: trusted({ $in: ids }) });
    if (ids.length < atOnce) return;
  }
}

/**
 * Removes all matching rows, some at a time. Repeating it is harmless.
 * @param within runs what removes some of them, for what has to happen with it
 * @returns how many were removed
 */
export async function removeInBatches<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  atOnce = ROWS_AT_ONCE,
  within: (remove: () => Promise<number>) => Promise<number> = (remove) => remove(),
): Promise<number> {
  let removed = 0;
  await eachBatch(model, filter, atOnce, async (these) => {
    removed += await within(async () => (await model.deleteMany(these)).deletedCount);
  });
  return removed;
}

/**
 * Changes all matching rows, some at a time.
 * @param filter a changed row must no longer match it
 * @param within runs what changes some of them, for what has to happen with it
 */
export async function updateInBatches<Row>(
  model: Model<Row>,
  filter: QueryFilter<Row>,
  update: UpdateQuery<Row>,
  within: (change: () => Promise<unknown>) => Promise<void> = async (change) => void (await change()),
): Promise<void> {
  await eachBatch(model, filter, ROWS_AT_ONCE, (these) =>
    within(async () => model.updateMany(these, update)),
  );
}

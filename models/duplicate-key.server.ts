import type { Model, mongo, Schema } from 'mongoose';
import { plainRow } from './plain-rows.server.ts';

/** True for the server's answer that a unique value is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 11000;
}

/** Two first upserts of one document at once may both try to make it; the second then finds it. */
export async function retryOnDuplicate<T>(attempt: () => PromiseLike<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return attempt();
  }
}

/**
 * Writes a new document; fields with a default may be missing.
 * @returns false when its id, or another value that must be unique, is taken
 */
export async function insertUnlessTaken<T>(model: Model<T>, row: Partial<T>): Promise<boolean> {
  try {
    await model.create(row as T);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** True when all that went wrong with an unordered insert is that rows were there already. */
function onlyDuplicates(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const failures: unknown = 'writeErrors' in error ? error.writeErrors : undefined;
  if (!Array.isArray(failures) || failures.length === 0) return isDuplicateKey(error);
  return failures.every((failure: unknown) => isDuplicateKey(failure));
}

/**
 * Adds the rows whose id is not there yet; what is there stays as it is. Doing it again does nothing.
 * @returns whether every row was added
 */
export async function insertMissing<T>(model: Model<T>, rows: readonly T[]): Promise<boolean> {
  const plain: T[] = [];
  const others: T[] = [];
  for (const row of rows) {
    const checked = plainRow(model.schema as unknown as Schema<T>, row);
    if (checked === null) others.push(row);
    else plain.push(checked);
  }
  let areAllNew = true;
  // First, since one that is not valid stops everything.
  if (others.length > 0)
    areAllNew = await areNew(() =>
      model.insertMany(others, { ordered: false, throwOnValidationError: true }),
    );
  if (plain.length > 0) {
    const insert = () => model.collection.insertMany(plain as mongo.BSON.Document[], { ordered: false });
    areAllNew = (await areNew(insert)) && areAllNew;
  }
  return areAllNew;
}

async function areNew(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (!onlyDuplicates(error)) throw error;
    return false;
  }
}

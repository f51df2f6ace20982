import type { Model } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.server.ts';

/** True when all that went wrong with an unordered insert is that rows were there already. */
function onlyDuplicates(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const failures: unknown = 'writeErrors' in error ? error.writeErrors : undefined;
  if (!Array.isArray(failures) || failures.length === 0) return isDuplicateKey(error);
  return failures.every((failure: unknown) => isDuplicateKey(failure));
}

/** Adds the rows whose id is not there yet; what is there stays as it is. Doing it again does nothing. */
export async function insertNew<T>(model: Model<T>, rows: readonly T[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    await model.insertMany([...rows], { ordered: false });
  } catch (error) {
    if (!onlyDuplicates(error)) throw error;
  }
}

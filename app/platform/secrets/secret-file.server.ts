import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#app/domain/errors.ts';

/** What group and others must not have; there are no such modes on Windows. */
const FOREIGN = process.platform === 'win32' ? 0 : 0o077;

/** @throws AppError DATABASE_UNAVAILABLE for one that others can read, with the command that mends it */
async function readIfThere(file: string): Promise<string | null> {
  try {
    const { mode } = await stat(file);
    if ((mode & FOREIGN) !== 0)
      throw new AppError(
        'DATABASE_UNAVAILABLE',
        `Other users of this computer can read the secret in ${file}. Close it with: chmod 600 '${file}'`,
      );
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * A secret that is made once and kept in the data directory, readable by its owner alone. Processes that start at once
 * end with the same one: the file appears complete or not at all, and the first stays.
 */
export async function keptSecret(
  directory: string,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const file = path.join(directory, name);
  const known = await readIfThere(file);
  if (known) return known;
  if (await mkdir(directory, { recursive: true, mode: 0o700 })) await chmod(directory, 0o700);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${await make()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}

import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '#app/domain/settings/index.ts';

async function readIfThere(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The secret that signs what browsers keep for us: `SESSION_SECRET`, else one that is made once and kept in the data
 * directory, readable by its owner alone. Two processes that start at once end with the same one: the file appears
 * complete or not at all, and the first stays.
 */
export async function loadSessionSecret(
  settings: Pick<Settings, 'SESSION_SECRET' | 'DATA_DIR'>,
): Promise<string> {
  if (settings.SESSION_SECRET !== undefined) return settings.SESSION_SECRET;
  const file = path.join(settings.DATA_DIR, 'session-secret');
  const known = await readIfThere(file);
  if (known) return known;
  await mkdir(settings.DATA_DIR, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}

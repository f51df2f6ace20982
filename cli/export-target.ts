import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { Readable, Writable } from 'node:stream';
import { cannotWrite } from './file-problem.ts';
import { type Io, write } from './io.ts';

async function pour(body: Readable, target: Writable): Promise<void> {
  for await (const chunk of body) await write(target, chunk as Uint8Array);
}

/** Opens a new file beside the target, so that renaming it is one step on the same disk. */
async function openBeside(target: string): Promise<{ draft: string; file: Writable }> {
  const directory = path.dirname(path.resolve(target));
  const draft = path.join(directory, `.${path.basename(target)}.${randomBytes(4).toString('hex')}.part`);
  try {
    const handle = await open(draft, 'wx', 0o600);
    return { draft, file: createWriteStream(draft, { fd: handle }) };
  } catch (error) {
    throw cannotWrite(target, error);
  }
}

/**
 * Writes an export to a file, or with "-" to stdout. The file appears complete or not at all, and replaces an older
 * one only then. It is readable by its owner alone.
 * @throws AppError INVALID_INPUT when the place cannot be written
 */
export async function writeExport(io: Io, target: string, body: () => Readable): Promise<void> {
  if (target === '-') return pour(body(), io.stdout);
  const { draft, file } = await openBeside(target);
  try {
    await pour(body(), file);
    file.end();
    await finished(file);
    await rename(draft, target);
  } catch (error) {
    file.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}

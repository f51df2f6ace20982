import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '#app/domain/errors.ts';
import { type Io, write } from './io.ts';

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

/** The answer to a place that cannot be written: INVALID_INPUT with the reason. */
function cannotWrite(file: string, cause: unknown): AppError {
  return new AppError('INVALID_INPUT', `"${file}" cannot be written: ${wordsOf(cause)}.`, { cause });
}

/** The answer to a file that cannot be read: NOT_FOUND when there is none, else INVALID_INPUT with the reason. */
export function cannotRead(file: string, cause: unknown): AppError {
  if (codeOf(cause) === 'ENOENT') return new AppError('NOT_FOUND', `There is no file "${file}".`, { cause });
  return new AppError('INVALID_INPUT', `"${file}" cannot be read: ${wordsOf(cause)}.`, { cause });
}

/** What the system says about a file, in words. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a directory',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is no folder',
  EPERM: 'the system does not permit it',
  EROFS: 'the disk is read-only',
};

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException | null)?.code ?? '';

const wordsOf = (cause: unknown): string =>
  WORDS[codeOf(cause)] ?? (cause instanceof Error ? cause.message : String(cause));

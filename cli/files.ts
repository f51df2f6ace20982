import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { finished, pipeline } from 'node:stream/promises';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '#app/domain/errors.ts';
import { type Io, write } from './io.ts';

/**
 * Writes an export to a file, or with "-" to stdout. The file appears complete or not at all, and replaces an older
 * one only then. It is readable by its owner alone.
 * @throws AppError INVALID_INPUT when the place cannot be written
 */
export async function writeExport(
  io: Io,
  target: string,
  body: () => Readable | Promise<Readable>,
): Promise<void> {
  if (target === '-') return pour(await body(), io.stdout);
  const { draft, file } = await openBeside(target);
  try {
    await pour(await body(), file);
    file.end();
    await finished(file);
    await rename(draft, target);
  } catch (error) {
    file.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}

/** How a file of bytes that no person reads is written. */
interface BinaryOptions {
  /** Replaces a file that is there already. */
  force?: boolean;
}

/**
 * Asks whether a backup may be written where it should go, before the work begins.
 * @throws AppError INVALID_INPUT for a file that exists, without `force`, and for a terminal
 */
export async function requireBackupTarget(io: Io, target: string, { force }: BinaryOptions): Promise<void> {
  if (target === '-') {
    if (!io.stdoutIsTerminal) return;
    throw new AppError(
      'INVALID_INPUT',
      'A backup is no text for a terminal. Name a file, or send it on with > or |.',
    );
  }
  const exists = await access(target).then(
    () => true,
    () => false,
  );
  if (exists && force !== true)
    throw new AppError(
      'INVALID_INPUT',
      `"${target}" is there already. Name another file, or add --force to replace it.`,
    );
}

/**
 * Gives a file that can be read more than once, as a check before a restore needs: stdin is kept in one of its own
 * meanwhile.
 * @throws AppError NOT_FOUND when there is no such file
 */
export async function withReadableFile<T>(
  io: Io,
  file: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (file !== '-') {
    await access(file).catch((error: unknown) => {
      throw cannotRead(file, error);
    });
    return work(file);
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'vialbook-'));
  try {
    const kept = path.join(directory, 'stdin');
    await pipeline(io.stdin, createWriteStream(kept, { mode: 0o600 }));
    return await work(kept);
  } finally {
    await rm(directory, { recursive: true, force: true });
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

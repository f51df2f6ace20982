import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { finished, pipeline } from 'node:stream/promises';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '#app/domain/errors.ts';
import { type Io, write } from './io.ts';

/**
 * Writes an export to a file, or with "-" to stdout. The file appears, and replaces an older one, only when it is
 * complete. Only its owner can read it.
 * @throws AppError INVALID_INPUT when the target cannot be written
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

/**
 * Checks, before the work begins, that a file may be written to.
 * @param target a path, or "-" for stdout
 * @throws AppError INVALID_INPUT when it exists and `force` is not set, or is something else than a file
 */
export async function requireTarget(target: string, { force }: { force?: boolean }): Promise<void> {
  if (target === '-') return;
  const found = await stat(target).catch(() => null);
  if (found === null) return;
  if (found.isDirectory()) throw cannotWrite(target, Object.assign(new Error(), { code: 'EISDIR' }));
  if (!found.isFile())
    throw new AppError(
      'INVALID_INPUT',
      `"${target}" is not a file. Use --out - and redirect the output with >.`,
    );
  if (force !== true)
    throw new AppError(
      'INVALID_INPUT',
      `"${target}" already exists. Choose another file, or add --force to replace it.`,
    );
}

/** Refuses to write a binary file to the terminal. @throws AppError INVALID_INPUT */
export function refuseTerminal(io: Io, target: string, what: string): void {
  if (target === '-' && io.stdoutIsTerminal)
    throw new AppError(
      'INVALID_INPUT',
      `${what} cannot be shown in a terminal. Name a file with --out, or redirect the output with > or |.`,
    );
}

/**
 * Provides a file that can be read more than once, as a check before a restore needs. Stdin is copied to a temporary
 * file.
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
    const copy = path.join(directory, 'stdin');
    await pipeline(io.stdin, createWriteStream(copy, { mode: 0o600 }));
    return await work(copy);
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

/** INVALID_INPUT with the reason why the file cannot be written. */
function cannotWrite(file: string, cause: unknown): AppError {
  return new AppError('INVALID_INPUT', `"${file}" cannot be written: ${wordsOf(cause)}.`, { cause });
}

/** NOT_FOUND when there is no such file, otherwise INVALID_INPUT with the reason. */
export function cannotRead(file: string, cause: unknown): AppError {
  if (codeOf(cause) === 'ENOENT') return new AppError('NOT_FOUND', `There is no file "${file}".`, { cause });
  return new AppError('INVALID_INPUT', `"${file}" cannot be read: ${wordsOf(cause)}.`, { cause });
}

/** System error codes in words. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a directory',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of the path is not a folder',
  EPERM: 'the system does not permit it',
  EROFS: 'the disk is read-only',
};

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException | null)?.code ?? '';

const wordsOf = (cause: unknown): string =>
  WORDS[codeOf(cause)] ?? (cause instanceof Error ? cause.message : String(cause));

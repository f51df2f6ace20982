import { AppError } from '#app/domain/errors.ts';

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

/** The answer to a file that cannot be read: NOT_FOUND when there is none, else INVALID_INPUT with the reason. */
export function cannotRead(file: string, cause: unknown): AppError {
  if (codeOf(cause) === 'ENOENT') return new AppError('NOT_FOUND', `There is no file "${file}".`, { cause });
  return new AppError('INVALID_INPUT', `"${file}" cannot be read: ${wordsOf(cause)}.`, { cause });
}

/** The answer to a place that cannot be written: INVALID_INPUT with the reason. */
export function cannotWrite(file: string, cause: unknown): AppError {
  return new AppError('INVALID_INPUT', `"${file}" cannot be written: ${wordsOf(cause)}.`, { cause });
}

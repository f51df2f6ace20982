import { readFile, stat, statfs } from 'node:fs/promises';
import { EngineError } from '../../errors.ts';

/** Operating-system errors that mean there is no space: disk, quota or file size limit. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const FULL_TEXT = /no space left|disk quota|file too large|MDB_MAP_FULL/i;

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** True when a failure means that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof EngineError) return error.codeName === 'OutOfDiskSpace';
  const code = codeOf(error);
  return (code !== undefined && FULL.has(code)) || FULL_TEXT.test(textOf(error));
}

/** LMDB's error for a partial write, which happens when a disk becomes full. */
const SHORT_WRITE = /input\/output error/i;
/** With less free space than this, a partial write means that the disk is full. */
const NO_ROOM_BYTES = 1024 * 1024;

async function bytesLeftOnDisk(dir: string): Promise<number> {
  const disk = await statfs(dir);
  return disk.bavail * disk.bsize;
}

/** How far a file may still grow under this process's file size limit. */
async function bytesLeftByLimit(file: string): Promise<number> {
  const limit = /^Max file size\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'latin1'))?.[1];
  return limit === undefined ? Infinity : Number(limit) - (await stat(file)).size;
}

/** The reason of a failed write; a partial write for lack of space becomes a full disk. */
export async function namingFullDisk(reason: unknown, dir: string, file: string): Promise<unknown> {
  if (!SHORT_WRITE.test(textOf(reason))) return reason;
  const looks = [bytesLeftOnDisk(dir), bytesLeftByLimit(file)].map((look) => look.catch(() => Infinity));
  return Math.min(...(await Promise.all(looks))) < NO_ROOM_BYTES ? diskFull(reason) : reason;
}

/** LMDB gives the reason for a failed commit in a separate promise. */
export async function commitReason(error: unknown): Promise<unknown> {
  const inner = (error as { commitError?: Promise<unknown> } | null)?.commitError;
  if (!inner) return error;
  return inner.then(
    () => error,
    (reason: unknown) => reason,
  );
}

/** The error for a full disk: nothing of this write was stored, and the store can continue once there is space. */
export function diskFull(cause: unknown): EngineError {
  return new EngineError(
    'OutOfDiskSpace',
    'The disk with the data directory is full. Nothing of this write was stored; free some space and try again.',
    { cause },
  );
}

/** The error that a failed write reports. Errors of the engine itself are passed through. */
export function storageError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (isDiskFull(error)) return diskFull(error);
  return new EngineError('InternalError', `Storage error: ${textOf(error)}`, { cause: error });
}

/** The error for a refused start, which says what to do. */
export function refusedStart(dir: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const text = textOf(error);
  const code = codeOf(error);
  const say = (reason: string): EngineError =>
    new EngineError('InternalError', `Cannot open the data directory ${dir}: ${reason}`, { cause: error });
  if (isDiskFull(error)) return diskFull(error);
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return say('it, or a part of its path, is a file. Choose a directory.');
  if (code === 'EACCES' || code === 'EPERM' || /permission denied|not permitted/i.test(text))
    return say('this user does not have read and write permission. Change its owner or its mode.');
  if (code === 'EROFS' || /read-only file system/i.test(text)) return say('its file system is read-only.');
  if (/MDB_READERS_FULL|READERS_FULL/.test(text)) return say('too many processes and cursors have it open.');
  if (/MDB_INVALID|MDB_VERSION_MISMATCH|MDB_CORRUPTED|MDB_PAGE_NOTFOUND|not an LMDB file/i.test(text))
    return damaged(dir, text);
  return say(text);
}

/** The error for damaged files, which says how to get the data back. */
export function damaged(dir: string, reason: string): EngineError {
  return new EngineError(
    'InternalError',
    `The database in ${dir} is damaged or an incomplete copy (${reason}). Move the directory away and restore a backup, ` +
      'or copy it again while no process has it open.',
  );
}

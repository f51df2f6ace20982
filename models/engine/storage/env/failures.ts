import { readFile, stat, statfs } from 'node:fs/promises';
import { EngineError } from '../../errors.ts';
import type { DataFiles } from './files.ts';

/** The operating system's and SQLite's errors that mean there is no space: disk, quota or file size limit. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL']);

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** True when a failure means that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof EngineError) return error.codeName === 'OutOfDiskSpace';
  return FULL.has(codeOf(error));
}

/** With less free space than this, a failed write means that the disk is full. */
const NO_ROOM_BYTES = 1024 * 1024;

/** How much can still be written: free space, and how far a file may grow under this process's file size limit. */
export async function roomIn({ dir, data, log }: DataFiles): Promise<number> {
  const [disk, limits, ...files] = await Promise.all([
    statfs(dir).catch(() => null),
    readFile('/proc/self/limits', 'latin1').catch(() => ''),
    ...[data, log].map((file) => stat(file).catch(() => null)),
  ]);
  const limit = /^Max file size\s+(\d+)/m.exec(limits)?.[1];
  const largest = Math.max(...files.map((file) => file?.size ?? 0));
  return Math.min(disk ? disk.bavail * disk.bsize : Infinity, limit ? Number(limit) - largest : Infinity);
}

/** The reason of a failure; one of reading or writing becomes a full disk where there is no room. */
export async function namingFullDisk(reason: unknown, files: DataFiles): Promise<unknown> {
  if (!codeOf(reason).startsWith('SQLITE_IOERR')) return reason;
  return (await roomIn(files)) < NO_ROOM_BYTES ? diskFull(reason) : reason;
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
  if (['EACCES', 'EPERM', 'SQLITE_CANTOPEN', 'SQLITE_PERM'].includes(code))
    return say('this user does not have read and write permission. Change its owner or its mode.');
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY')) return say('its file system is read-only.');
  if (code.startsWith('SQLITE_BUSY')) return say('another program has locked it. Stop that program.');
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return damaged(dir, text);
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

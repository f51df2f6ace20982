import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { EngineError } from '#models/engine/errors.ts';
import {
  isDiskFull,
  namingFullDisk,
  refusedStart,
  storageError,
} from '#models/engine/storage/env/failures.ts';
import { judgeFileSystem } from '#models/engine/storage/env/file-system.ts';
import { filesIn } from '#models/engine/storage/env/files.ts';

const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code ? { code } : {});

describe('a file system', () => {
  it.each([
    [0x6969, 'unfit', 'NFS'],
    [-11317950, 'unfit', 'CIFS'],
    [0x01021997, 'unsure', '9p'],
    [0xef53, 'fit', ''],
    [0x9123683e, 'fit', ''],
  ])('of type %i is %s', (type, verdict, name) => {
    expect(judgeFileSystem(type)).toEqual({ verdict, name });
  });
});

describe('a failed write', () => {
  it.each([
    failure('x', 'ENOSPC'),
    failure('x', 'EDQUOT'),
    failure('x', 'EFBIG'),
    failure('database or disk is full', 'SQLITE_FULL'),
  ])('for lack of room is told as 14031 (%s)', (error) => {
    expect(isDiskFull(error)).toBe(true);
    expect(storageError(error)).toMatchObject({ code: 14031, codeName: 'OutOfDiskSpace' });
  });

  it('for any other reason is an internal error with that reason', () => {
    expect(storageError(failure('Input/output error'))).toMatchObject({
      code: 1,
      message: 'Storage error: Input/output error',
    });
    expect(storageError('odd')).toMatchObject({ code: 1, message: 'Storage error: odd' });
  });

  it('of reading or writing is reported as a full disk where there is no room', async () => {
    const cut = failure('disk I/O error', 'SQLITE_IOERR_WRITE');
    const other = failure('database disk image is malformed', 'SQLITE_CORRUPT');
    expect(await namingFullDisk(cut, filesIn(tmpdir()))).toBe(cut);
    if (!existsSync('/proc/self/limits')) return;
    // A file system that never has room.
    expect(await namingFullDisk(other, filesIn('/proc'))).toBe(other);
    expect(storageError(await namingFullDisk(cut, filesIn('/proc')))).toMatchObject({ code: 14031 });
  });

  it('of the engine itself passes through', () => {
    const error = new EngineError('BadValue', 'x');
    expect(storageError(error)).toBe(error);
  });
});

describe('a refused start', () => {
  it.each([
    [failure('mkdir', 'ENOTDIR'), 'is a file. Choose a directory.'],
    [failure('mkdir', 'EACCES'), 'does not have read and write permission'],
    [failure('unable to open database file', 'SQLITE_CANTOPEN'), 'does not have read and write permission'],
    [failure('mkdir', 'EROFS'), 'read-only'],
    [failure('attempt to write a readonly database', 'SQLITE_READONLY_DBMOVED'), 'read-only'],
    [failure('database is locked', 'SQLITE_BUSY'), 'Stop that program'],
    [failure('file is not a database', 'SQLITE_NOTADB'), 'damaged or an incomplete copy'],
    [failure('database disk image is malformed', 'SQLITE_CORRUPT'), 'restore a backup'],
    [failure('mkdir', 'ENOSPC'), 'is full'],
    [failure('strange'), 'Cannot open the data directory /d: strange'],
  ])('says what to do (%s)', (error, text) => {
    expect(refusedStart('/d', error).message).toContain(text);
  });
});

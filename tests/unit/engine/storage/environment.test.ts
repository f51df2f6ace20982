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
    failure('No space left on device'),
    failure('File too large'),
    failure('MDB_MAP_FULL: Environment mapsize limit reached'),
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

  it('that was cut short on a full disk is reported as such, and works again once there is space', async () => {
    const cut = failure('Input/output error');
    expect(await namingFullDisk(cut, tmpdir(), '/nothing/there')).toBe(cut);
    const other = failure('Permission denied');
    expect(await namingFullDisk(other, '/proc', '/nothing/there')).toBe(other);
    if (!existsSync('/proc/self/limits')) return;
    // A file system that never has room.
    const told = await namingFullDisk(cut, '/proc', '/nothing/there');
    expect(isDiskFull(told)).toBe(true);
    expect(storageError(told)).toMatchObject({ code: 14031 });
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
    [failure('Permission denied'), 'does not have read and write permission'],
    [failure('mkdir', 'EROFS'), 'read-only'],
    [failure('MDB_READERS_FULL: Environment maxreaders limit reached'), 'too many processes'],
    [failure('MDB_INVALID: File is not an LMDB file'), 'damaged or an incomplete copy'],
    [failure('MDB_CORRUPTED: Located page was wrong type'), 'restore a backup'],
    [failure('mkdir', 'ENOSPC'), 'is full'],
    [failure('strange'), 'Cannot open the data directory /d: strange'],
  ])('says what to do (%s)', (error, text) => {
    expect(refusedStart('/d', error).message).toContain(text);
  });
});

import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { EngineError } from '../../errors.ts';
import type { StoreLog } from '../types.ts';
import { newestTransaction } from './data-file.ts';
import type { DataFile } from './data-files.ts';

/** Where LMDB's lock file says what it is, and which transaction was the last. */
const MAGIC = 0xbeefc0de;
const LAST_AT = 8;
const HEAD_BYTES = LAST_AT + 8;

/**
 * Sees to it that a transaction that writes goes on from the newest state.
 *
 * LMDB keeps the number of the last transaction in its lock file, where all processes see it. The version that the `lmdb`
 * package builds sets that number whenever a process opens the database, to what it has read from the data file a moment
 * before; what others have committed in that moment is forgotten, and the next write would go on from the state before
 * it and put itself in its place. The headers of the data file tell the truth, and do not change while the lock for
 * writing is held.
 */
export class Turnstile {
  private readonly data: number;
  /** Stays open as long as LMDB has the file: closing it would take LMDB's own locks away. */
  private readonly lock: number;

  /** To be opened before LMDB opens its files, and closed after LMDB has. */
  constructor(
    private readonly file: DataFile,
    private readonly log: StoreLog,
  ) {
    this.data = openSync(file.path, 'r');
    try {
      this.lock = openSync(file.lock, 'r+');
    } catch (error) {
      closeSync(this.data);
      throw error;
    }
  }

  /**
   * To be asked in a transaction that writes, before it does. If the answer is no, it must write nothing and end; the next
   * one goes on from the newest state.
   * @throws EngineError when that cannot be brought about
   */
  lets(db: { getWriteTxnId(): number }): boolean {
    const begun = BigInt(db.getWriteTxnId());
    const newest = newestTransaction(this.data);
    if (newest === null) throw this.refusal('its header cannot be read');
    if (begun === newest + 1n) return true;
    this.correct(begun - 1n, newest);
    return false;
  }

  private correct(said: bigint, newest: bigint): void {
    const head = Buffer.alloc(HEAD_BYTES);
    readSync(this.lock, head, 0, HEAD_BYTES, 0);
    if (head.readUInt32LE(0) !== MAGIC) throw this.refusal('its lock file is not known');
    head.writeBigUInt64LE(newest, LAST_AT);
    writeSync(this.lock, head, LAST_AT, HEAD_BYTES - LAST_AT, LAST_AT);
    this.log(
      'info',
      'the number of the last write was set back by a process that opened the database; corrected it',
      {
        said: Number(said),
        newest: Number(newest),
      },
    );
  }

  private refusal(reason: string): EngineError {
    return new EngineError(
      'InternalError',
      `${this.file.path} cannot be written to: ${reason}. Stop all programs that use it, and start again.`,
    );
  }

  /** Of the data file, as {@link identityOf} gives it. */
  get identity(): bigint {
    return fstatSync(this.data, { bigint: true }).ino;
  }

  close(): void {
    closeSync(this.data);
    closeSync(this.lock);
  }
}

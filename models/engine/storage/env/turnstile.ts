import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { EngineError } from '../../errors.ts';
import type { StoreLog } from '../types.ts';
import { transactionsAt } from './data-file.ts';
import type { DataFile } from './data-files.ts';

/** Where LMDB's lock file says what it is, and which transaction was the last. */
const MAGIC = 0xbeefc0de;
const LAST_AT = 8;

/**
 * Lock files that this thread has opened, by their identity. They stay open: to close one takes away the locks that LMDB
 * has on it, also those of another engine in this process (POSIX gives locks to processes, not to descriptors).
 */
const opened = new Map<string, number>();

function lockFile(path: string): number {
  const fd = openSync(path, 'r+');
  const { dev, ino } = fstatSync(fd, { bigint: true });
  opened.set(`${dev}:${ino}`, fd);
  return fd;
}

/** The descriptor of a lock file, opened once. @throws Error when it is not there */
function descriptorOf(path: string): number {
  const { dev, ino } = statSync(path, { bigint: true });
  return opened.get(`${dev}:${ino}`) ?? lockFile(path);
}

/**
 * Sees to it that reads and writes begin with the newest state.
 *
 * LMDB keeps the number of the last transaction in its lock file, where all processes see it. The version that the `lmdb`
 * package builds sets that number whenever a process opens the database, to what it has read from the data file a moment
 * before; what others have committed in that moment is forgotten. A read would miss it, and the next write would go on
 * from the state before it and put itself in its place. The headers of the data file tell the truth, and do not change
 * while the lock for writing is held.
 */
export class Turnstile {
  private readonly data: number;
  private readonly lock: number;
  private readonly bytes = Buffer.alloc(8);
  private headers: [number, number] | null = null;

  /** To be made before LMDB opens its files. */
  constructor(
    private readonly file: DataFile,
    private readonly log: StoreLog,
  ) {
    this.data = openSync(file.path, 'r');
    try {
      this.lock = descriptorOf(file.lock);
    } catch (error) {
      closeSync(this.data);
      throw error;
    }
  }

  /** To be called when LMDB has opened the file, and before a state is chosen to be read. */
  beforeRead(): void {
    for (let newest = this.newest(); this.last() < newest; newest = this.newest()) this.correct(newest);
  }

  /**
   * To be asked in a transaction that writes, before it does. If the answer is no, it must write nothing and end; the next
   * one goes on from the newest state.
   */
  lets(db: { getWriteTxnId(): number }): boolean {
    const newest = this.newest();
    const begun = BigInt(db.getWriteTxnId());
    if (begun === newest + 1n) return true;
    this.correct(newest);
    const numbers = { found: Number(begun) - 1, newest: Number(newest) };
    this.log('info', 'a process that opened the database has set the number of the last write back', numbers);
    return false;
  }

  /** The last transaction according to the data file. @throws EngineError when it is no database */
  private newest(): bigint {
    this.headers ??= transactionsAt(this.data);
    if (!this.headers) throw this.refusal('its header cannot be read');
    const [first, second] = this.headers;
    const numbers = [this.number(this.data, first), this.number(this.data, second)] as const;
    return numbers[0] > numbers[1] ? numbers[0] : numbers[1];
  }

  /** The last transaction according to LMDB. */
  private last(): bigint {
    return this.number(this.lock, LAST_AT);
  }

  private number(fd: number, at: number): bigint {
    if (readSync(fd, this.bytes, 0, 8, at) !== 8) throw this.refusal('it was cut off');
    return this.bytes.readBigUInt64LE(0);
  }

  private correct(newest: bigint): void {
    if (Number(this.number(this.lock, 0) & 0xffffffffn) !== MAGIC)
      throw this.refusal('its lock file is not known');
    this.bytes.writeBigUInt64LE(newest);
    writeSync(this.lock, this.bytes, 0, 8, LAST_AT);
  }

  private refusal(reason: string): EngineError {
    return new EngineError(
      'InternalError',
      `${this.file.path} cannot be used: ${reason}. Stop all programs that use it, and start again.`,
    );
  }

  /** Of the data file, as {@link identityOf} gives it. */
  get identity(): bigint {
    return fstatSync(this.data, { bigint: true }).ino;
  }

  close(): void {
    closeSync(this.data);
  }
}

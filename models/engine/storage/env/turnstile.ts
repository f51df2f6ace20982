import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { EngineError } from '../../errors.ts';
import type { StoreLog } from '../types.ts';
import { transactionsAt } from './data-file.ts';
import type { DataFile } from './data-files.ts';

/** The lock file's magic number, and offsets in it. */
const MAGIC = 0xbeefc0de;
const LAST_AT = 8;

/**
 * Lock files that this thread has opened, by identity. They stay open, because closing one would release LMDB's
 * locks on it, including those of another engine in this process (POSIX locks belong to processes, not descriptors).
 */
const opened = new Map<string, number>();

function lockFile(path: string): number {
  const fd = openSync(path, 'r+');
  const { dev, ino } = fstatSync(fd, { bigint: true });
  opened.set(`${dev}:${ino}`, fd);
  return fd;
}

/** The descriptor of a lock file, opened once. @throws Error when it does not exist */
function descriptorOf(path: string): number {
  const { dev, ino } = statSync(path, { bigint: true });
  return opened.get(`${dev}:${ino}`) ?? lockFile(path);
}

/**
 * Ensures that reads and writes begin with the newest state.
 *
 * LMDB stores the number of the last transaction in its lock file, where all processes see it. The version in the `lmdb`
 * package sets that number whenever a process opens the database, to a value it read from the data file just
 * before, and so loses what others committed in between. A read would miss those commits, and the next write would start
 * from the state before them and overwrite them. The headers of the data file are always right, and do not change
 * while the write lock is held.
 */
export class Turnstile {
  private readonly data: number;
  private readonly lock: number;
  private readonly bytes = Buffer.alloc(8);
  private headers: [number, number] | null = null;

  /** Must be created before LMDB opens its files. */
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

  /** Call this after LMDB has opened the file, and before each read transaction. */
  beforeRead(): void {
    for (let newest = this.newest(); this.last() < newest; newest = this.newest()) this.correct(newest);
  }

  /**
   * Call this in a write transaction before writing. If it returns false, the transaction must end without writing; the next
   * one starts from the newest state.
   */
  lets(db: { getWriteTxnId(): number }): boolean {
    const newest = this.newest();
    const begun = BigInt(db.getWriteTxnId());
    if (begun === newest + 1n) return true;
    this.correct(newest);
    const numbers = { found: Number(begun) - 1, newest: Number(newest) };
    this.log('info', 'a process that opened the database has reset the number of the last write', numbers);
    return false;
  }

  /** The last transaction according to the data file. @throws EngineError when it is not a database */
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
    if (readSync(fd, this.bytes, 0, 8, at) !== 8) throw this.refusal('it is incomplete');
    return this.bytes.readBigUInt64LE(0);
  }

  private correct(newest: bigint): void {
    if (Number(this.number(this.lock, 0) & 0xffffffffn) !== MAGIC)
      throw this.refusal('its lock file has an unknown format');
    this.bytes.writeBigUInt64LE(newest);
    writeSync(this.lock, this.bytes, 0, 8, LAST_AT);
  }

  private refusal(reason: string): EngineError {
    return new EngineError(
      'InternalError',
      `${this.file.path} cannot be used: ${reason}. Stop all programs that use it, and start again.`,
    );
  }

  /** The data file's identity, see {@link identityOf}. */
  get identity(): bigint {
    return fstatSync(this.data, { bigint: true }).ino;
  }

  close(): void {
    closeSync(this.data);
  }
}

import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { EngineError } from '../../errors.ts';
import type { StoreLog } from '../types.ts';
import { transactionsAt } from './data-file.ts';
import type { DataFile } from './data-files.ts';

/** The lock file's magic number, and offsets in it. */
const MAGIC = 0xbeefc0de;
const LAST_AT = 8;

/**
 * The kinds of LMDB's three mutexes in the lock file: the first mutex is after 24 bytes, the other two begin a line of 64 bytes,
 * and the kind is the fifth number of a mutex. A mutex has 40 bytes, on 64-bit ARM 48 (glibc, `bits/pthreadtypes-arch.h`).
 */
const KINDS_AT: Partial<Record<NodeJS.Architecture, number[]>> = {
  x64: [40, 80, 120],
  arm64: [40, 144, 192],
};
/** What glibc's `pthread_mutex_destroy` leaves. */
const DESTROYED = -1;
/** `PTHREAD_MUTEX_ROBUST_NORMAL_NP` for several processes, as LMDB makes them. */
const USABLE = 16 | 128;

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

  /**
   * Call this when LMDB has opened the file, before its first transaction.
   *
   * Whoever closes the file last destroys the mutexes in the lock file. Another process that opens it at that moment waits
   * for the closing one, and then takes them for usable: it could neither read nor write, nor could any process after it. They
   * are free, since nobody can have locked them, and from here on nobody is the last one to close the file.
   */
  mendLocks(): void {
    if (process.platform !== 'linux') return;
    const kind = Buffer.alloc(4);
    for (const at of KINDS_AT[process.arch] ?? []) {
      if (readSync(this.lock, kind, 0, 4, at) !== 4) throw this.refusal('its lock file is incomplete');
      if (kind.readInt32LE(0) !== DESTROYED) continue;
      kind.writeInt32LE(USABLE);
      writeSync(this.lock, kind, 0, 4, at);
      this.log('info', 'a process closed the database while this one opened it', {});
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

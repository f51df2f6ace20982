import { readFileSync } from 'node:fs';
import { EngineError } from '../../errors.ts';
import type { StoreLog } from '../types.ts';
import { isNewest, newestFile, type DataFile } from './data-files.ts';
import { closeEnvironment, openEnvironment, type Database, type Environment } from './environment.ts';

/**
 * Pages of the file that were read stay mapped and count as this process's memory, although the system can reclaim them
 * at any time. Beyond this size the file is remapped, which releases them.
 */
const KEPT_BYTES = 96 * 1024 * 1024;

/** Bytes of mapped files that are in memory; 0 if the system does not report it. */
function mappedBytes(): number {
  try {
    const status = readFileSync('/proc/self/status', 'latin1');
    return Number(/^RssFile:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The open LMDB environment. `db` may change after an await; don't keep a reference to it. */
export class Mapping {
  private readonly open: () => Environment;
  private current: Environment | null;
  /** Environments of replaced files, which open snapshots may still read. */
  private replaced: Environment[] = [];

  constructor(
    private readonly dir: string,
    log: StoreLog,
    mapSize?: number,
  ) {
    this.open = () => openEnvironment(dir, log, mapSize);
    this.current = this.open();
  }

  /** @throws EngineError when the environment could not be reopened; the next call tries again. */
  get environment(): Environment {
    this.current ??= this.open();
    return this.current;
  }

  get db(): Database {
    return this.environment.db;
  }

  get file(): DataFile {
    return this.environment.file;
  }

  get isLarge(): boolean {
    return mappedBytes() > KEPT_BYTES;
  }

  /**
   * Whether a database is the current one to write to. The caller holds its write lock, so that it stays current.
   * @throws EngineError when the file was removed and not replaced
   */
  isCurrent(db: Database): boolean {
    const { current } = this;
    if (current?.db !== db) return false;
    if (isNewest(this.dir, current.file, current.identity)) return true;
    if (newestFile(this.dir).number > current.file.number) return false;
    throw new EngineError(
      'InternalError',
      `The file ${current.file.path} was removed or replaced while it was in use. Stop all programs that use it, and restore it.`,
    );
  }

  /** Switches to the newest file if a compaction has created one; `db` changes then. */
  follow(): void {
    const { current } = this;
    if (current && newestFile(this.dir).number > current.file.number) {
      this.replaced.push(current);
      this.current = null;
    }
  }

  get hasReplaced(): boolean {
    return this.replaced.length > 0;
  }

  /** Closes replaced files that nothing reads any more. No write may be in progress. */
  async closeReplaced(isRead: (db: Database) => boolean = () => false): Promise<void> {
    const idle = this.replaced.filter(({ db }) => !isRead(db));
    this.replaced = this.replaced.filter((environment) => !idle.includes(environment));
    for (const environment of idle) await closeEnvironment(environment);
  }

  /**
   * Closes and reopens the environment. The caller ensures that no read or write transaction is open. Nothing else
   * runs in between: closing only waits for promises that are already settled.
   */
  async renew(): Promise<void> {
    await closeEnvironment(this.environment);
    this.current = null;
    void this.db;
  }

  async close(): Promise<void> {
    await this.closeReplaced();
    await closeEnvironment(this.environment);
  }
}

import { readFileSync } from 'node:fs';
import { EngineError } from '../../errors.ts';
import type { StoreLog } from '../types.ts';
import { isNewest, newestFile, type DataFile } from './data-files.ts';
import { closeEnvironment, openEnvironment, type Database, type Environment } from './environment.ts';

/**
 * Pages of the file that were read stay mapped and count as this process's memory, though the system can take them back
 * at any time. Beyond this the file is mapped anew, which lets go of them.
 */
const KEPT_BYTES = 96 * 1024 * 1024;

/** Bytes of files that are mapped into this process and in memory; 0 where the system does not tell. */
function mappedBytes(): number {
  try {
    const status = readFileSync('/proc/self/status', 'latin1');
    return Number(/^RssFile:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The open LMDB environment. `db` may be another one after an await; don't keep it. */
export class Mapping {
  private readonly open: () => Environment;
  private current: Environment | null;
  /** Of files that a compaction has replaced; what was read from them may be read on. */
  private replaced: Environment[] = [];

  constructor(
    private readonly dir: string,
    log: StoreLog,
    mapSize?: number,
  ) {
    this.open = () => openEnvironment(dir, log, mapSize);
    this.current = this.open();
  }

  /** @throws EngineError when the environment could not be opened again; the next call tries once more. */
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
   * Whether a database is the one to write to. Who asks holds its lock for writing, so that it remains so.
   * @throws EngineError when the file was taken away and none came in its place
   */
  isCurrent(db: Database): boolean {
    const { current } = this;
    if (current?.db !== db) return false;
    if (isNewest(this.dir, current.file, current.identity)) return true;
    if (newestFile(this.dir).number > current.file.number) return false;
    throw new EngineError(
      'InternalError',
      `The file ${current.file.path} was removed or replaced while it was in use. Stop all programs that use it, and put it back.`,
    );
  }

  /** Goes over to the newest file if a compaction has made one; `db` is another one then. */
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

  /** Closes those of the replaced files that nothing reads any more. No write may be under way. */
  async closeReplaced(isRead: (db: Database) => boolean = () => false): Promise<void> {
    const idle = this.replaced.filter(({ db }) => !isRead(db));
    this.replaced = this.replaced.filter((environment) => !idle.includes(environment));
    for (const environment of idle) await closeEnvironment(environment);
  }

  /**
   * Closes and opens the environment. The caller makes sure that no transaction, read or written, is open. Nothing else
   * runs in between: closing only waits for promises that are settled already.
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

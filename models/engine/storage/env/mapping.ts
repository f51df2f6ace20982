import { readFileSync } from 'node:fs';
import type { Database } from './environment.ts';

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
  private readonly open: () => Database;
  private current: Database | null;

  constructor(open: () => Database) {
    this.open = open;
    this.current = open();
  }

  /** @throws EngineError when the environment could not be opened again; the next call tries once more. */
  get db(): Database {
    this.current ??= this.open();
    return this.current;
  }

  get isLarge(): boolean {
    return mappedBytes() > KEPT_BYTES;
  }

  /**
   * Closes and opens the environment. The caller makes sure that no transaction, read or written, is open. Nothing else
   * runs in between: closing only waits for promises that are settled already.
   */
  async renew(): Promise<void> {
    await this.db.close();
    this.current = null;
    void this.db;
  }
}

import { EngineError } from '../../errors.ts';
import { connect, OPENING_MS } from './schema.ts';
import type { Connection } from './sqlite.ts';

/** Connections that stay open while nothing reads. */
const IDLE = 4;
const MOST = 256;

/** Connections for reading, each for one state at a time. */
export class Readers {
  private readonly idle: Connection[] = [];
  private inUse = 0;

  constructor(private readonly file: string) {}

  /**
   * A connection on the newest state, which it keeps until it is given back.
   * @throws EngineError 96 when too many are in use
   */
  take(): Connection {
    if (this.inUse === MOST)
      throw new EngineError(
        'OperationFailed',
        `There are ${MOST} open cursors and reads. Close some of them.`,
      );
    const db = this.idle.pop() ?? this.open();
    try {
      db.run('BEGIN');
      // A state is only taken by the first read.
      db.statement('SELECT 1 FROM entries LIMIT 1').row();
    } catch (error) {
      db.close();
      throw error;
    }
    this.inUse += 1;
    return db;
  }

  giveBack(db: Connection): void {
    this.inUse -= 1;
    try {
      db.run('COMMIT');
    } catch {
      db.close();
      return;
    }
    if (this.idle.length < IDLE) this.idle.push(db);
    else db.close();
  }

  private open(): Connection {
    const db = connect(this.file, OPENING_MS);
    db.run('PRAGMA query_only = ON');
    return db;
  }

  close(): void {
    for (const db of this.idle.splice(0)) db.close();
  }
}

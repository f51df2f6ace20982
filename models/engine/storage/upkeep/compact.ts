import { setTimeout as wait } from 'node:timers/promises';
import { Budget } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import type { Database } from '../env/database.ts';
import { takeExclusive } from '../env/exclusive.ts';
import { namingFullDisk, roomIn, storageError } from '../env/failures.ts';
import type { Connection } from '../env/sqlite.ts';
import { isBusy } from '../env/sqlite.ts';
import type { CompactReport, StorageSize, StoreLog } from '../types.ts';
import type { WriteQueue } from '../write/queue.ts';

/** Space left on the disk for concurrent writes. */
const SPARE_BYTES = 16 * 1024 * 1024;
/** Pause between two attempts while others read or write; longer from one to the next. */
const AGAIN_MS = { first: 50, most: 1000 };

/** Then it is logged what the compaction waits for. */
const ATTEMPTS_BEFORE_NOTICE = 5;

/** The size of the data file, and how much of it is free. */
export function sizeOf(db: Connection): StorageSize {
  const [pageBytes, pages, free] = ['page_size', 'page_count', 'freelist_count'].map((name) =>
    Number(db.value(`PRAGMA ${name}`)),
  ) as [number, number, number];
  return { fileBytes: pages * pageBytes, freeBytes: free * pageBytes };
}

export interface CompactorParts {
  database: Database;
  queue: WriteQueue;
  /** Removes what dropped collections and indexes have left. */
  collectGarbage(): Promise<void>;
  size(): StorageSize;
  log: StoreLog;
}

/**
 * Writes the data file again, as small as possible and without anything that was deleted, and empties the log, which would
 * contain it otherwise. Others read meanwhile; writes wait for some seconds per gigabyte. If its process is killed, the file
 * is as it was.
 */
export class Compactor {
  private readonly running = new Set<{ budget: Budget; done: Promise<void> }>();

  constructor(private readonly parts: CompactorParts) {}

  /** @throws EngineError 117 while another compaction is running, 14031 when the disk has no space for a copy */
  async compact(budget = new Budget()): Promise<CompactReport> {
    const before = this.parts.size();
    const running = { budget, done: this.alone(budget) };
    this.running.add(running);
    try {
      await running.done;
      return { before, after: this.parts.size() };
    } finally {
      this.running.delete(running);
    }
  }

  /** Ends compactions in progress at their next step. */
  async end(reason: EngineError): Promise<void> {
    for (const { budget } of this.running) budget.end(reason);
    await Promise.allSettled([...this.running].map(({ done }) => done));
  }

  private async alone(budget: Budget): Promise<void> {
    const giveBack = takeExclusive(this.parts.database.files);
    if (!giveBack)
      throw new EngineError(
        'ConflictingOperationInProgress',
        'This database is being compacted already. Wait until that has finished.',
      );
    try {
      await this.run(budget);
    } finally {
      giveBack();
    }
  }

  private async run(budget: Budget): Promise<void> {
    const { database, queue, collectGarbage } = this.parts;
    await collectGarbage();
    budget.check();
    await this.requireRoom();
    try {
      await this.untilDone(budget, () => queue.between(() => this.vacuum(budget)));
      await this.emptyLog(budget);
    } catch (error) {
      const reason = storageError(await namingFullDisk(error, database.files));
      // What was written in vain takes no space.
      await database.background.run('truncate').catch(() => undefined);
      throw reason;
    }
  }

  /** @returns false while another process writes */
  private async vacuum(budget: Budget): Promise<boolean> {
    budget.check();
    try {
      await this.parts.database.background.run('vacuum');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Waits for those who still read an earlier state, which is in the log. */
  private async emptyLog(budget: Budget): Promise<void> {
    const { database, queue, log } = this.parts;
    let attempts = 0;
    await this.untilDone(budget, async () => {
      attempts += 1;
      if (attempts === ATTEMPTS_BEFORE_NOTICE)
        log('warn', 'the compaction waits for a cursor or a backup that reads an earlier state', {});
      // Writes only wait for it where it can succeed.
      const isTransferred = await database.background.run('checkpoint');
      return isTransferred === true && queue.between(() => database.background.run('truncate'));
    });
  }

  private async untilDone(budget: Budget, attempt: () => Promise<unknown>): Promise<void> {
    for (let pause = AGAIN_MS.first; (await attempt()) !== true; pause = Math.min(2 * pause, AGAIN_MS.most)) {
      await wait(pause);
      budget.check();
    }
  }

  private async requireRoom(): Promise<void> {
    const { database, size } = this.parts;
    const { fileBytes, freeBytes } = size();
    // Once in a temporary file, and once in the log.
    const needed = 2 * (fileBytes - freeBytes) + SPARE_BYTES;
    const room = await roomIn(database.files);
    if (room >= needed) return;
    const megabytes = (count: number) => `${Math.ceil(count / 1e6)} MB`;
    throw new EngineError(
      'OutOfDiskSpace',
      `Compacting needs ${megabytes(needed)} of free disk space, and there are ${megabytes(Math.max(0, room))}. Nothing was changed.`,
    );
  }
}

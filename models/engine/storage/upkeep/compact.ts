import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync } from 'node:fs';
import { open as openFile, statfs } from 'node:fs/promises';
import { Budget, isSliceOver, PAUSE, run, within, type Steps } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { copyFile, hasCopies, identityOf, numbered, removeCopies, syncDirectory } from '../env/data-files.ts';
import {
  MOVED,
  noteHome,
  openLmdb,
  removeEarlier,
  requireFollowers,
  transaction,
  type Database,
} from '../env/environment.ts';
import { commitReason, namingFullDisk, storageError } from '../env/failures.ts';
import { prepareFiles } from '../env/file-system.ts';
import type { Mapping } from '../env/mapping.ts';
import { ID_PREFIX_BYTES, KIND } from '../keys/layout.ts';
import { LmdbKv, type Kv, type WritableKv } from '../kv.ts';
import type { CompactReport, StorageSize, StoreLog } from '../types.ts';
import type { Pins } from '../view/snapshot.ts';
import {
  endAbandoned,
  isClaimed,
  isOfCompaction,
  isUnclaimed,
  putClaim,
  readNotes,
  removeClaim,
  requireClaim,
} from '../write/notes.ts';
import type { WriteQueue } from '../write/queue.ts';
import { garbagePrefixes } from './garbage.ts';

/** Entries that are written together: about a millisecond's worth. */
const BATCH = 200;
const BATCH_BYTES = 512 * 1024;
/** How often the compacting process renews its claim. */
const BEAT_MS = 5000;
/** Space left on the disk for concurrent writes. */
const SPARE_BYTES = 16 * 1024 * 1024;

interface PageCounts {
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** The size of the data file, and how much of it is free. */
export function sizeOf({ db, file }: Mapping): StorageSize {
  db.resetReadTxn();
  const { root, free, pageSize } = db.getStats() as Record<'root' | 'free', PageCounts> & {
    pageSize: number;
  };
  const headers = 2;
  const pages = [root, free].reduce(
    (sum, tree) => sum + tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages,
    headers,
  );
  const { size } = statSync(file.path);
  return { fileBytes: size, freeBytes: Math.max(0, size - pages * pageSize) };
}

interface Entry {
  key: Buffer;
  /** Undefined: removed. */
  value: Buffer | undefined;
}

/** Writes entries into the copy, some at a time. */
function* writeInto(target: Database, entries: Iterable<Entry>): Steps<void> {
  let batch: Entry[] = [];
  let bytes = 0;
  const flush = () => {
    const written = batch;
    [batch, bytes] = [[], 0];
    target.transactionSync(() => {
      for (const { key, value } of written)
        if (value) target.putSync(key, value);
        else target.removeSync(key);
    });
  };
  for (const entry of entries) {
    batch.push(entry);
    bytes += entry.value?.length ?? 0;
    if (batch.length < BATCH && bytes < BATCH_BYTES) continue;
    flush();
    if (isSliceOver()) yield PAUSE;
  }
  flush();
}

/** The live entries of one state, without the compaction's own keys and remains of dropped collections. */
function* liveEntries(kv: Kv): Generator<Entry> {
  const dropped = new Set(garbagePrefixes(kv).map((prefix) => prefix.toString('latin1')));
  for (const entry of kv.scan({ start: Buffer.from([0]), end: Buffer.from([0xff]) })) {
    const { key } = entry;
    const isDropped = dropped.size > 0 && dropped.has(key.toString('latin1', 0, ID_PREFIX_BYTES));
    if (!isDropped && key[0] !== KIND.garbage && !isOfCompaction(key)) yield entry;
  }
}

/** Updates the copy from the notes. @returns the last note applied */
function* catchUp(kv: Kv, target: Database, after: number): Steps<number> {
  let last = after;
  const changes = function* (): Generator<Entry> {
    for (const { number, changed } of readNotes(kv, after)) {
      last = number;
      yield { key: changed, value: kv.get(changed) };
    }
  };
  yield* writeInto(target, changes());
  return last;
}

/** Flushes a file to disk without blocking this thread. */
async function syncFile(path: string): Promise<void> {
  const file = await openFile(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Copies all live data into a new file, which then replaces the old one: it is as small as possible and contains
 * nothing that was deleted. Others keep reading and writing meanwhile, including other processes, and switch to the new
 * file by themselves. `data-files.ts` explains why no write can be lost. A process that is killed during a compaction
 * leaves a copy that is removed later.
 */
export class Compactor {
  private readonly running = new Set<{ budget: Budget; done: Promise<void> }>();

  constructor(
    private readonly dir: string,
    private readonly mapping: Mapping,
    private readonly queue: WriteQueue,
    private readonly pins: Pins,
    private readonly log: StoreLog,
  ) {}

  /** @throws EngineError 117 while another process is compacting, 14031 when the disk has no space for a copy */
  async compact(budget = new Budget()): Promise<CompactReport> {
    const before = sizeOf(this.mapping);
    const running = { budget, done: this.claimAndCopy(before, budget) };
    this.running.add(running);
    try {
      await running.done;
      return { before, after: sizeOf(this.mapping) };
    } finally {
      this.running.delete(running);
    }
  }

  private async claimAndCopy(size: StorageSize, budget: Budget): Promise<void> {
    const token = randomBytes(6).toString('hex');
    await this.clear((kv) => {
      requireFollowers(kv);
      putClaim(kv, token);
    });
    const beat = setInterval(() => {
      this.queue
        .addWithState(({ kv }) => {
          requireClaim(kv, token);
          putClaim(kv, token);
        })
        .catch((error: unknown) => budget.end(storageError(error)));
    }, BEAT_MS);
    try {
      await this.copyAndSwap(token, size, budget);
    } finally {
      clearInterval(beat);
    }
  }

  /** Removes what an interrupted compaction has left. */
  async clearAbandoned(): Promise<void> {
    const kv = this.pins.pin(this.mapping);
    const isLeft = isUnclaimed(kv) && (isClaimed(kv) || hasCopies(this.dir));
    this.pins.unpin(kv);
    if (!isLeft) return;
    await this.clear(() => undefined).catch((error: unknown) => {
      // Another process has started a compaction and removed what was left.
      if (storageError(error).codeName !== 'ConflictingOperationInProgress') throw error;
    });
  }

  /** Aborts a compaction in progress, which then changes nothing. */
  async end(reason: EngineError): Promise<void> {
    for (const { budget } of this.running) budget.end(reason);
    await Promise.allSettled([...this.running].map(({ done }) => done));
  }

  /** Removes what others have left, then runs `then` in the same write. */
  private async clear(then: (kv: WritableKv) => void): Promise<void> {
    for (let isClear = false; !isClear;) {
      isClear = await this.queue.addWithState(({ kv }) => {
        if (!endAbandoned(kv)) return false;
        removeCopies(this.dir);
        then(kv);
        return true;
      });
    }
  }

  private async copyAndSwap(token: string, size: StorageSize, budget: Budget): Promise<void> {
    const path = copyFile(this.dir, token);
    let target: Database | null = null;
    try {
      await this.requireRoom(size.fileBytes - size.freeBytes);
      prepareFiles(this.dir, [path, `${path}-lock`]);
      // It is flushed to disk once, before it becomes current.
      const copy = openLmdb({ path, noSync: true });
      target = copy;
      await this.onNewest(budget, (kv) => {
        // A state from before the claim would lack writes of the same group, which are not noted.
        requireClaim(kv, token);
        return writeInto(copy, liveEntries(kv));
      });
      const known = await this.onNewest(budget, (kv) => catchUp(kv, copy, 0));
      await syncFile(path);
      while (!(await this.queue.between(() => this.swap(token, path, copy, known, budget))));
    } catch (error) {
      const reason = await namingFullDisk(await commitReason(error), this.dir, path);
      await target?.close().catch(() => undefined);
      for (const file of [path, `${path}-lock`]) rmSync(file, { force: true });
      await this.queue.addWithState(({ kv }) => removeClaim(kv, token)).catch(() => undefined);
      throw storageError(reason);
    }
  }

  /** Reads the newest state in steps. */
  private async onNewest<T>(budget: Budget, steps: (kv: Kv) => Steps<T>): Promise<T> {
    const kv = this.pins.pin(this.mapping, Infinity);
    try {
      return await run(within(budget, steps(kv)));
    } finally {
      this.pins.unpin(kv);
    }
  }

  private async requireRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.dir);
    if (bavail * bsize >= bytes + SPARE_BYTES) return;
    const megabytes = (count: number) => `${Math.ceil(count / 1e6)} MB`;
    throw new EngineError(
      'OutOfDiskSpace',
      `Compacting needs ${megabytes(bytes + SPARE_BYTES)} of free disk space, and there are ${megabytes(bavail * bsize)}. Nothing was changed.`,
    );
  }

  /**
   * Holding the write lock, copies the latest writes and replaces the old file with the new one.
   * @returns false, having done nothing, when LMDB did not begin with the newest state
   */
  private async swap(
    token: string,
    path: string,
    target: Database,
    known: number,
    budget: Budget,
  ): Promise<boolean> {
    const { db, file, turnstile } = this.mapping.environment;
    let isSwapped = false;
    const underLock = async () => {
      await Promise.resolve();
      if (!this.mapping.isCurrent(db))
        throw new EngineError('InternalError', 'The file was replaced during the compaction');
      if (!turnstile.lets(db)) return;
      const kv = new LmdbKv(db);
      requireClaim(kv, token);
      await run(within(budget, catchUp(kv, target, known)), true);
      noteHome(target, identityOf(path) as bigint);
      await target.close();
      await syncFile(path);
      rmSync(`${path}-lock`, { force: true });
      removeEarlier(this.dir, file);
      const next = numbered(this.dir, file.number + 1);
      renameSync(path, next.path);
      isSwapped = true;
      syncDirectory(this.dir);
      removeEarlier(this.dir, next);
      db.putSync(MOVED, Buffer.from('1'));
    };
    try {
      await transaction(db, underLock);
    } catch (error) {
      if (!isSwapped) throw error;
      // The new file is current; only removing the old one failed, which the next start will do.
      this.log('warn', 'the old data file could not be removed yet', { reason: String(error) });
    }
    this.mapping.follow();
    return isSwapped;
  }
}

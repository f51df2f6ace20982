import { statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '../../errors.ts';
import type { StoreLog } from '../types.ts';
import type { Background } from './background.ts';
import { storageError } from './failures.ts';
import type { DataFiles } from './files.ts';
import { isBusy, type Connection } from './sqlite.ts';

/** The pages in the log, and how many of them are in the data file already. */
const LOG_STATE = 'PRAGMA wal_checkpoint(NOOP)';
/** From this many pages on (4 MB), the log is transferred into the data file while writes continue. */
const TRANSFER_PAGES = 1000;
/** From this many on (64 MB), this process's writes wait for it, so that the log begins again and does not grow for ever. */
const WAIT_PAGES = 16_000;

/** While another process writes, both get their turn. */
const RIVAL_MS = 100;
const TURN_MS = 1;
/** How long to wait for another process's write before trying again. */
const AGAIN_MS = { least: 1, most: 5 };

/** A file's inode number, which is not reused while it is open; null if the file does not exist. */
export function identityOf(file: string): bigint | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

export interface WriterParts {
  db: Connection;
  /** The log file, open for flushing it. */
  log: Pick<FileHandle, 'datasync'>;
  files: DataFiles;
  background: Background;
  onLog: StoreLog;
}

/**
 * The connection that writes, one transaction at a time. A transaction is durable after `commit`, which flushes the log
 * without blocking the thread.
 */
export class Writer {
  private readonly identities: { data: bigint | null; log: bigint | null };
  private version: unknown = null;
  private rivalAt = -Infinity;
  private unflushed: unknown = null;
  private transfer: Promise<void> | null = null;
  private hasWarned = false;

  constructor(private readonly parts: WriterParts) {
    const { files } = parts;
    this.identities = { data: identityOf(files.data), log: identityOf(files.log) };
  }

  get db(): Connection {
    return this.parts.db;
  }

  /** Whether a flush failed, so that nobody knows whether what it should have flushed is on disk. */
  get isUnflushed(): boolean {
    return this.unflushed !== null;
  }

  /**
   * Begins a transaction on the newest state. Waits, without blocking the thread, while another process writes.
   * @throws EngineError when an earlier flush failed and its writes are still not safe, or when the file was removed
   */
  async begin(): Promise<void> {
    if (this.unflushed !== null) await this.recover();
    while (!this.tryToBegin()) await wait(AGAIN_MS.least + Math.random() * (AGAIN_MS.most - AGAIN_MS.least));
    try {
      this.requireFiles();
      this.noteRivals();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Begins a part that can be undone alone. */
  mark(): void {
    this.db.run('SAVEPOINT part');
  }

  /** Ends the latest part. */
  keep(): void {
    this.db.run('RELEASE part');
  }

  /** Undoes the latest part. */
  undo(): void {
    // A failure such as a full disk may have ended the whole transaction.
    if (!this.db.isInTransaction) return;
    this.db.run('ROLLBACK TO part');
    this.db.run('RELEASE part');
  }

  rollback(): void {
    if (this.db.isInTransaction) this.db.run('ROLLBACK');
  }

  /** Resolves when the transaction is on disk. */
  async commit(): Promise<void> {
    this.db.run('COMMIT');
    try {
      await this.parts.log.datasync();
    } catch (error) {
      this.unflushed = error;
      throw error;
    }
    await this.transferLog();
    if (performance.now() - this.rivalAt < RIVAL_MS) await wait(TURN_MS);
  }

  /** Waits for the log's transfer. */
  async settle(): Promise<void> {
    await this.transfer;
  }

  private tryToBegin(): boolean {
    try {
      this.db.run('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** @throws EngineError when a file was removed and perhaps replaced: what is written to the open one would be lost */
  private requireFiles(): void {
    const { data, log } = this.parts.files;
    for (const [file, identity] of [
      [data, this.identities.data],
      [log, this.identities.log],
    ] as const)
      if (identityOf(file) !== identity)
        throw new EngineError(
          'InternalError',
          `The file ${file} was removed or replaced while it was in use. Stop all programs that use it, and restore it.`,
        );
  }

  /** Notes whether another process has written since the last transaction. */
  private noteRivals(): void {
    const version = this.db.value('PRAGMA data_version');
    if (this.version !== null && version !== this.version) this.rivalAt = performance.now();
    this.version = version;
  }

  /**
   * After a failed flush, nobody knows what of the log is on disk, and later writes would be lost with the missing part. So the
   * log is transferred into the data file, which is flushed, and begins again.
   */
  private async recover(): Promise<void> {
    const isSafe = await this.parts.background.run('restart').catch((error: unknown) => {
      throw storageError(error);
    });
    if (isSafe !== true) throw storageError(this.unflushed);
    this.unflushed = null;
    this.parts.onLog('info', 'the disk can be written to again', {});
  }

  private async transferLog(): Promise<void> {
    const [, logged = 0, transferred = 0] = this.db.statement(LOG_STATE).row() as number[];
    if (logged - transferred < TRANSFER_PAGES) return;
    const transfer = this.emptyLog();
    if (logged > WAIT_PAGES) await transfer;
  }

  /** Transfers the log, so that the next write can begin it again unless somebody reads an earlier state. */
  emptyLog(): Promise<void> {
    this.transfer ??= this.parts.background
      .run('checkpoint')
      .then(() => (this.hasWarned = false))
      .catch((error: unknown) => this.warn(error))
      .then(() => {
        this.transfer = null;
      });
    return this.transfer;
  }

  /** Writes continue; what they wait for is in the log. */
  private warn(error: unknown): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const { message } = storageError(error);
    this.parts.onLog('warn', 'the log cannot be transferred into the data file', { reason: message });
  }
}

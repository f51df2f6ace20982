import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { systemActionSchema, type SystemActionInput } from '#app/domain/admin/admin-schema.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#app/domain/time/calendar.ts';
import type { ArchiveSummary, BackupRecord, TrialRestore } from '#models/index.server.ts';
import { authorise, authoriseRecentOver } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { type Job, NOTHING_TRIED } from '#app/platform/jobs/job-loop.server.ts';
import { repos } from './repositories.server.ts';

/** How many backups requested by administrators are kept; beyond that, a new one replaces the oldest. */
export const KEPT_BACKUPS = 5;
/** The longest a requested backup is kept, so that a deleted account does not stay in one. */
const BACKUP_DAYS = 30;
const LISTED = 20;
/** A backup without progress for this long was interrupted. */
const INTERRUPTED_MS = MINUTE_MS;
/** The longest reason of a failure that is stored with a backup. */
const MOST_REASON = 500;

/** A requested backup as the administrator sees it. */
export interface BackupView extends BackupRecord {
  /** The process that was writing it has stopped. */
  isInterrupted: boolean;
}

/** A backup in progress; `done` resolves when it has ended, successfully or not. */
interface StartedBackup {
  backup: BackupView;
  done: Promise<void>;
}

/**
 * Starts a backup of all data into the backup directory, without waiting for it to finish.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, CONFLICT while another one is running
 */
export async function startBackup(ctx: Ctx, input: SystemActionInput): Promise<StartedBackup> {
  authoriseRecentOver(ctx, 'system.act', {});
  const { reason } = parseInput(systemActionSchema, input);
  if ((await repos(ctx).backups.list(LISTED)).some((backup) => isRunning(ctx, backup)))
    throw conflict('ALREADY_RUNNING', 'A backup is already running.');
  const now = ctx.now();
  const id = `backup-${newId(now)}`;
  const { host } = ctx.server;
  const row = { id, state: 'running', startedAt: now, seenAt: now, bytes: 0, error: null, host } as const;
  await ctx.transaction(async () => {
    await repos(ctx).backups.create(row);
    await recordAudit(ctx, {
      action: 'system.backup',
      subjectId: 'server',
      before: {},
      after: { id },
      reason,
    });
  });
  return { backup: viewOf(ctx, row), done: carryOut(ctx, id) };
}

/** Writes a requested backup and records its progress and result. Never rejects. */
async function carryOut(ctx: Ctx, id: string): Promise<void> {
  const { backups } = repos(ctx);
  const progress = (bytes: number) => backups.update(id, { bytes, seenAt: ctx.now() });
  try {
    const file = fileOf(ctx, id);
    const { fileBytes, trial } = await writeBackup(ctx, file, { progress, everyMs: SECOND_MS });
    const unproven = trial.failure === null ? null : trialFailure(file, trial.failure);
    const error = unproven?.message.slice(0, MOST_REASON) ?? null;
    await backups.update(id, { state: 'done', bytes: fileBytes, error, seenAt: ctx.now() });
    if (unproven === null) ctx.log.info({ backup: id, kind: 'backup' }, 'backup done');
    else ctx.log.error({ err: unproven, backup: id }, 'a backup could not be restored as a trial');
    await pruneRequested(ctx);
  } catch (error) {
    ctx.log.error({ err: error, backup: id }, 'backup failed');
    const reason = error instanceof Error ? error.message.slice(0, MOST_REASON) : 'unknown';
    await backups.update(id, { state: 'failed', error: reason, seenAt: ctx.now() }).catch(() => undefined);
  }
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function listBackups(ctx: Ctx): Promise<BackupView[]> {
  authorise(ctx.actor, 'system.read');
  return (await repos(ctx).backups.list(LISTED)).map((backup) => viewOf(ctx, backup));
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND */
export async function getBackup(ctx: Ctx, id: string): Promise<BackupView> {
  authorise(ctx.actor, 'system.read');
  return viewOf(ctx, await findRequested(ctx, id));
}

/**
 * Opens a requested backup's file. It contains everyone's data, so only super admins may download it.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND, CONFLICT when it is not done or on another machine
 */
export async function openBackup(ctx: Ctx, id: string): Promise<{ fileName: string; open(): Readable }> {
  authoriseRecentOver(ctx, 'system.download-backup', {});
  const backup = await findRequested(ctx, id);
  if (backup.state !== 'done') throw conflict('WRONG_STATE', 'This backup is not finished.');
  const file = fileOf(ctx, id);
  await access(file).catch((error: unknown) => {
    throw conflict('WRONG_STATE', `The file is on ${backup.host}, not on this machine.`, { cause: error });
  });
  await recordAudit(ctx, {
    action: 'system.download-backup',
    subjectId: 'server',
    before: {},
    after: { id },
  });
  const day = backup.startedAt.toISOString().slice(0, 10);
  return { fileName: `vialbook-${day}-${id.slice(-6)}.vialbook`, open: () => createReadStream(file) };
}

/** Deletes this machine's requested backups that are too many or too old. A job of the worker. */
export async function pruneBackups(ctx: Ctx): Promise<void> {
  authorise(ctx.actor, 'system.prune-backups');
  await pruneRequested(ctx);
}

async function pruneRequested(ctx: Ctx): Promise<void> {
  const oldest = ctx.now().getTime() - BACKUP_DAYS * DAY_MS;
  const here = (await repos(ctx).backups.list(1000)).filter(({ host }) => host === ctx.server.host);
  const over = here.filter(({ startedAt }, place) => place >= KEPT_BACKUPS || startedAt.getTime() < oldest);
  for (const backup of over) {
    if (isRunning(ctx, backup)) continue;
    await rm(fileOf(ctx, backup.id), { force: true });
    await repos(ctx).backups.delete(backup.id);
  }
}

async function findRequested(ctx: Ctx, id: string): Promise<BackupRecord> {
  const backup = await repos(ctx).backups.find(id);
  if (backup === null) throw new AppError('NOT_FOUND', 'There is no such backup.');
  return backup;
}

/** The path of a requested backup. The id comes from our own record, so it cannot name another file. */
const fileOf = (ctx: Ctx, id: string): string => path.join(ctx.server.backupDirectory, `${id}.vialbook`);

function viewOf(ctx: Ctx, backup: BackupRecord): BackupView {
  const silentMs = ctx.now().getTime() - backup.seenAt.getTime();
  return { ...backup, isInterrupted: backup.state === 'running' && silentMs > INTERRUPTED_MS };
}

const isRunning = (ctx: Ctx, backup: BackupRecord): boolean =>
  backup.state === 'running' && !viewOf(ctx, backup).isInterrupted;

/**
 * All data as a stream, for the terminal.
 * @throws AppError FORBIDDEN
 */
export async function streamBackup(ctx: Ctx): Promise<Readable> {
  authorise(ctx.actor, 'system.stream-backup');
  await recordAudit(ctx, { action: 'system.backup', subjectId: 'server', before: {}, after: {} });
  return Readable.from(repos(ctx).archives.open(), { objectMode: false });
}

/** Records in the audit trail that a backup was restored; called once it is complete. @throws AppError FORBIDDEN */
export async function recordRestore(
  ctx: Ctx,
  restored: { collections: number; documents: number },
): Promise<void> {
  authorise(ctx.actor, 'system.restore');
  const { collections, documents } = restored;
  await recordAudit(ctx, {
    action: 'system.restore',
    subjectId: 'server',
    before: {},
    after: { collections, documents },
  });
}

/** The directory of the worker's backups, how often one is made, and how many are kept. */
export interface BackupPlan {
  directory: string;
  everyMs: number;
  keep: number;
}

export type BackupSettings = Pick<Settings, 'BACKUP_DIR' | 'BACKUP_EVERY_HOURS' | 'BACKUP_KEEP'>;

/** A backup made by the worker. */
interface WorkerBackup extends ArchiveSummary {
  file: string;
}

const JOB_NAME = 'back-up';
/** How long a silent worker keeps others from making the backup. */
const LEASE_MS = 15 * MINUTE_MS;
/** How often it renews that lease. */
const RENEW_MS = MINUTE_MS;

/** @returns null when the settings name no directory for backups */
export function backupPlan(settings: BackupSettings): BackupPlan | null {
  if (settings.BACKUP_DIR === undefined) return null;
  return {
    directory: path.resolve(settings.BACKUP_DIR),
    everyMs: settings.BACKUP_EVERY_HOURS * HOUR_MS,
    keep: settings.BACKUP_KEEP,
  };
}

/** The worker's job for a plan. */
export function backupJob(plan: BackupPlan): Job {
  return {
    name: JOB_NAME,
    everyMs: MINUTE_MS,
    run: async (ctx) => (await backUpWhenDue(ctx, plan)) ?? NOTHING_TRIED,
  };
}

/**
 * Makes a backup when one is due and no other worker is making it.
 * @returns the backup; null when there was nothing to do
 * @throws AppError FORBIDDEN; Error when it failed: the next attempt follows when the lease ends, or when the next backup is
 * due if the file is complete and only its trial restore failed
 */
export async function backUpWhenDue(ctx: Ctx, plan: BackupPlan): Promise<WorkerBackup | null> {
  authorise(ctx.actor, 'backup.work');
  const began = ctx.now();
  const { jobRuns } = repos(ctx);
  const leaseFrom = (instant: Date) => new Date(instant.getTime() + LEASE_MS);
  if (!(await jobRuns.takeTurn(JOB_NAME, began, leaseFrom(began)))) return null;
  const file = path.join(plan.directory, nameAt(began));
  const progress = () => jobRuns.keepTurn(JOB_NAME, leaseFrom(ctx.now()));
  const { trial } = await writeBackup(ctx, file, { progress, everyMs: RENEW_MS });
  await jobRuns.keepTurn(JOB_NAME, new Date(began.getTime() + plan.everyMs));
  // Earlier backups are not replaced by one that may be of no use.
  if (trial.failure !== null) throw trialFailure(file, trial.failure);
  await deleteOldFiles(plan);
  const { failure: _none, ...summary } = trial;
  const { collections, documents } = summary;
  ctx.log.info({ file, collections, documents }, 'backup made');
  return { file, ...summary };
}

const NAME = /^vialbook-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.vialbook$/;

const nameAt = (now: Date): string =>
  `vialbook-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.vialbook`;

const PARTIAL = /^(vialbook|backup)-.*\.partial$/;
/** A partial file this old was left by a killed process. */
const STALE_MS = DAY_MS;

/** Deletes the oldest backups beyond the number to keep, and partial files of killed processes. */
async function deleteOldFiles({ directory, keep }: BackupPlan): Promise<void> {
  const names = await readdir(directory);
  const old = names
    .filter((name) => NAME.test(name))
    .toSorted()
    .slice(0, -keep);
  const left: string[] = [];
  for (const name of names.filter((candidate) => PARTIAL.test(candidate))) {
    const found = await stat(path.join(directory, name)).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > STALE_MS) left.push(name);
  }
  for (const name of [...old, ...left]) await rm(path.join(directory, name), { force: true });
}

/** Called with the bytes written so far, at most once in `everyMs`. */
interface Progress {
  progress: (bytes: number) => Promise<void>;
  everyMs: number;
}

/**
 * Writes all data to a file that only its owner can read. It is written under another name, read back and restored into an
 * empty store, and then renamed, so that a file with the final name is complete. One whose checksums are right is kept even
 * if the restore failed: the reason may be this machine or this version.
 * @throws Error when it cannot be written or read back; no file is left behind
 */
async function writeBackup(
  ctx: Ctx,
  file: string,
  progress: Progress,
): Promise<{ fileBytes: number; trial: TrialRestore }> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const fileBytes = await writeArchive(ctx, partial, progress);
    const trial = await reporting(progress, fileBytes, () => repos(ctx).archives.tryRestore(partial));
    await rename(partial, file);
    return { fileBytes, trial };
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw backupFailure(file, error);
  }
}

/** Reports progress while `work` runs; a report that fails is no reason to stop. */
async function reporting<T>(
  { progress, everyMs }: Progress,
  bytes: number,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => void progress(bytes).catch(() => undefined), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The error of a backup that was made but could not be restored, for the log and the system page. */
function trialFailure(file: string, reason: string): Error {
  return new Error(
    `The backup ${file} was made and its checksums are right, but restoring it as a trial failed: ${reason}`,
  );
}

/** What an operator can do about a failed backup, by system error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'Make the user that runs Vialbook the owner of this directory, or set BACKUP_DIR to another one.',
  EPERM: 'Make the user that runs Vialbook the owner of this directory, or set BACKUP_DIR to another one.',
  EROFS: 'Mount it writable (systemd: ReadWritePaths), or set BACKUP_DIR to another directory.',
  ENOTDIR: 'Part of the path is a file. Set BACKUP_DIR to a directory.',
  ENOENT: 'Create the directory, or set BACKUP_DIR to another one.',
  ENOSPC: 'The disk is full. Free space on it, or set BACKUP_DIR to another disk.',
  EDQUOT: 'The disk quota is used up. Raise it, or set BACKUP_DIR to another disk.',
};

/** The error of a failed backup, for the log and the system page: where, why, and what to do. */
function backupFailure(file: string, cause: unknown): Error {
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? '';
  const reason = cause instanceof Error ? cause.message : String(cause);
  const remedy = REMEDIES[code] ?? 'The log has the details.';
  return new Error(`No backup in ${path.dirname(file)}: ${reason}. ${remedy}`, { cause });
}

/** Writes the archive to its end and flushes it to the disk. @returns its size in bytes */
async function writeArchive(ctx: Ctx, file: string, { progress, everyMs }: Progress): Promise<number> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let bytes = 0;
    let reportedAt = performance.now();
    for await (const chunk of repos(ctx).archives.open()) {
      await handle.writeFile(chunk);
      bytes += chunk.length;
      if (performance.now() - reportedAt < everyMs) continue;
      reportedAt = performance.now();
      await progress(bytes);
    }
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

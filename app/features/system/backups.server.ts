import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '#app/domain/settings/settings.ts';
import type { ArchiveSummary } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { Job } from '#app/platform/jobs/job-loop.server.ts';

/** Where backups go, how often one is made, and how many are kept. */
export interface BackupPlan {
  directory: string;
  everyMs: number;
  keep: number;
}

export type BackupSettings = Pick<Settings, 'BACKUP_DIR' | 'BACKUP_EVERY_HOURS' | 'BACKUP_KEEP'>;

/** A backup that was made and read back. */
export interface BackupMade extends ArchiveSummary {
  file: string;
}

const HOUR_MS = 3_600_000;
/** How long a worker that says nothing more keeps others from making the backup. */
const LEASE_MS = 15 * 60_000;
/** How often it says that it is still at it. */
const RENEW_MS = 60_000;
/** A file that was left half-written so long ago belongs to nobody. */
const STALE_MS = 24 * HOUR_MS;

const JOB_NAME = 'back-up';
const NAME = /^vialbook-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.vialbook$/;
const PARTIAL = /^vialbook-.*\.partial$/;

/** @returns null when the settings name no directory for them */
export function backupPlan(settings: BackupSettings): BackupPlan | null {
  if (settings.BACKUP_DIR === undefined) return null;
  return {
    directory: path.resolve(settings.BACKUP_DIR),
    everyMs: settings.BACKUP_EVERY_HOURS * HOUR_MS,
    keep: settings.BACKUP_KEEP,
  };
}

const fileName = (now: Date): string =>
  `vialbook-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.vialbook`;

/** Writes the archive to its end and onto the disk, telling now and then that it goes on. */
async function writeArchive(ctx: Ctx, file: string, goesOn: () => Promise<void>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let toldAt = performance.now();
    for await (const chunk of ctx.repos.archives.open()) {
      await handle.writeFile(chunk);
      if (performance.now() - toldAt < RENEW_MS) continue;
      toldAt = performance.now();
      await goesOn();
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes the oldest beyond the number to keep, and what a killed worker left half-written. */
async function tidy({ directory, keep }: BackupPlan): Promise<void> {
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

/**
 * Makes a backup: written beside its place, read back and checked, then named. A file with a backup's name is whole.
 * @throws Error when it cannot be written or read back; nothing is left behind then
 */
async function makeBackup(ctx: Ctx, plan: BackupPlan, goesOn: () => Promise<void>): Promise<BackupMade> {
  await mkdir(plan.directory, { recursive: true, mode: 0o700 });
  const file = path.join(plan.directory, fileName(ctx.now()));
  const partial = `${file}.${process.pid}.partial`;
  try {
    await writeArchive(ctx, partial, goesOn);
    const summary = await ctx.repos.archives.check(createReadStream(partial));
    await rename(partial, file);
    await tidy(plan);
    return { file, ...summary };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/**
 * Makes a backup when one is due and no other worker makes it.
 * @returns what was made, null when there was nothing to do
 * @throws AppError FORBIDDEN; Error when it did not succeed: the next attempt follows when the lease is over
 */
export async function backUpWhenDue(ctx: Ctx, plan: BackupPlan): Promise<BackupMade | null> {
  authorise(ctx.actor, 'backup.work');
  const began = ctx.now();
  const { jobRuns } = ctx.repos;
  const leaseFrom = (instant: Date) => new Date(instant.getTime() + LEASE_MS);
  if (!(await jobRuns.takeTurn(JOB_NAME, began, leaseFrom(began)))) return null;
  const made = await makeBackup(ctx, plan, () => jobRuns.keepTurn(JOB_NAME, leaseFrom(ctx.now())));
  await jobRuns.keepTurn(JOB_NAME, new Date(began.getTime() + plan.everyMs));
  const { file, collections, documents } = made;
  ctx.log.info({ file, collections, documents }, 'backup made');
  return made;
}

/** The worker's job for a plan. */
export function backupJob(plan: BackupPlan): Job {
  return { name: JOB_NAME, everyMs: 60_000, run: (ctx) => backUpWhenDue(ctx, plan) };
}

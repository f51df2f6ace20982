import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { systemActionSchema, type SystemActionInput } from '#app/domain/admin/system-schema.ts';
import type { BackupRecord } from '#models/index.server.ts';
import { recordAudit } from '#app/platform/audit/audit.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { authoriseRecentOver } from '#app/platform/access/recent-sign-in.server.ts';

/** So many are kept; an older one is removed when a new one is done. */
export const KEPT_BACKUPS = 5;
/** And none longer than this: somebody who deleted their account shall not stay in one. */
export const BACKUP_DAYS = 30;
const LISTED = 20;
/** A backup that did not move for so long was broken off. */
const BROKEN_OFF_MS = 60_000;
const TELL_EVERY_MS = 1_000;

/** A backup as the administrator sees it. */
export interface BackupView extends BackupRecord {
  /** It was being made by a process that is gone. */
  isBrokenOff: boolean;
}

function viewOf(ctx: Ctx, backup: BackupRecord): BackupView {
  const silent = ctx.now().getTime() - backup.seenAt.getTime() > BROKEN_OFF_MS;
  return { ...backup, isBrokenOff: backup.state === 'running' && silent };
}

const noBackup = () => new AppError('NOT_FOUND', 'There is no such backup.');

/** Where its file is. The id is one of ours, so no other file can be meant. */
const fileOf = (ctx: Ctx, id: string): string => path.join(ctx.server.backupDirectory, `${id}.vialbook`);

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export async function listBackups(ctx: Ctx): Promise<BackupView[]> {
  authorise(ctx.actor, 'system.read');
  return (await ctx.repos.backups.list(LISTED)).map((backup) => viewOf(ctx, backup));
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND */
export async function getBackup(ctx: Ctx, id: string): Promise<BackupView> {
  authorise(ctx.actor, 'system.read');
  const backup = await ctx.repos.backups.find(id);
  if (backup === null) throw noBackup();
  return viewOf(ctx, backup);
}

async function removeBackup(ctx: Ctx, { id }: BackupRecord): Promise<void> {
  await rm(fileOf(ctx, id), { force: true });
  await ctx.repos.backups.remove(id);
}

/** Removes what is too many or too old, of this machine. Also a job of the worker. */
export async function pruneBackups(ctx: Ctx): Promise<void> {
  authorise(ctx.actor, 'system.prune-backups');
  await prune(ctx);
}

async function prune(ctx: Ctx): Promise<void> {
  const oldest = ctx.now().getTime() - BACKUP_DAYS * 86_400_000;
  const here = (await ctx.repos.backups.list(1000)).filter(({ host }) => host === ctx.server.host);
  const over = here.filter(({ startedAt }, place) => place >= KEPT_BACKUPS || startedAt.getTime() < oldest);
  for (const backup of over) if (!isRunning(ctx, backup)) await removeBackup(ctx, backup);
}

const isRunning = (ctx: Ctx, backup: BackupRecord): boolean =>
  backup.state === 'running' && !viewOf(ctx, backup).isBrokenOff;

/** The bytes, counted, with the row brought up to date now and then. */
async function* told(ctx: Ctx, id: string, progress: { bytes: number }): AsyncGenerator<Uint8Array> {
  let toldAt = performance.now();
  for await (const chunk of ctx.repos.archives.open()) {
    progress.bytes += chunk.length;
    if (performance.now() - toldAt > TELL_EVERY_MS) {
      toldAt = performance.now();
      await ctx.repos.backups.change(id, { bytes: progress.bytes, seenAt: ctx.now() });
    }
    yield chunk;
  }
}

/** Writes the file: it appears complete or not at all, readable by its owner alone. Never rejects. */
async function write(ctx: Ctx, id: string): Promise<void> {
  const file = fileOf(ctx, id);
  const draft = `${file}.partial`;
  const progress = { bytes: 0 };
  try {
    await mkdir(ctx.server.backupDirectory, { recursive: true, mode: 0o700 });
    const target = createWriteStream(draft, { mode: 0o600, flags: 'wx' });
    await pipeline(Readable.from(told(ctx, id, progress), { objectMode: false }), target);
    await ctx.repos.archives.check(createReadStream(draft));
    await rename(draft, file);
    await ctx.repos.backups.change(id, { state: 'done', bytes: progress.bytes, seenAt: ctx.now() });
    ctx.log.info({ backup: id, kind: 'backup' }, 'backup done');
    await prune(ctx);
  } catch (error) {
    ctx.log.error({ err: error, backup: id }, 'backup failed');
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown';
    await rm(draft, { force: true }).catch(() => undefined);
    await ctx.repos.backups
      .change(id, { state: 'failed', error: reason, seenAt: ctx.now() })
      .catch(() => undefined);
  }
}

/** A backup that has begun; `done` resolves when it has ended, well or not. */
export interface StartedBackup {
  backup: BackupView;
  done: Promise<void>;
}

/**
 * Begins a backup of everything into the data directory; nobody waits for it.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, INVALID_INPUT, CONFLICT when one is being made
 */
export async function startBackup(ctx: Ctx, input: SystemActionInput): Promise<StartedBackup> {
  authoriseRecentOver(ctx, 'system.act', {});
  const { reason } = parseInput(systemActionSchema, input);
  if ((await ctx.repos.backups.list(LISTED)).some((backup) => isRunning(ctx, backup)))
    throw new AppError('CONFLICT', 'A backup is being made already.');
  const now = ctx.now();
  const id = `backup-${newId(now)}`;
  const { host } = ctx.server;
  const row = {
    id,
    state: 'running',
    startedAt: now,
    seenAt: now,
    bytes: 0,
    error: null,
    host,
  } as const;
  await ctx.repos.backups.insert(row);
  await recordAudit(ctx, { action: 'system.backup', subjectId: 'server', before: {}, after: { id }, reason });
  return { backup: viewOf(ctx, row), done: write(ctx, id) };
}

/**
 * Opens a backup's file. It holds everything of everybody, so only super admins get it.
 * @throws AppError FORBIDDEN, RECENT_SIGN_IN_REQUIRED, NOT_FOUND, CONFLICT when it is not done or on another machine
 */
export async function openBackup(ctx: Ctx, id: string): Promise<{ fileName: string; open(): Readable }> {
  authoriseRecentOver(ctx, 'system.download-backup', {});
  const backup = await ctx.repos.backups.find(id);
  if (backup === null) throw noBackup();
  if (backup.state !== 'done') throw new AppError('CONFLICT', 'This backup is not done.');
  const file = fileOf(ctx, id);
  await access(file).catch((error: unknown) => {
    throw new AppError('CONFLICT', `Its file is on ${backup.host}, not on this machine.`, { cause: error });
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

/**
 * Everything as a stream, for the terminal.
 * @throws AppError FORBIDDEN
 */
export async function streamBackup(ctx: Ctx): Promise<Readable> {
  authorise(ctx.actor, 'system.stream-backup');
  await recordAudit(ctx, { action: 'system.backup', subjectId: 'server', before: {}, after: {} });
  return Readable.from(ctx.repos.archives.open(), { objectMode: false });
}

/** Writes down that a backup was read in; called when it is in. @throws AppError FORBIDDEN */
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

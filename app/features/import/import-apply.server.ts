import { AppError, isAppError, isTransient, conflict } from '#app/domain/errors.ts';
import { IMPORT_TYPES, type ImportType } from '#app/domain/records/type-names.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import type { ImportCounts, ImportRecord, OwnedImport } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { addRecords, importedRows, type ImportJob } from './record-importers.server.ts';
import { decodeRecords } from './stored-records.server.ts';
import type { Owner } from '#app/platform/access/owner.server.ts';

/** An import that makes no progress for this long was interrupted, and a worker resumes it. */
const INTERRUPTED_AFTER_MS = 10 * MINUTE_MS;

/** When a worker should check on an import that is running now. */
export const nextCheckAt = (ctx: Ctx): Date => new Date(ctx.now().getTime() + INTERRUPTED_AFTER_MS);

/** Counts each type, leaving out those that have none. */
async function countByType(count: (type: ImportType) => Promise<number>): Promise<ImportCounts> {
  const counts: ImportCounts = {};
  for (const type of IMPORT_TYPES) {
    const found = await count(type);
    if (found > 0) counts[type] = found;
  }
  return counts;
}

/** Removes what an import added; it is marked as being undone. @returns what stays because it was changed since */
export async function deleteImported(ctx: Ctx, ownerId: string, id: string): Promise<ImportCounts> {
  const kept = await countByType((type) => importedRows(ctx, type).deleteImported(ownerId, id));
  await ctx.repos.imports.clearPieces(ownerId, id);
  await ctx.repos.imports.move(ownerId, id, ['undoing', 'undone'], { state: 'undone', kept, dueAt: null });
  return kept;
}

/** A free account's calculations end with its sign-in, which may be over by the time they are written. */
async function checkSignIn(ctx: Ctx, { ownerId, signInId }: ImportJob): Promise<void> {
  if (signInId === null) return;
  if (await ctx.repos.sessions.isRunning(ownerId, signInId, ctx.now())) return;
  throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
}

async function writePieces(
  ctx: Ctx,
  owner: Owner,
  job: ImportJob,
  pieces: ImportCounts,
  onWritten: (records: number) => void,
): Promise<void> {
  let written = 0;
  for (const type of IMPORT_TYPES) {
    for (let index = 0; index < (pieces[type] ?? 0); index += 1) {
      const text = await ctx.repos.imports.piece(owner.id, { id: job.id, type, index });
      const records = decodeRecords(text);
      await addRecords(ctx, job, type, records);
      await ctx.repos.imports.move(owner.id, job.id, ['applying'], { dueAt: nextCheckAt(ctx) });
      onWritten((written += records.length));
    }
  }
  await checkSignIn(ctx, job);
}

/** Writes everything, or nothing of it stays. */
async function writeAll(ctx: Ctx, owner: Owner, job: ImportJob, write: () => Promise<void>): Promise<void> {
  const { imports } = ctx.repos;
  try {
    await write();
  } catch (error) {
    // After a failure of the system the import stays as it is, for its owner or a worker to finish or undo.
    if (!isAppError(error) || isTransient(error)) throw error;
    await imports.move(owner.id, job.id, ['applying'], { state: 'undoing', dueAt: nextCheckAt(ctx) });
    await deleteImported(ctx, owner.id, job.id);
    throw error;
  }
}

async function finish(ctx: Ctx, owner: Owner, record: ImportRecord): Promise<ImportRecord> {
  const { imports } = ctx.repos;
  const { id } = record;
  const added = await countByType((type) => importedRows(ctx, type).countImported(owner.id, id));
  const finished = { state: 'done' as const, added, doneAt: ctx.now(), dueAt: null };
  if (!(await imports.move(owner.id, id, ['applying', 'done'], finished))) {
    // Undone while it was being written: what was written after that has to go, too.
    await deleteImported(ctx, owner.id, id);
    throw conflict('IMPORT_UNDONE', 'This import was undone before. Nothing was imported.');
  }
  await imports.clearPieces(owner.id, id);
  ctx.log.info({ userId: owner.id, importId: id }, 'import done');
  return { ...record, ...finished };
}

/**
 * Writes an import that is marked as begun, from its first record: what is there already is not written again.
 * @returns the import as it is now
 * @throws AppError PLAN_LIMIT, PREMIUM_REQUIRED, UNAUTHENTICATED (the sign-in that its calculations belong to ended),
 *   when nothing of it stays; CONFLICT when it was undone meanwhile
 */
export async function writeImport(
  ctx: Ctx,
  owner: Owner,
  record: ImportRecord,
  onWritten: (records: number) => void = () => undefined,
): Promise<ImportRecord> {
  const { isPremium } = entitlementOf(owner, ctx.now());
  const { id, signInId } = record;
  const job = { id, ownerId: owner.id, isPremium, timeZone: owner.timeZone, signInId };
  await writeAll(ctx, owner, job, () => writePieces(ctx, owner, job, record.pieces, onWritten));
  return finish(ctx, owner, record);
}

/** Imports that a worker looks after in one run. */
const BATCH = 20;

/** Finishes an interrupted import; when something is refused on the way, writeImport removes what it added. */
async function resume(ctx: Ctx, { userId, record }: OwnedImport): Promise<void> {
  const owner = await ctx.repos.users.find(userId);
  // The import is deleted along with the account.
  if (owner === null) return;
  try {
    await writeImport(ctx, owner, record);
  } catch (error) {
    if (!isAppError(error) || isTransient(error)) throw error;
    ctx.log.warn({ userId, importId: record.id, code: error.code }, 'interrupted import undone');
  }
}

async function recover(ctx: Ctx, due: OwnedImport): Promise<void> {
  const { userId, record } = due;
  if (record.state === 'applying') return resume(ctx, due);
  if (record.state === 'undoing') return void (await deleteImported(ctx, userId, record.id));
  return ctx.repos.imports.discard(userId, record.id);
}

/**
 * Deletes files that were uploaded but never imported, and finishes interrupted imports and undos: nothing stays
 * half-written even if its owner never comes back. Several workers can run it at once.
 * @returns how many imports it dealt with
 */
export async function recoverImports(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'import.recover');
  let recovered = 0;
  for (const due of await ctx.repos.imports.findDue(ctx.now(), BATCH)) {
    if (!(await ctx.repos.imports.claimDue(due.userId, due.record, nextCheckAt(ctx)))) continue;
    await recover(ctx, due);
    recovered += 1;
  }
  return recovered;
}

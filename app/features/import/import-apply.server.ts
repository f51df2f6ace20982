import { AppError, isAppError } from '#app/domain/errors.ts';
import { IMPORT_TYPES, type RawRow } from '#app/domain/import/import-types.ts';
import { readRows } from '#app/domain/import/read-row.ts';
import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import type { ImportCounts, ImportRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { badRows } from './import-check.server.ts';
import type { ImportJob } from './import-ids.server.ts';
import { addRecords, repositoriesOf } from './import-types.server.ts';
import type { Owner } from '#app/platform/access/owner.server.ts';

/** An import that has not moved on for so long was cut off, and a worker takes it up. */
const CUT_OFF_MS = 10 * 60_000;

/** When a worker looks at an import that is under way now. */
export const nextLook = (ctx: Ctx): Date => new Date(ctx.now().getTime() + CUT_OFF_MS);

async function countAdded(ctx: Ctx, ownerId: string, id: string): Promise<ImportCounts> {
  const counts: ImportCounts = {};
  for (const type of IMPORT_TYPES) {
    const count = await repositoriesOf(ctx)[type].countImported(ownerId, id);
    if (count > 0) counts[type] = count;
  }
  return counts;
}

/** Takes back what an import added, which was marked as being undone. @returns what stays because it was changed since */
export async function takeBack(ctx: Ctx, ownerId: string, id: string): Promise<ImportCounts> {
  const kept: ImportCounts = {};
  for (const type of IMPORT_TYPES) {
    const count = await repositoriesOf(ctx)[type].removeImported(ownerId, id);
    if (count > 0) kept[type] = count;
  }
  await ctx.repos.imports.clearPieces(ownerId, id);
  await ctx.repos.imports.move(ownerId, id, ['undoing', 'undone'], { state: 'undone', kept, dueAt: null });
  return kept;
}

/** A free account's calculations go with its sign-in, which may have ended while they were written. */
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
  onWritten: (rows: number) => void,
): Promise<void> {
  let written = 0;
  for (const type of IMPORT_TYPES) {
    for (let index = 0; index < (pieces[type] ?? 0); index += 1) {
      const text = await ctx.repos.imports.piece(owner.id, { id: job.id, type, index });
      const rows = JSON.parse(text) as RawRow[];
      const { records, bad } = readRows(rows, { now: ctx.now(), timeZone: owner.timeZone });
      if (bad.length > 0) throw badRows({ bad, badCount: bad.length });
      await addRecords(ctx, job, type, records);
      await ctx.repos.imports.move(owner.id, job.id, ['applying'], { dueAt: nextLook(ctx) });
      onWritten((written += rows.length));
    }
  }
  await checkSignIn(ctx, job);
}

/** Writes everything; of an import that cannot be written whole nothing stays. */
async function writeAll(ctx: Ctx, owner: Owner, job: ImportJob, write: () => Promise<void>): Promise<void> {
  const { imports } = ctx.repos;
  try {
    await write();
  } catch (error) {
    // Anything but a refusal is a breakdown: the import stays begun, to be finished or undone by its owner or a worker.
    if (!isAppError(error) || error.code === 'DATABASE_UNAVAILABLE') throw error;
    await imports.move(owner.id, job.id, ['applying'], { state: 'undoing', dueAt: nextLook(ctx) });
    await takeBack(ctx, owner.id, job.id);
    throw error;
  }
}

async function finish(ctx: Ctx, owner: Owner, record: ImportRecord): Promise<ImportRecord> {
  const { imports } = ctx.repos;
  const { id } = record;
  const added = await countAdded(ctx, owner.id, id);
  const finished = { state: 'done' as const, added, doneAt: ctx.now(), dueAt: null };
  if (!(await imports.move(owner.id, id, ['applying', 'done'], finished))) {
    // Undone while it was being written: what came after goes too.
    await takeBack(ctx, owner.id, id);
    throw new AppError('CONFLICT', 'This import was undone.');
  }
  await imports.clearPieces(owner.id, id);
  ctx.log.info({ userId: owner.id, importId: id }, 'import done');
  return { ...record, ...finished };
}

/**
 * Writes an import that is marked as begun, from its first row: what is there already is not written again.
 * @returns the import as it is now
 * @throws AppError PLAN_LIMIT, PREMIUM_REQUIRED, BAD_ROWS, UNAUTHENTICATED (the sign-in that its calculations go with
 *   ended), when nothing of it stays; CONFLICT when it was undone meanwhile
 */
export async function writeImport(
  ctx: Ctx,
  owner: Owner,
  record: ImportRecord,
  onWritten: (rows: number) => void = () => undefined,
): Promise<ImportRecord> {
  const { isPremium } = entitlementOf(owner, ctx.now());
  const { id, signInId } = record;
  const job = { id, ownerId: owner.id, isPremium, timeZone: owner.timeZone, signInId };
  await writeAll(ctx, owner, job, () => writePieces(ctx, owner, job, record.pieces, onWritten));
  return finish(ctx, owner, record);
}

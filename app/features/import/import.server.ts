import { AppError, conflict, isAppError, isTransient } from '#app/domain/errors.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { pageWithin, pagingSchema, type Page, type PagingInput } from '#app/domain/forms/paging.ts';
import type { ImportCounts, ImportRecord, OwnedImport } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { requireSwitchedOn } from '#app/platform/flags/flags.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import {
  badRows,
  checkImport,
  requireUsualAmounts,
  type ImportCheck,
  type ImportSource,
} from './import-check.server.ts';
import { findOwner, type Owner } from '#app/platform/access/owner.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { IMPORT_TYPES, type ImportType } from '#app/domain/records/type-names.ts';
import { addRecords, importedRows, type ImportJob } from './record-importers.server.ts';
import { pageFrom, type PageRequest } from '#app/platform/pagination.server.ts';
import { repos } from './repositories.server.ts';

export type { ImportRecord };

/** Days in which an import can be undone. */
const UNDO_DAYS = 7;
const UNDO_MS = UNDO_DAYS * DAY_MS;
/** Checked files of an account that wait to be imported; another one replaces the oldest. */
const MAX_WAITING = 4;
/** Hours in which a checked file can be imported. After that it is deleted. */
const WAITING_HOURS = 24;
const WAITING_MS = WAITING_HOURS * HOUR_MS;

/** An import that makes no progress for this long was interrupted, and a worker resumes it. */
const INTERRUPTED_AFTER_MS = 10 * MINUTE_MS;

/** When a worker should check on an import that is running now. */
const nextCheckAt = (ctx: Ctx): Date => new Date(ctx.now().getTime() + INTERRUPTED_AFTER_MS);

const notFound = () => new AppError('NOT_FOUND', 'This import does not exist.');

async function ownerOf(ctx: Ctx, email?: string): Promise<Owner> {
  const owner = await findOwner(ctx, email);
  authorise(ctx.actor, 'import.run', { ownerId: owner.id });
  return owner;
}

/** The terminal is not limited. @throws AppError SWITCHED_OFF, RATE_LIMITED */
async function beforeReading(ctx: Ctx, owner: Owner): Promise<void> {
  if (ctx.actor.kind !== 'user') return;
  await requireSwitchedOn(ctx, 'import');
  await ctx.throttle.take({ rule: THROTTLE_RULES.import, who: owner.id });
}

/** One file of an account is read or written at a time. The terminal has its process to itself. */
const oneAtATime = <T>(ctx: Ctx, owner: Owner, work: () => Promise<T>): Promise<T> =>
  ctx.actor.kind === 'user' ? heavyWork('import', owner.id, work) : work();

/**
 * What an import of a file would add. Writes nothing.
 * @param email the account's address, at the terminal
 * @throws AppError SWITCHED_OFF, INVALID_INPUT, PAYLOAD_TOO_LARGE, PREMIUM_REQUIRED, RATE_LIMITED, NOT_FOUND (no such
 *   account), PLAN_LIMIT when its new records do not fit into the account
 */
export async function dryRunImport(ctx: Ctx, source: ImportSource, email?: string): Promise<ImportCheck> {
  const owner = await ownerOf(ctx, email);
  await beforeReading(ctx, owner);
  return oneAtATime(ctx, owner, () => checkImport(ctx, owner, source));
}

/** The sign-in that the imported calculations are deleted with; null at the terminal and with Premium. */
function signInOf(ctx: Ctx, owner: Owner): string | null {
  if (ctx.actor.kind !== 'user' || entitlementOf(owner, ctx).isPremium) return null;
  return ctx.actor.sessionId;
}

const newImport = (ctx: Ctx, owner: Owner, fileName: string | null | undefined): ImportRecord => ({
  id: `imp_${newId(ctx.now())}`,
  state: 'reading',
  fileName: fileName?.slice(0, 200) || null,
  signInId: signInOf(ctx, owner),
  rows: {},
  fresh: {},
  added: {},
  kept: {},
  bad: [],
  badCount: 0,
  unusual: [],
  unusualCount: 0,
  health: null,
  pieces: {},
  createdAt: ctx.now(),
  doneAt: null,
  dueAt: new Date(ctx.now().getTime() + WAITING_MS),
});

/** Reads the file and stores its records in pieces. @returns what it would add, and how many pieces there are */
async function readInto(ctx: Ctx, owner: Owner, id: string, source: ImportSource) {
  const pieces: ImportCounts = {};
  const check = await checkImport(ctx, owner, source, async (type, records) => {
    const index = pieces[type] ?? 0;
    await repos(ctx).imports.addPiece(owner.id, { id, type, index }, records);
    pieces[type] = index + 1;
  });
  if (check.badCount === 0) return { ...check, pieces };
  await repos(ctx).imports.clearPieces(owner.id, id);
  return { ...check, pieces: {} };
}

/**
 * Checks a file and stores its records, to be imported by {@link applyImport}. A file that is not imported within
 * {@link WAITING_HOURS} hours, or that {@link MAX_WAITING} newer ones follow, is deleted.
 * @throws AppError as {@link dryRunImport}
 */
export async function prepareImport(ctx: Ctx, source: ImportSource, email?: string): Promise<ImportRecord> {
  const owner = await ownerOf(ctx, email);
  await beforeReading(ctx, owner);
  const { imports } = repos(ctx);
  await imports.clearWaiting(owner.id, MAX_WAITING - 1);
  const record = newImport(ctx, owner, source.fileName);
  await imports.create(owner.id, record);
  try {
    const found = await oneAtATime(ctx, owner, () => readInto(ctx, owner, record.id, source));
    await imports.move(owner.id, record.id, ['reading'], { state: 'checked', ...found });
    return { ...record, state: 'checked', ...found };
  } catch (error) {
    await imports.discard(owner.id, record.id);
    throw error;
  }
}

/** Counts each type, leaving out those that have none. */
async function countByType(count: (type: ImportType) => Promise<number>): Promise<ImportCounts> {
  const counts: ImportCounts = {};
  for (const type of IMPORT_TYPES) {
    const found = await count(type);
    if (found > 0) counts[type] = found;
  }
  return counts;
}

/** Removes what an import added, once it is marked as being undone. @returns what stays because it was changed since */
async function deleteImported(ctx: Ctx, ownerId: string, id: string): Promise<ImportCounts> {
  const kept = await countByType((type) => importedRows(ctx, type).deleteImported(ownerId, id));
  await repos(ctx).imports.clearPieces(ownerId, id);
  await repos(ctx).imports.move(ownerId, id, ['undoing', 'undone'], { state: 'undone', kept, dueAt: null });
  return kept;
}

/** A free account's calculations are deleted with its sign-in, which may have ended by the time they are written. */
async function checkSignIn(ctx: Ctx, { ownerId, signInId }: ImportJob): Promise<void> {
  if (signInId === null) return;
  if (await repos(ctx).sessions.isRunning(ownerId, signInId, ctx.now())) return;
  throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
}

const undoneMeanwhile = () =>
  conflict('IMPORT_UNDONE', 'This import was undone before. Nothing was imported.');

/** Writes one piece, unless the import was undone meanwhile. @returns how many records it had */
function writePiece(ctx: Ctx, job: ImportJob, type: ImportType, index: number): Promise<number> {
  const { imports } = repos(ctx);
  return ctx.transaction(async () => {
    if (!(await imports.move(job.ownerId, job.id, ['applying'], { dueAt: nextCheckAt(ctx) })))
      throw undoneMeanwhile();
    const records = await imports.takePiece(job.ownerId, { id: job.id, type, index });
    await addRecords(ctx, job, type, records);
    return records.length;
  });
}

/** Writes what is left of an import, each piece in one act: a whole file may be too long for one. */
async function writePieces(
  ctx: Ctx,
  job: ImportJob,
  pieces: ImportCounts,
  onWritten: (records: number) => void,
): Promise<void> {
  let written = 0;
  for (const type of IMPORT_TYPES) {
    for (let index = 0; index < (pieces[type] ?? 0); index += 1)
      onWritten((written += await writePiece(ctx, job, type, index)));
  }
  await checkSignIn(ctx, job);
}

/** Writes everything, or removes what was written when a record is refused. */
async function writeAll(ctx: Ctx, owner: Owner, job: ImportJob, write: () => Promise<void>): Promise<void> {
  const { imports } = repos(ctx);
  try {
    await write();
  } catch (error) {
    // After a system failure the import stays as it is, for its owner or a worker to finish or undo.
    if (!isAppError(error) || isTransient(error)) throw error;
    await imports.move(owner.id, job.id, ['applying'], { state: 'undoing', dueAt: nextCheckAt(ctx) });
    await deleteImported(ctx, owner.id, job.id);
    throw error;
  }
}

async function finish(ctx: Ctx, owner: Owner, record: ImportRecord): Promise<ImportRecord> {
  const { imports } = repos(ctx);
  const { id } = record;
  const added = await countByType((type) => importedRows(ctx, type).countImported(owner.id, id));
  const finished = { state: 'done' as const, added, doneAt: ctx.now(), dueAt: null };
  if (!(await imports.move(owner.id, id, ['applying', 'done'], finished))) throw undoneMeanwhile();
  await imports.clearPieces(owner.id, id);
  ctx.log.info({ userId: owner.id, importId: id }, 'import done');
  return { ...record, ...finished };
}

/**
 * Writes an import that is marked as started, from its first record; records that exist are not written again.
 * @returns the import as it is now
 * @throws AppError PLAN_LIMIT, PREMIUM_REQUIRED, UNAUTHENTICATED (the sign-in that its calculations belong to ended),
 *   after which nothing of it is left; CONFLICT when it was undone in the meantime
 */
async function writeImport(
  ctx: Ctx,
  owner: Owner,
  record: ImportRecord,
  onWritten: (records: number) => void = () => undefined,
): Promise<ImportRecord> {
  const { isPremium } = entitlementOf(owner, ctx);
  const { id, signInId } = record;
  const job = { id, ownerId: owner.id, isPremium, timeZone: owner.timeZone, signInId };
  await writeAll(ctx, owner, job, () => writePieces(ctx, job, record.pieces, onWritten));
  return finish(ctx, owner, record);
}

/**
 * Imports a checked file, all of it or nothing; an interrupted import is finished. Repeating it changes nothing.
 * @param confirm imports unusual amounts, too
 * @throws AppError NOT_FOUND, BAD_ROWS, PLAN_LIMIT, CONFLICT when it was undone, UNAUTHENTICATED when the session ended,
 *   CONFIRM_DOSE when rows have unusual amounts, RATE_LIMITED while another import of the account is running
 */
export async function applyImport(
  ctx: Ctx,
  id: string,
  {
    email,
    confirm = false,
    onWritten = () => undefined,
  }: { email?: string; confirm?: boolean; onWritten?: (rows: number) => void } = {},
): Promise<ImportRecord> {
  const owner = await ownerOf(ctx, email);
  return oneAtATime(ctx, owner, () => writeChecked(ctx, owner, id, { confirm, onWritten }));
}

async function writeChecked(
  ctx: Ctx,
  owner: Owner,
  id: string,
  { confirm, onWritten }: { confirm: boolean; onWritten: (rows: number) => void },
): Promise<ImportRecord> {
  const record = await repos(ctx).imports.find(owner.id, id);
  if (record === null) throw notFound();
  if (record.badCount > 0) throw badRows(record);
  if (record.state === 'done') return record;
  if (record.state === 'checked') {
    if (!confirm) requireUsualAmounts(record);
    const rows = Object.values(record.fresh).reduce((sum, count) => sum + count, 0);
    const { isPremium } = entitlementOf(owner, ctx);
    await takeRows(ctx, { id: owner.id, isPremium }, { rows });
  }
  const signInId = record.signInId === null ? null : signInOf(ctx, owner);
  const begun = { state: 'applying' as const, signInId, dueAt: nextCheckAt(ctx) };
  if (!(await repos(ctx).imports.move(owner.id, id, ['checked', 'applying'], begun)))
    throw conflict('IMPORT_UNDONE', 'This import was undone before. Upload the file again.');
  return writeImport(ctx, owner, { ...record, ...begun }, onWritten);
}

/**
 * Checks a file and imports it at once.
 * @param confirm imports unusual amounts, too
 * @throws AppError as {@link dryRunImport} and {@link applyImport}
 */
export async function runImport(
  ctx: Ctx,
  source: ImportSource,
  { email, confirm = false }: { email?: string; confirm?: boolean } = {},
): Promise<ImportRecord> {
  const record = await prepareImport(ctx, source, email);
  const { onWritten } = source;
  return applyImport(ctx, record.id, {
    confirm,
    ...(email !== undefined && { email }),
    ...(onWritten && { onWritten }),
  });
}

/** Until when an import can be undone; null while it is not done. */
export function undoUntil({ state, doneAt }: Pick<ImportRecord, 'state' | 'doneAt'>): Date | null {
  return state === 'done' && doneAt !== null ? new Date(doneAt.getTime() + UNDO_MS) : null;
}

/** Whether an import can be undone now: for seven days, and always when it was interrupted. */
export function canUndo({ state, doneAt }: Pick<ImportRecord, 'state' | 'doneAt'>, now: Date): boolean {
  if (state === 'applying' || state === 'undoing') return true;
  const until = undoUntil({ state, doneAt });
  return until !== null && now < until;
}

/**
 * Removes exactly what an import added. Records that were changed since are kept.
 * @param email the account's address, at the terminal
 * @returns how many records of each type are kept
 * @throws AppError NOT_FOUND, CONFLICT when it is too late, RATE_LIMITED while another import of the account is running
 */
export async function undoImport(ctx: Ctx, id: string, email?: string): Promise<ImportCounts> {
  const owner = await ownerOf(ctx, email);
  return oneAtATime(ctx, owner, async () => {
    const record = await repos(ctx).imports.find(owner.id, id);
    if (record === null) throw notFound();
    if (record.state === 'undone') return record.kept;
    if (!canUndo(record, ctx.now()))
      throw conflict('UNDO_EXPIRED', `Imports can only be undone for ${UNDO_DAYS} days.`);
    const undoing = { state: 'undoing' as const, dueAt: nextCheckAt(ctx) };
    await repos(ctx).imports.move(owner.id, id, ['applying', 'done', 'undoing'], undoing);
    return deleteImported(ctx, owner.id, id);
  });
}

/** One of the owner's imports. @throws AppError NOT_FOUND */
export async function getImport(ctx: Ctx, id: string, email?: string): Promise<ImportRecord> {
  const owner = await ownerOf(ctx, email);
  const record = await repos(ctx).imports.find(owner.id, id);
  if (record === null) throw notFound();
  return record;
}

/** The owner's imports, the newest first, without files that were only checked. */
export async function listImports(
  ctx: Ctx,
  input: PagingInput = {},
  email?: string,
): Promise<Page<ImportRecord>> {
  const owner = await ownerOf(ctx, email);
  const { skip, ...page } = pageWithin(pagingSchema.parse(input), await repos(ctx).imports.count(owner.id));
  return { ...page, items: await repos(ctx).imports.list(owner.id, { skip, limit: page.limit }) };
}

/** The signed-in user's imports for the API, the newest first. @throws AppError INVALID_INPUT */
export async function pageOfImports(ctx: Ctx, request: PageRequest) {
  const owner = await ownerOf(ctx);
  return pageFrom<ImportRecord>(request, {
    name: 'imports',
    kinds: ['instant', 'text'],
    placeOf: ({ createdAt, id }) => [createdAt, id],
    read: (slice) => repos(ctx).imports.list(owner.id, slice),
    count: () => repos(ctx).imports.count(owner.id),
  });
}

/** How many imports a worker handles in one run. */
const BATCH = 20;

/** Finishes an interrupted import. If a record is refused, writeImport removes what it added. */
async function resume(ctx: Ctx, { userId, record }: OwnedImport): Promise<void> {
  const owner = await repos(ctx).users.find(userId);
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
  return repos(ctx).imports.discard(userId, record.id);
}

/**
 * Deletes files that were uploaded but never imported, and finishes interrupted imports and undos: nothing stays
 * half-written even if its owner never comes back. Several workers can run it at once.
 * @returns how many imports it handled
 */
export async function recoverImports(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'import.recover');
  let recovered = 0;
  for (const due of await repos(ctx).imports.findDue(ctx.now(), BATCH)) {
    if (!(await repos(ctx).imports.claimDue(due.userId, due.record, nextCheckAt(ctx)))) continue;
    await recover(ctx, due);
    recovered += 1;
  }
  return recovered;
}

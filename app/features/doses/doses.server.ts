import { beforeChange, mayBecome, mayUndo, type ChangingDose } from '#app/domain/doses/dose-transitions.ts';
import { reminderAfterUndo } from '#app/domain/doses/dose-timing.ts';
import { unconfirmed, type DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { AppError } from '#app/domain/errors.ts';
import {
  DOSE_MESSAGES,
  passDoseSchema,
  takeDoseSchema,
  type PassDoseInput,
  type TakeDoseInput,
} from '#app/domain/doses/dose-schema.ts';
import { parseInput } from '#app/domain/forms/parse-input.ts';
import type { DoseChanges, DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { changeDose, doseNotFound, getCurrentDose } from './dose-change.server.ts';
import { readIntake, planIntake, takenChanges } from './intake-planning.server.ts';
import { premiumOwner } from '#app/platform/access/premium-owner.server.ts';

/** A dose that was logged, or the question to answer first; then nothing was written. */
export type TakeOutcome =
  { done: true; dose: DoseRecord; warnings: DoseWarning[] } | { done: false; warnings: DoseWarning[] };

/** What came of looking at the warnings: whether the dose may be written. */
interface Looked {
  done: boolean;
  warnings: DoseWarning[];
}

const transitionState = ({ status, notes, before }: DoseRecord): ChangingDose => ({
  status,
  notes,
  before: before ?? null,
});

function refuseTaken(dose: DoseRecord): void {
  if (mayBecome(dose) !== 'ok') throw new AppError('DOSE_ALREADY_LOGGED', DOSE_MESSAGES.alreadyTaken);
}

function requirePresent(dose: DoseRecord | null): DoseRecord {
  if (dose === null) throw doseNotFound();
  return dose;
}

/**
 * One dose.
 * @param email whose, at the terminal
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED, UNAUTHENTICATED
 */
export async function getDose(ctx: Ctx, id: string, email?: string): Promise<DoseRecord> {
  const owner = await premiumOwner(ctx, 'dose.read', email);
  return getCurrentDose(ctx, owner.id, id);
}

/**
 * What there is to say about taking a dose now as planned. Writes nothing.
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED
 */
export async function previewDose(
  ctx: Ctx,
  id: string,
): Promise<{ dose: DoseRecord; warnings: DoseWarning[] }> {
  const owner = await premiumOwner(ctx, 'dose.read');
  const dose = await getCurrentDose(ctx, owner.id, id);
  if (dose.status === 'taken') return { dose, warnings: [] };
  const intake = readIntake(ctx, owner, dose, { confirmed: [] });
  return { dose, warnings: (await planIntake(ctx, owner.id, intake)).warnings };
}

/**
 * Logs a dose as taken and draws it from the stock, once: of two at the same time one is refused.
 * @param input `confirmed` holds the warnings that the person has said yes to; a caller that cannot ask confirms all
 * @returns the dose with its warnings, or what has to be asked first
 * @throws AppError DOSE_ALREADY_LOGGED, NOT_FOUND, INVALID_INPUT, PREMIUM_REQUIRED
 */
export async function takeDose(
  ctx: Ctx,
  id: string,
  input: TakeDoseInput = {},
  email?: string,
): Promise<TakeOutcome> {
  const owner = await premiumOwner(ctx, 'dose.change', email);
  const fields = parseInput(takeDoseSchema, input);
  const { dose, result } = await changeDose<Looked>(ctx, owner.id, id, async (found) => {
    refuseTaken(found);
    const intake = readIntake(ctx, owner, found, fields);
    const { draws, warnings } = await planIntake(ctx, owner.id, intake);
    if (unconfirmed(warnings, fields.confirmed).length > 0)
      return { changes: null, result: { done: false, warnings } };
    const before = beforeChange(transitionState(found), 'taken');
    const changes = { ...takenChanges(found, intake, draws, fields), before };
    return { changes, result: { done: true, warnings } };
  });
  const { done, warnings } = result;
  return done ? { done, warnings, dose: requirePresent(dose) } : { done, warnings };
}

/** What is written when a dose is skipped or missed. */
function notTakenChanges(
  dose: DoseRecord,
  status: 'skipped' | 'missed',
  notes: string | undefined,
): DoseChanges {
  return {
    status,
    notes: notes || null,
    before: beforeChange(transitionState(dose), status),
    remindAt: null,
    remindClaimedUntil: null,
  };
}

async function markNotTaken(
  ctx: Ctx,
  id: string,
  status: 'skipped' | 'missed',
  input: PassDoseInput,
): Promise<DoseRecord> {
  const owner = await premiumOwner(ctx, 'dose.change');
  const { notes } = parseInput(passDoseSchema, input);
  const { dose } = await changeDose(ctx, owner.id, id, (found) => {
    refuseTaken(found);
    return { changes: notTakenChanges(found, status, notes), result: null };
  });
  return requirePresent(dose);
}

/**
 * Says that a dose was left out on purpose.
 * @throws AppError DOSE_ALREADY_LOGGED when it is taken, NOT_FOUND, INVALID_INPUT, PREMIUM_REQUIRED
 */
export function skipDose(ctx: Ctx, id: string, input: PassDoseInput = {}): Promise<DoseRecord> {
  return markNotTaken(ctx, id, 'skipped', input);
}

/**
 * Says that a dose was missed.
 * @throws AppError DOSE_ALREADY_LOGGED when it is taken, NOT_FOUND, INVALID_INPUT, PREMIUM_REQUIRED
 */
export function missDose(ctx: Ctx, id: string, input: PassDoseInput = {}): Promise<DoseRecord> {
  return markNotTaken(ctx, id, 'missed', input);
}

/** What is written when the last thing that its owner said about a dose is taken back. */
async function undoneChanges(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<DoseChanges> {
  const { scheduleId, before, dueDate } = dose;
  if (scheduleId === null) return { undoing: true };
  const status = before?.status ?? 'pending';
  const schedule = await ctx.repos.schedules.findOne(ownerId, scheduleId);
  const lead = schedule?.isActive === true ? schedule.reminderLeadMinutes : null;
  const reminder = lead === null ? {} : reminderAfterUndo({ status, dueDate }, lead, ctx.now());
  return {
    status,
    notes: before?.notes ?? null,
    before: null,
    takenAt: null,
    actualDose: null,
    site: null,
    nameKey: null,
    ...reminder,
  };
}

/**
 * Takes back the last thing that its owner said about a dose: it is what it was before, and what it drew is returned. A
 * dose that was logged without a schedule goes altogether.
 * @returns the dose, or null when it is gone
 * @throws AppError CONFLICT when there is nothing to undo, NOT_FOUND, PREMIUM_REQUIRED
 */
export async function undoDose(ctx: Ctx, id: string): Promise<DoseRecord | null> {
  const owner = await premiumOwner(ctx, 'dose.change');
  const { dose } = await changeDose(ctx, owner.id, id, async (found) => {
    if (mayUndo(transitionState(found)) !== 'ok') throw new AppError('CONFLICT', DOSE_MESSAGES.nothingToUndo);
    return { changes: await undoneChanges(ctx, owner.id, found), result: null };
  });
  return dose;
}

import { zoneName } from '#app/domain/time/time-zone.ts';
import { compareAndSet, LOST } from '#app/platform/compare-and-set.server.ts';
import { MINUTE_MS } from '#app/domain/time/durations.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import {
  DOSE_MESSAGES,
  type TakeDoseFields,
  passDoseSchema,
  takeDoseSchema,
  type PassDoseInput,
  type TakeDoseInput,
  logDoseSchema,
  type LogDoseFields,
  type LogDoseInput,
} from '#app/domain/doses/dose-schema.ts';
import type { DoseChanges, DoseRecord, DoseDraw } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { applyDoseEffects } from './dose-effects.server.ts';
import {
  doseInMg,
  doseInUnit,
  mcgQuestions,
  isDoseAmount,
  withTypedUnit,
} from '#app/domain/units/quantity.ts';
import {
  confirmedCodes,
  doseWarnings,
  type DoseWarning,
  unconfirmed,
  isTooSoon,
  usualSpacingMinutes,
} from '#app/domain/doses/dose-warnings.ts';
import { drawText } from '#app/domain/doses/draw-line.ts';
import type { SyringeId } from '#app/domain/calculator/calculation.ts';
import type { DrawPlan } from '#app/domain/vials/plan-draws.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import type { ScheduleDoseUnit } from '#app/domain/schedules/schedule-rule.ts';
import { readMoment, localDateTime } from '#app/domain/time/zoned-time.ts';
import { type PremiumOwner, premiumOwner } from '#app/platform/access/owner.server.ts';
import { amountKey, type Amount } from '#app/domain/doses/unusual-amounts.ts';
import { findAmountWarnings } from '#app/features/amounts/index.server.ts';
import { readBackOf, readBacks } from './read-back.server.ts';
import { planStockDraws } from '#app/features/vials/index.server.ts';
import {
  beforeChange,
  mayBecome,
  mayUndo,
  type ChangingDose,
  reminderAfterUndo,
} from '#app/domain/doses/dose.ts';
import { isOffTime } from '#app/domain/schedules/after-last.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { idFromKey } from '#app/platform/ids.server.ts';

/** The logged dose, or the warnings to confirm first; in that case nothing was written. */
export type TakeOutcome =
  | { done: true; dose: DoseRecord; warnings: DoseWarning[] }
  /** `askedAmount` is the amount that the question is about; see `amountKey`. */
  | { done: false; warnings: DoseWarning[]; askedAmount: string };

/**
 * Logs a dose as taken and draws it from stock. Of two simultaneous attempts one succeeds and one is refused.
 * @param input `confirmed` lists the warnings the person has accepted; a caller that cannot ask passes all of them
 * @param email the owner, when called from the terminal
 * @returns the dose with its warnings, or the warnings that still need confirming
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
  const { dose, result } = await changeDose<{ done: boolean; warnings: DoseWarning[]; askedAmount: string }>(
    ctx,
    owner.id,
    id,
    async (found) => {
      refuseTaken(found);
      const intake = readIntake(ctx, owner, found, fields);
      const { draws, warnings } = await planIntake(ctx, owner, intake);
      const askedAmount = keyOf(intake);
      if (isQuestion(warnings, askedAmount, fields))
        return { changes: null, result: { done: false, warnings, askedAmount } };
      const before = beforeChange(transitionState(found), 'taken');
      const changes = { ...takenChanges(found, intake, draws, fields), before };
      return { changes, result: { done: true, warnings, askedAmount } };
    },
  );
  const { done, warnings, askedAmount } = result;
  return done ? { done, warnings, dose: requirePresent(dose) } : { done, warnings, askedAmount };
}

/** What a yes to this intake's amount is about. */
const keyOf = ({ name, amount, doseUnit }: Intake): string =>
  amountKey(name, { text: amount, unit: doseUnit });

/** Whether something has to be confirmed before an intake of this amount is written. */
function isQuestion(
  warnings: readonly DoseWarning[],
  key: string,
  fields: Pick<TakeDoseFields, 'confirmed' | 'confirmedAmount'>,
): boolean {
  return unconfirmed(warnings, confirmedCodes(fields, key)).length > 0;
}

function refuseTaken(dose: DoseRecord): void {
  if (mayBecome(dose) !== 'ok') throw new AppError('DOSE_ALREADY_LOGGED', DOSE_MESSAGES.alreadyTaken);
}

/** How a dose is taken: how much, when and from which vial. */
export interface Intake {
  id: string;
  name: string;
  /** Decimal text in `doseUnit`. */
  amount: string;
  doseUnit: ScheduleDoseUnit;
  /** What its schedule says; null without one. */
  planned: Amount | null;
  takenAt: Date;
  scheduleId: string | null;
  /** What it is drawn with. */
  syringe: SyringeId;
  /** The vial the person chose, and the one the schedule prefers. */
  namedVial: string | null;
  preferredVial: string | null;
}

/** Tolerated difference between the clocks of a phone and the server. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/**
 * What the form says about a dose, completed from its plan.
 * @throws AppError INVALID_INPUT for an amount out of bounds, and for a time that is unreadable or in the future
 */
function readIntake(ctx: Ctx, owner: PremiumOwner, dose: DoseRecord, fields: TakeDoseFields): Intake {
  const amount =
    fields.actualDose === undefined ? dose.doseAmount : doseInUnit(fields.actualDose, dose.doseUnit);
  if (!isDoseAmount(amount, dose.doseUnit))
    throw invalidField('actualDose', DOSE_MESSAGES.amount, ...mcgQuestions(amount, dose.doseUnit));
  return {
    id: dose.id,
    name: dose.name,
    amount,
    doseUnit: dose.doseUnit,
    planned: plannedAmount(dose),
    takenAt: readTakenAt(ctx, owner, fields.takenAt),
    scheduleId: dose.scheduleId,
    syringe: owner.syringe,
    namedVial: fields.compoundId ?? null,
    preferredVial: dose.compoundId,
  };
}

/** What the schedule of a dose says; null for a dose without one. */
export function plannedAmount({ scheduleId, doseAmount, doseUnit }: DoseRecord): Amount | null {
  return scheduleId === null ? null : { text: doseAmount, unit: doseUnit };
}

function readTakenAt(ctx: Ctx, owner: PremiumOwner, text: string | undefined): Date {
  const now = ctx.now();
  if (text === undefined) return now;
  const at = readMoment(text, owner.timeZone, now);
  if (at === null) throw invalidField('takenAt', DOSE_MESSAGES.takenAt);
  if (at.getTime() > now.getTime() + CLOCK_SKEW_MS)
    throw invalidField('takenAt', futureMessage(owner.timeZone));
  return at;
}

const invalidField = (field: string, message: string, ...more: string[]) =>
  new AppError('INVALID_INPUT', message, { fields: { [field]: [message, ...more] } });

const futureMessage = (timeZone: string) =>
  `${DOSE_MESSAGES.future}. Your time zone is ${zoneName(timeZone)}; you can change it in your profile.`;

/** The vials an intake draws from, and what its owner should know first. */
interface IntakePlan {
  draws: DoseDraw[];
  warnings: DoseWarning[];
  /** What comes out of which vial, with its units. */
  plan: DrawPlan;
}

/**
 * Chooses the vials an intake is drawn from and collects its warnings. Writes nothing.
 * @throws AppError NOT_FOUND when the chosen vial is not the owner's, INVALID_INPUT when it is used up
 */
export async function planIntake(ctx: Ctx, owner: PremiumOwner, intake: Intake): Promise<IntakePlan> {
  const { id, name, amount, doseUnit, planned, takenAt, syringe, namedVial, preferredVial } = intake;
  const request = {
    name,
    syringe,
    doseMg: doseInMg(amount, doseUnit),
    compoundId: namedVial,
    preferredCompoundId: preferredVial,
  };
  const [plan, tooSoon] = await Promise.all([
    planStockDraws(ctx, owner.id, request),
    comesTooSoon(ctx, owner.id, intake),
  ]);
  const { leftMg, strength } = plan;
  const unusual = await findAmountWarnings(ctx, owner, {
    name,
    amount: { text: amount, unit: doseUnit },
    planned,
    takenAt,
    exceptId: id,
    leftMg,
    strength,
  });
  return {
    draws: plan.draws.map(({ compoundId, mg }) => ({ compoundId, mg })),
    warnings: doseWarnings(tooSoon, plan.warnings, unusual),
    plan,
  };
}

async function comesTooSoon(ctx: Ctx, ownerId: string, intake: Intake): Promise<boolean> {
  const { id, name, takenAt } = intake;
  const [spacing, { before, after }] = await Promise.all([
    usualSpacingOf(ctx, ownerId, intake),
    ctx.repos.doses.neighbours(ownerId, vialNameKey(name), takenAt, id),
  ]);
  return isTooSoon(takenAt, [before, after], spacing);
}

/**
 * The usual spacing of the dose's schedule, in minutes; without one, the closest spacing of active schedules of its
 * name.
 */
async function usualSpacingOf(ctx: Ctx, ownerId: string, intake: Intake): Promise<number | null> {
  const { scheduleId, name } = intake;
  if (scheduleId !== null) {
    const schedule = await ctx.repos.schedules.find(ownerId, scheduleId);
    return schedule === null ? null : usualSpacingMinutes(schedule);
  }
  const schedules = await ctx.repos.schedules.listActive(ownerId);
  const spacings = schedules
    .filter((schedule) => vialNameKey(schedule.name) === vialNameKey(name))
    .map(usualSpacingMinutes)
    .filter((minutes) => minutes !== null);
  return spacings.length === 0 ? null : Math.min(...spacings);
}

export function takenChanges(
  dose: DoseRecord,
  intake: Intake,
  draws: DoseDraw[],
  fields: Pick<TakeDoseFields, 'site' | 'notes'>,
): DoseChanges {
  return {
    status: 'taken',
    takenAt: intake.takenAt,
    actualDose: intake.amount,
    notes: fields.notes || null,
    site: fields.site ?? null,
    draws,
    syringe: intake.syringe,
    round: dose.round + 1,
    nameKey: vialNameKey(dose.name),
    remindAt: null,
    remindClaimedUntil: null,
    ...(dose.chain && { offTime: isOffTime(dose.dueDate, intake.takenAt, dose.chain.everyHours) }),
  };
}

const transitionState = ({ status, notes, before }: DoseRecord): ChangingDose => ({
  status,
  notes,
  before: before ?? null,
});

/** Two open tabs make one attempt fail; five failures mean that something keeps changing the dose. */
const ATTEMPTS = 5;

/** What to write, if anything, and what to tell the caller. */
type Decision<T> = { changes: DoseChanges; result: T } | { changes: null; result: T };

/**
 * Changes a dose by one atomic update from the state that `decide` saw, then applies the effects of the change. If the
 * dose changed in between, `decide` runs again on the new state.
 * @returns the dose as it is now (null if it was removed), and the result of `decide`
 * @throws AppError NOT_FOUND, CONFLICT when it keeps changing, and whatever `decide` throws
 */
export async function changeDose<T>(
  ctx: Ctx,
  ownerId: string,
  id: string,
  decide: (dose: DoseRecord) => Promise<Decision<T>> | Decision<T>,
): Promise<{ dose: DoseRecord | null; result: T }> {
  const round = async () => {
    const dose = await getCurrentDose(ctx, ownerId, id);
    const { changes, result } = await decide(dose);
    if (changes === null) return { dose, result };
    const written = { ...changes, actedAt: ctx.now(), stockDone: false };
    const changed = await ctx.repos.doses.compareAndSet(ownerId, id, dose.version, written);
    return changed === null ? LOST : { dose: await applyDoseEffects(ctx, ownerId, changed), result };
  };
  return compareAndSet<{ dose: DoseRecord | null; result: T }>(
    round,
    DOSE_MESSAGES.changedMeanwhile,
    ATTEMPTS,
  );
}

/**
 * One of an owner's doses, after finishing the effects of its last change if those were cut off.
 * @throws AppError NOT_FOUND, also for somebody else's dose
 */
async function getCurrentDose(ctx: Ctx, ownerId: string, id: string): Promise<DoseRecord> {
  const dose = await ctx.repos.doses.find(ownerId, id);
  return requirePresent(dose && (await applyDoseEffects(ctx, ownerId, dose)));
}

function requirePresent(dose: DoseRecord | null): DoseRecord {
  if (dose === null) throw new AppError('NOT_FOUND', DOSE_MESSAGES.notFound);
  return dose;
}

/**
 * Logs a dose that belongs to no schedule and draws it from stock. Undoing it removes it.
 * @param idempotencyKey identifies one submission: sent twice, it logs one dose
 * @param email the owner, when called from the terminal
 * @returns the dose with its warnings, or the warnings that still need confirming
 * @throws AppError INVALID_INPUT, PREMIUM_REQUIRED, NOT_FOUND (no such account), PLAN_LIMIT when the account is full
 */
export async function logDose(
  ctx: Ctx,
  input: LogDoseInput,
  { idempotencyKey, email }: { idempotencyKey?: string | undefined; email?: string | undefined } = {},
): Promise<TakeOutcome> {
  const owner = await premiumOwner(ctx, 'dose.change', email);
  const fields = withTypedUnit(parseInput(logDoseSchema, input), 'actualDose', 'doseUnit');
  const now = ctx.now();
  const draft = unscheduledDose(idFromKey('dose', now, owner.id, idempotencyKey), owner, fields, now);
  const intake = readIntake(ctx, owner, draft, fields);
  const { draws, warnings } = await planIntake(ctx, owner, intake);
  const askedAmount = keyOf(intake);
  if (isQuestion(warnings, askedAmount, fields)) return { done: false, warnings, askedAmount };
  const due = unscheduledDose(draft.id, owner, fields, intake.takenAt);
  const taken: DoseRecord = {
    ...due,
    ...takenChanges(due, intake, draws, fields),
    before: { status: 'pending', notes: null },
    actedAt: now,
    stockDone: false,
  };
  const findEarlier = () => ctx.repos.doses.find(owner.id, draft.id);
  await takeRows(ctx, { id: owner.id, isPremium: true }, { findEarlier });
  const { dose } = await ctx.repos.doses.createLogged(owner.id, taken);
  return { done: true, dose: requirePresent(await applyDoseEffects(ctx, owner.id, dose)), warnings };
}

/** What a dose without a schedule would be drawn from, before it is logged. */
export interface LogPreview {
  warnings: DoseWarning[];
  /** The amount that they are about; see `amountKey`. */
  askedAmount: string;
  /** "10 units (0.1 ml)"; null when no vial has a known concentration. */
  drawText: string | null;
  /** What changed since the last dose of the compound; null when nothing did. */
  readBack: string | null;
}

/**
 * What to draw for a dose without a schedule, what changed since the last one, and the warnings that logging it would
 * give. Writes nothing.
 * @throws AppError INVALID_INPUT, PREMIUM_REQUIRED, NOT_FOUND
 */
export async function previewLog(ctx: Ctx, input: LogDoseInput): Promise<LogPreview> {
  const owner = await premiumOwner(ctx, 'dose.read');
  const fields = withTypedUnit(parseInput(logDoseSchema, input), 'actualDose', 'doseUnit');
  const draft = unscheduledDose('', owner, fields, ctx.now());
  const intake = readIntake(ctx, owner, draft, fields);
  const { plan, warnings } = await planIntake(ctx, owner, intake);
  const amount = { text: intake.amount, unit: intake.doseUnit };
  const readBack = await readBackOf(ctx, owner, { name: intake.name, amount, plan });
  return { warnings, askedAmount: keyOf(intake), drawText: drawText(plan, intake.syringe), readBack };
}

/** A pending dose without a schedule, due at the time it is taken. */
function unscheduledDose(id: string, owner: PremiumOwner, fields: LogDoseFields, at: Date): DoseRecord {
  const [localDay = '', wallTime = ''] = localDateTime(at, owner.timeZone).split(' ');
  return {
    id,
    scheduleId: null,
    scheduleRevision: 0,
    name: fields.name,
    compoundId: null,
    localDay,
    wallTime,
    timeZone: owner.timeZone,
    dueDate: at,
    doseAmount: fields.actualDose,
    doseUnit: fields.doseUnit,
    route: fields.route || null,
    status: 'pending',
    takenAt: null,
    actualDose: null,
    notes: null,
    site: null,
    round: 0,
    draws: [],
    stockDone: true,
    remindAt: null,
    remindStage: 'due',
    remindCount: 0,
    remindClaimedUntil: null,
    version: 0,
  };
}

/**
 * Marks a dose as left out on purpose.
 * @throws AppError DOSE_ALREADY_LOGGED when it is taken, NOT_FOUND, INVALID_INPUT, PREMIUM_REQUIRED
 */
export function skipDose(ctx: Ctx, id: string, input: PassDoseInput = {}): Promise<DoseRecord> {
  return markNotTaken(ctx, id, 'skipped', input);
}

/**
 * Marks a dose as missed.
 * @throws AppError DOSE_ALREADY_LOGGED when it is taken, NOT_FOUND, INVALID_INPUT, PREMIUM_REQUIRED
 */
export function missDose(ctx: Ctx, id: string, input: PassDoseInput = {}): Promise<DoseRecord> {
  return markNotTaken(ctx, id, 'missed', input);
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

/**
 * Undoes the owner's last change of a dose: it becomes what it was before, and what it drew goes back into stock. A
 * dose
 * logged without a schedule is removed.
 * @param email the owner, when called from the terminal
 * @returns the dose, or null if it was removed
 * @throws AppError CONFLICT when there is nothing to undo, NOT_FOUND, PREMIUM_REQUIRED
 */
export async function undoDose(ctx: Ctx, id: string, email?: string): Promise<DoseRecord | null> {
  const owner = await premiumOwner(ctx, 'dose.change', email);
  const { dose } = await changeDose(ctx, owner.id, id, async (found) => {
    if (mayUndo(transitionState(found)) !== 'ok')
      throw conflict('NOTHING_TO_UNDO', DOSE_MESSAGES.nothingToUndo);
    return { changes: await undoneChanges(ctx, owner.id, found), result: null };
  });
  return dose;
}

async function undoneChanges(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<DoseChanges> {
  const { scheduleId, before, dueDate } = dose;
  if (scheduleId === null) return { undoing: true };
  const status = before?.status ?? 'pending';
  const schedule = await ctx.repos.schedules.find(ownerId, scheduleId);
  const lead = schedule?.isActive === true ? schedule.reminderLeadMinutes : null;
  const reminder = lead === null ? {} : reminderAfterUndo({ status, dueDate }, lead, ctx.now());
  return {
    status,
    notes: before?.notes ?? null,
    before: null,
    takenAt: null,
    actualDose: null,
    site: null,
    syringe: null,
    nameKey: null,
    ...(dose.chain && { offTime: null }),
    ...reminder,
  };
}

/**
 * @param email the owner, when called from the terminal
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED, UNAUTHENTICATED
 */
export async function getDose(ctx: Ctx, id: string, email?: string): Promise<DoseRecord> {
  const owner = await premiumOwner(ctx, 'dose.read', email);
  return getCurrentDose(ctx, owner.id, id);
}

/**
 * A dose with the warnings that taking it now as planned would give. Writes nothing.
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED
 */
export async function previewDose(
  ctx: Ctx,
  id: string,
): Promise<{ dose: DoseRecord; warnings: DoseWarning[]; readBack: string | null }> {
  const owner = await premiumOwner(ctx, 'dose.read');
  const dose = await getCurrentDose(ctx, owner.id, id);
  if (dose.status === 'taken') return { dose, warnings: [], readBack: null };
  const intake = readIntake(ctx, owner, dose, { confirmed: [] });
  const [{ warnings }, said] = await Promise.all([
    planIntake(ctx, owner, intake),
    ctx.repos.compounds.listActive(owner.id).then((vials) => readBacks(ctx, owner, [dose], vials)),
  ]);
  return { dose, warnings, readBack: said.get(id) ?? null };
}

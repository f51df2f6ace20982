import {
  zoneName,
  calendarDay,
  instantsOfDays,
  readMoment,
  localDateTime,
} from '#app/domain/time/zoned-time.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
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
  doseSizeMessages,
} from '#app/domain/doses/dose-schema.ts';
import type { DoseChanges, DoseRecord, DoseDraw, ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { applyDoseChange, applyDoseEffects, recordSite, type DoseChange } from './dose-effects.server.ts';
import { baseUnitText, doseInUnit, otherMeasureProblem, withTypedUnit } from '#app/domain/units/quantity.ts';
import {
  confirmedCodes,
  doseWarnings,
  type DoseWarning,
  unconfirmed,
  tooSoonWarning,
  usualSpacingMinutes,
  amountKey,
  type Amount,
  asNeededWarnings,
} from '#app/domain/doses/dose-warnings.ts';
import { COMPONENT_MESSAGES } from '#app/domain/calculator/components.ts';
import { drawTexts } from '#app/domain/doses/draw-line.ts';
import type { DrawPlan } from '#app/domain/vials/stock.ts';
import { type Blend, nameKeysOf } from '#app/domain/vials/contents.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { substanceUnitOf, type DoseUnit, type SyringeChoice } from '#app/domain/calculator/calculation.ts';
import { type PremiumOwner, premiumOwner } from '#app/platform/access/owner.server.ts';
import { findAmountWarnings } from '#app/features/amounts/index.server.ts';
import { readBackOf, readBacks } from './read-back.server.ts';
import { planStockDraws } from '#app/features/vials/index.server.ts';
import {
  beforeChange,
  mayBecome,
  mayUndo,
  type ChangingDose,
  reminderAhead,
} from '#app/domain/doses/dose.ts';
import { partOn, mayUndoMove } from '#app/domain/schedules/plan-changes.ts';
import { undoMove } from '#app/features/schedules/index.server.ts';
import { isOffTime } from '#app/domain/schedules/occurrences.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import type { SiteId } from '#app/domain/tracking/sites.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { repos } from './repositories.server.ts';

/** The logged dose, or the warnings to confirm first, in which case nothing was saved. */
export type TakeOutcome =
  | { done: true; dose: DoseRecord; warnings: DoseWarning[] }
  /** `askedAmount` is the amount to confirm; see `amountKey`. */
  | { done: false; warnings: DoseWarning[]; askedAmount: string };

/**
 * Logs a dose as taken and draws it from stock, in one act. Of two simultaneous attempts, one succeeds and one is rejected.
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
      const { draws, warnings, plan } = await planIntake(ctx, owner, intake);
      const askedAmount = keyOf(intake);
      if (isQuestion(warnings, askedAmount, fields))
        return { change: null, result: { done: false, warnings, askedAmount } };
      const before = beforeChange(transitionState(found), 'taken');
      const change = {
        ...takenChanges(found, intake, { draws, plan }, { ...fields, now: ctx.now() }),
        before,
      };
      return { change, result: { done: true, warnings, askedAmount } };
    },
  );
  const { done, warnings, askedAmount } = result;
  return done ? { done, warnings, dose: requirePresent(dose) } : { done, warnings, askedAmount };
}

/** Identifies the amount that a confirmation of this intake counts for. */
const keyOf = ({ name, amount, doseUnit }: Intake): string =>
  amountKey(name, { text: amount, unit: doseUnit });

/** Whether something has to be confirmed before this intake is saved. */
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
  doseUnit: DoseUnit;
  /** What its schedule says; null without one. */
  planned: Amount | null;
  takenAt: Date;
  scheduleId: string | null;
  /** The syringe it is drawn with. */
  syringe: SyringeChoice;
  /** The vial the person chose, and the one the schedule prefers. */
  namedVial: string | null;
  preferredVial: string | null;
  /** The blend its schedule expects in the vial; null for a single peptide, or without a schedule. */
  blend: Blend | null;
  /** For a blend, the component the amount is measured in; null for the schedule's, or the first. */
  doseOf: string | null;
}

/** Tolerated difference between the clocks of a phone and the server. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/**
 * The intake from the form's fields, with defaults from the dose.
 * @throws AppError INVALID_INPUT for an amount out of range, or a time that is unreadable or in the future
 */
function readIntake(
  ctx: Ctx,
  owner: PremiumOwner,
  dose: DoseRecord,
  fields: TakeDoseFields & Pick<Partial<LogDoseFields>, 'doseOf'>,
): Intake {
  const amount =
    fields.actualDose === undefined ? dose.doseAmount : doseInUnit(fields.actualDose, dose.doseUnit);
  const other = otherMeasureProblem(amount, dose.doseUnit);
  if (other !== null) throw fieldError('actualDose', other);
  const [problem, ...more] = doseSizeMessages(amount, dose.doseUnit);
  if (problem !== undefined) throw fieldError('actualDose', problem, { more });
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
    blend: dose.blend ?? null,
    doseOf: dose.blend?.doseOf ?? fields.doseOf ?? null,
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
  if (at === null) throw fieldError('takenAt', DOSE_MESSAGES.takenAt);
  if (at.getTime() > now.getTime() + CLOCK_SKEW_MS)
    throw fieldError('takenAt', futureMessage(owner.timeZone));
  return at;
}

const futureMessage = (timeZone: string) =>
  `${DOSE_MESSAGES.future}. Your time zone is ${zoneName(timeZone)}; you can change it in your profile.`;

/** The vials an intake draws from, and its warnings. */
export interface IntakePlan {
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
    doseOf: intake.doseOf,
    components: intake.blend?.components ?? null,
    syringe,
    doseMg: baseUnitText(amount, doseUnit),
    measure: substanceUnitOf(doseUnit),
    compoundId: namedVial,
    preferredCompoundId: preferredVial,
  };
  const plan = await planStockDraws(ctx, owner.id, request);
  const { leftMg, strength, container, blend } = plan;
  if (!plan.holdsDose) throw otherComponent(intake, blend);
  const pace = await paceWarnings(ctx, owner, intake, blend);
  const unusual = await findAmountWarnings(ctx, owner, {
    name,
    amount: { text: amount, unit: doseUnit },
    blend,
    planned,
    takenAt,
    exceptId: id,
    leftMg,
    strength,
    container,
  });
  return {
    draws: plan.draws.map(({ compoundId, mg, component }) => ({
      compoundId,
      mg,
      ...(component !== undefined && { component }),
    })),
    warnings: doseWarnings(pace, plan.warnings, unusual),
    plan,
  };
}

/**
 * The error for a vial without the dose's component: an amount of one component is never drawn as another. Reported at the
 * vial if a schedule sets the component, otherwise at the component.
 */
function otherComponent({ name, doseOf, blend: planned }: Intake, drawn: Blend | null): AppError {
  if (planned !== null)
    return fieldError('compoundId', `${COMPONENT_MESSAGES.doseOfOther}: ${doseOf ?? name}`);
  const names = (drawn?.components ?? [{ name }]).map((component) => component.name).join(', ');
  return fieldError('doseOf', `${COMPONENT_MESSAGES.doseOf}: ${names}`);
}

/**
 * Warnings if a dose is too soon after another one of the same name, or exceeds the daily maximum of an as-needed schedule.
 * For a blend, also if it is too soon after another dose containing one of its components.
 */
async function paceWarnings(
  ctx: Ctx,
  owner: PremiumOwner,
  intake: Intake,
  blend: Blend | null,
): Promise<DoseWarning[]> {
  const own = await plansOf(ctx, owner.id, intake);
  const found = await paceOf(ctx, owner, intake, { name: intake.name, plans: own });
  if (blend === null) return found;
  const active = await repos(ctx).schedules.listActive(owner.id);
  for (const { name } of blend.components) {
    if (vialNameKey(name) === vialNameKey(intake.name)) continue;
    const others = active.filter((schedule) => givesOn(schedule, intake.takenAt, name));
    const plans = [...own, ...others.filter(({ id }) => !own.some((plan) => plan.id === id))];
    found.push(
      ...(await paceOf(ctx, owner, intake, { name, plans })).map((one) => aboutComponent(one, name)),
    );
  }
  return found;
}

/** Whether a schedule contains a compound on the day of `at`, by its own name or as a component of its blend. */
function givesOn(schedule: ScheduleRecord, at: Date, component: string): boolean {
  const { name, blend } = partOn(schedule, calendarDay(at, schedule.timeZone));
  return [name, ...(blend?.components ?? []).map((one) => one.name)].some(
    (one) => vialNameKey(one) === vialNameKey(component),
  );
}

const aboutComponent = ({ code, message }: DoseWarning, name: string): DoseWarning => ({
  code,
  message: `${name}: ${message}`,
});

/** The same for a single compound name. @param plans the schedules that set how far apart its doses are */
async function paceOf(
  ctx: Ctx,
  owner: PremiumOwner,
  { id, takenAt }: Intake,
  { name, plans }: { name: string; plans: readonly ScheduleRecord[] },
): Promise<DoseWarning[]> {
  const nameKey = vialNameKey(name);
  const { before, after } = await repos(ctx).doses.neighbours(owner.id, nameKey, takenAt, id);
  const spacings = plans.map(usualSpacingMinutes).filter((minutes) => minutes !== null);
  const spacing = spacings.length === 0 ? null : Math.min(...spacings);
  const tooSoon = tooSoonWarning(takenAt, { before, after }, spacing);
  const usual = tooSoon === null ? [] : [tooSoon];
  const limits = plans.flatMap(({ frequency }) => (frequency.kind === 'as-needed' ? [frequency] : []));
  if (limits.length === 0) return usual;
  const around = {
    before,
    after,
    onDay: await countOnDay(ctx, owner, { nameKey, at: takenAt, exceptId: id }),
  };
  return [...usual, ...limits.flatMap((limit) => asNeededWarnings(limit, takenAt, around, owner.timeZone))];
}

/** How many doses of a compound were taken on the day of `at` in the owner's zone, not counting `exceptId`. */
export async function countOnDay(
  ctx: Ctx,
  owner: Pick<PremiumOwner, 'id' | 'timeZone'>,
  { nameKey, at, exceptId }: { nameKey: string; at: Date; exceptId: string },
): Promise<number> {
  const day = calendarDay(at, owner.timeZone);
  const { from, before } = instantsOfDays(day, day, owner.timeZone);
  const span = { from: from ?? at, before: before ?? at };
  return (await repos(ctx).doses.amountsBetween(owner.id, nameKey, span, exceptId)).length;
}

/** The schedule of a dose; without one, the active schedules that contain its compound. */
async function plansOf(
  ctx: Ctx,
  ownerId: string,
  { scheduleId, name, takenAt }: Intake,
): Promise<ScheduleRecord[]> {
  if (scheduleId !== null) {
    const schedule = await repos(ctx).schedules.find(ownerId, scheduleId);
    return schedule === null ? [] : [schedule];
  }
  const schedules = await repos(ctx).schedules.listActive(ownerId);
  return schedules.filter((schedule) => givesOn(schedule, takenAt, name));
}

/** The changes that mark a dose as taken. `now` is when it is logged. */
export function takenChanges(
  dose: DoseRecord,
  intake: Intake,
  { draws, plan }: { draws: DoseDraw[]; plan: Pick<DrawPlan, 'blend'> },
  { site, notes, now }: Pick<TakeDoseFields, 'site' | 'notes'> & { now: Date },
): DoseChanges {
  return {
    status: 'taken',
    takenAt: intake.takenAt,
    actualDose: intake.amount,
    notes: notes || null,
    site: site ?? null,
    draws,
    ...(plan.blend !== null && { drawn: plan.blend }),
    syringe: intake.syringe,
    // An undone dose can be removed and created again under the same id, and must not match its old ledger entries.
    round: Math.max(dose.round + 1, now.getTime()),
    ...nameKeysOf(dose.name, plan.blend),
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

/** What becomes of a dose, null for nothing, and the result for the caller. */
interface Decision<T> {
  change: DoseChange | null;
  result: T;
}

/**
 * Reads a dose, decides on a change and makes it with everything that follows from it, in one act.
 * @param decide only reads; may run again if somebody else changes what it read
 * @returns the dose as it is now (null if it was removed), and the result of `decide`
 * @throws AppError NOT_FOUND, and whatever `decide` throws
 */
export function changeDose<T>(
  ctx: Ctx,
  ownerId: string,
  id: string,
  decide: (dose: DoseRecord) => Promise<Decision<T>> | Decision<T>,
): Promise<{ dose: DoseRecord | null; result: T }> {
  return ctx.transaction(async () => {
    const found = await getOwnedDose(ctx, ownerId, id);
    const { change, result } = await decide(found);
    if (change === null) return { dose: found, result };
    const acted = change === 'removed' ? change : { ...change, actedAt: ctx.now() };
    return { dose: await applyDoseChange(ctx, ownerId, found, acted), result };
  });
}

/** @throws AppError NOT_FOUND, also for someone else's dose */
const getOwnedDose = async (ctx: Ctx, ownerId: string, id: string): Promise<DoseRecord> =>
  requirePresent(await repos(ctx).doses.find(ownerId, id));

function requirePresent(dose: DoseRecord | null): DoseRecord {
  if (dose === null) throw new AppError('NOT_FOUND', DOSE_MESSAGES.notFound);
  return dose;
}

/**
 * Logs a dose without a schedule and draws it from stock. Undoing it removes it.
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
  const id = idFromKey('dose', ctx.now(), owner.id, idempotencyKey);
  return logTaken(ctx, owner, fields, (at) => unscheduledDose(id, owner, fields, at));
}

/**
 * Creates a dose when it is taken, and draws it from stock, in one act. Undoing it removes it.
 * @param doseAt returns the pending dose, due when it is taken; its id is derived from the submission, so that sending it
 *   repeatedly creates one dose
 * @throws AppError INVALID_INPUT, NOT_FOUND (no such vial), PLAN_LIMIT when the account is full
 */
export async function logTaken(
  ctx: Ctx,
  owner: PremiumOwner,
  fields: TakeDoseFields,
  doseAt: (at: Date) => DoseRecord,
): Promise<TakeOutcome> {
  const now = ctx.now();
  const at = readTakenAt(ctx, owner, fields.takenAt);
  const due = doseAt(at);
  const intake = { ...readIntake(ctx, owner, due, fields), takenAt: at };
  const askedAmount = keyOf(intake);
  return ctx.transaction(async () => {
    const earlier = await repos(ctx).doses.find(owner.id, due.id);
    const { draws, warnings, plan } = await planIntake(ctx, owner, intake);
    if (earlier !== null) return { done: true, dose: earlier, warnings };
    if (isQuestion(warnings, askedAmount, fields)) return { done: false, warnings, askedAmount };
    const taken: DoseRecord = {
      ...due,
      ...takenChanges(due, intake, { draws, plan }, { ...fields, now }),
      before: { status: 'pending', notes: null },
      actedAt: now,
    };
    await takeRows(ctx, { id: owner.id, isPremium: true });
    await repos(ctx).doses.create(owner.id, taken);
    await applyDoseEffects(ctx, owner.id, taken);
    return { done: true, dose: taken, warnings };
  });
}

/** A preview of logging a dose without a schedule. */
export interface LogPreview {
  warnings: DoseWarning[];
  /** The amount the warnings are about; see `amountKey`. */
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
  return {
    warnings,
    askedAmount: keyOf(intake),
    drawText: drawTexts(plan, intake.syringe).drawText,
    readBack,
  };
}

/** A pending dose without a schedule, due at the time it is taken. */
function unscheduledDose(id: string, owner: PremiumOwner, fields: LogDoseFields, at: Date): DoseRecord {
  return doseDueAt(at, owner.timeZone, {
    id,
    name: fields.name,
    doseAmount: fields.actualDose,
    doseUnit: fields.doseUnit,
    route: fields.route || null,
  });
}

/** The fields of a dose that is created when it is taken. */
type MadeWhenTaken = Pick<DoseRecord, 'id' | 'name' | 'doseAmount' | 'doseUnit' | 'route'> &
  Partial<Pick<DoseRecord, 'scheduleId' | 'scheduleRevision' | 'compoundId' | 'blend' | 'asNeeded'>>;

/** A pending dose that is due at a given time, for a dose that is created when it is taken. */
export function doseDueAt(at: Date, timeZone: string, facts: MadeWhenTaken): DoseRecord {
  const [localDay = '', wallTime = ''] = localDateTime(at, timeZone).split(' ');
  return {
    scheduleId: null,
    scheduleRevision: 0,
    compoundId: null,
    localDay,
    wallTime,
    timeZone,
    dueDate: at,
    status: 'pending',
    takenAt: null,
    actualDose: null,
    notes: null,
    site: null,
    round: 0,
    draws: [],
    remindAt: null,
    remindStage: 'due',
    remindCount: 0,
    remindClaimedUntil: null,
    version: 0,
    ...facts,
  };
}

/**
 * Marks a dose as skipped on purpose.
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
    return { change: notTakenChanges(found, status, notes), result: null };
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
 * Logs where a taken dose was injected, or changes it.
 * @throws AppError INVALID_INPUT when the dose is not taken, NOT_FOUND, PREMIUM_REQUIRED
 */
export async function setDoseSite(ctx: Ctx, id: string, site: SiteId): Promise<DoseRecord> {
  const owner = await premiumOwner(ctx, 'dose.change');
  return ctx.transaction(async () => {
    const { status } = await getOwnedDose(ctx, owner.id, id);
    if (status !== 'taken') throw fieldError('site', DOSE_MESSAGES.siteOfTaken);
    const dose = requirePresent(await repos(ctx).doses.change(owner.id, id, { site }));
    await recordSite(ctx, owner.id, dose);
    return dose;
  });
}

/**
 * Undoes the owner's last change to a dose: it returns to its previous state, and what was drawn goes back into stock; a moved
 * dose returns to its earlier time. A dose logged without a schedule, or taken as needed, is removed.
 * @param email the owner, when called from the terminal
 * @returns the dose, or null if it was removed
 * @throws AppError CONFLICT when there is nothing to undo, NOT_FOUND, PREMIUM_REQUIRED
 */
export async function undoDose(ctx: Ctx, id: string, email?: string): Promise<DoseRecord | null> {
  const owner = await premiumOwner(ctx, 'dose.change', email);
  return ctx.transaction(async () => {
    const current = await getOwnedDose(ctx, owner.id, id);
    if (mayUndo(transitionState(current)) !== 'ok' && mayUndoMove(current)) return undoMove(ctx, id, email);
    const { dose } = await changeDose(ctx, owner.id, id, async (found) => {
      if (mayUndo(transitionState(found)) !== 'ok')
        throw conflict('NOTHING_TO_UNDO', DOSE_MESSAGES.nothingToUndo);
      return { change: await undoneChange(ctx, owner.id, found), result: null };
    });
    return dose;
  });
}

async function undoneChange(ctx: Ctx, ownerId: string, dose: DoseRecord): Promise<DoseChange> {
  const { scheduleId, before, dueDate } = dose;
  if (scheduleId === null || dose.asNeeded === true) return 'removed';
  const status = before?.status ?? 'pending';
  const schedule = await repos(ctx).schedules.find(ownerId, scheduleId);
  const lead = schedule?.isActive === true ? schedule.reminderLeadMinutes : null;
  const reminder = lead === null ? {} : reminderAhead({ status, dueDate }, lead, ctx.now());
  return {
    status,
    notes: before?.notes ?? null,
    before: null,
    takenAt: null,
    actualDose: null,
    site: null,
    draws: [],
    syringe: null,
    nameKey: null,
    ...(dose.drawn && { drawn: null, nameKeys: null }),
    ...(dose.chain && { offTime: null }),
    ...reminder,
  };
}

/** What taking a dose now as planned would draw, and its warnings. Writes nothing. */
export function previewIntake(ctx: Ctx, owner: PremiumOwner, dose: DoseRecord): Promise<IntakePlan> {
  return planIntake(ctx, owner, readIntake(ctx, owner, dose, { confirmed: [] }));
}

/**
 * @param email the owner, when called from the terminal
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED, UNAUTHENTICATED
 */
export async function getDose(ctx: Ctx, id: string, email?: string): Promise<DoseRecord> {
  const owner = await premiumOwner(ctx, 'dose.read', email);
  return getOwnedDose(ctx, owner.id, id);
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
  const dose = await getOwnedDose(ctx, owner.id, id);
  if (dose.status === 'taken') return { dose, warnings: [], readBack: null };
  const [{ warnings }, readBackTexts] = await Promise.all([
    previewIntake(ctx, owner, dose),
    repos(ctx)
      .vials.listActive(owner.id)
      .then((vials) => readBacks(ctx, owner, [dose], vials)),
  ]);
  return { dose, warnings, readBack: readBackTexts.get(id) ?? null };
}

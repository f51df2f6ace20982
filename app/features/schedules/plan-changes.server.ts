import { isTooSoon, usualSpacingMinutes } from '#app/domain/doses/dose-warnings.ts';
import { AppError, conflict, fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  moveDoseSchema,
  type MoveDoseInput,
  SWAP_MESSAGES,
  swapSchema,
  type SwapInput,
} from '#app/domain/schedules/plan-change-schema.ts';
import {
  activeMoves,
  clockDistance,
  keptMoves,
  MAX_SHIFT_DAYS,
  moveKey,
  moveToUndo,
  type DoseKey,
  type MoveScope,
  type ScheduleMove,
  MOVE_DAYS,
  MOVE_MESSAGES,
  pauseOn,
  PAUSE_MESSAGES,
  withoutPause,
  withPause,
  type PlannedPause,
  isSamePart,
  MAX_SWAPS,
  partOn,
  withSwap,
  type ScheduleSwap,
} from '#app/domain/schedules/plan-changes.ts';
import {
  dosesToMake,
  occurrenceOf,
  occurrences,
  plannedKey,
  firstOccurrences,
} from '#app/domain/schedules/occurrences.ts';
import { DAY_MS, MINUTE_MS, isCalendarDay } from '#app/domain/time/calendar.ts';
import { calendarDay, readMoment, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner, type PremiumOwner } from '#app/platform/access/owner.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { generateDoses, keyOfDose, blendOfPlan, listDosesLeft } from './dose-generation.server.ts';
import { pauseSchema, type PauseInput } from '#app/domain/schedules/pause-schema.ts';
import {
  getOwnedSchedule,
  changeSchedule,
  scheduleView,
  type ScheduleView,
  askAboutPlan,
  isAnswered,
  requireUsableVial,
} from './schedules.server.ts';
import { isDoseTooLarge, SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import { doseInUnit, mcgQuestions, otherMeasureProblem } from '#app/domain/units/quantity.ts';
import { findComponent } from '#app/domain/calculator/components.ts';
import type { Blend } from '#app/domain/vials/contents.ts';
import { vialNameKey, type Vial } from '#app/domain/vials/vial.ts';
import { repos } from './repositories.server.ts';

/** The old and new time of a dose in the preview of a move. */
interface MovedPreview {
  from: Date;
  to: Date;
}

/** What a move would do. */
export interface MovePreview {
  dose: DoseRecord;
  scope: MoveScope;
  /** The first of the doses that move, in the order of their new times. */
  doses: MovedPreview[];
  /** When another dose of the schedule is due, if it is less than half the usual interval away. */
  tooCloseTo: Date | null;
}

/** Maximum number of doses in a preview. */
const PREVIEWED = 7;

/**
 * What moving a dose would do. Writes nothing.
 * @param email the owner, when called from the terminal
 * @throws AppError as {@link moveDose}
 */
export async function previewMove(
  ctx: Ctx,
  id: string,
  input: MoveDoseInput,
  email?: string,
): Promise<MovePreview> {
  const owner = await premiumOwner(ctx, 'dose.read', email);
  const { dose, schedule, move } = await planMove(ctx, owner, id, input);
  const key = moveKey(keyOfDose(dose));
  if (schedule.frequency.kind === 'after-last')
    return { dose, scope: move.scope, doses: [{ from: move.from, to: move.to }], tooCloseTo: null };
  const moved = withMove(schedule, move);
  const near = { from: new Date(move.to.getTime() - MOVE_DAYS * DAY_MS), to: daysAfter(move.to, MOVE_DAYS) };
  const found = occurrences(moved, near);
  // What was logged before its time keeps that time.
  const logged = await listDosesLeft(ctx, schedule, near.from, ({ status }) => status !== 'pending');
  const left = new Set(logged.map(moveKey));
  const others = found.filter((one) => moveKey(plannedKey(one)) !== key).map(({ dueDate }) => dueDate);
  const before = others.findLast((dueDate) => dueDate <= move.to) ?? null;
  const after = others.find((dueDate) => dueDate > move.to) ?? null;
  const spacing = usualSpacingMinutes(schedule);
  return {
    dose,
    scope: move.scope,
    doses: found
      .filter((one) => !left.has(moveKey(plannedKey(one))))
      .flatMap((one) => {
        const from = occurrenceOf(schedule, plannedKey(one))?.dueDate ?? move.from;
        const isMoved = from.getTime() !== one.dueDate.getTime();
        return isMoved ? [{ from, to: one.dueDate }] : [];
      })
      .slice(0, PREVIEWED),
    tooCloseTo: [before, after].find((other) => isTooSoon(move.to, [other], spacing)) ?? null,
  };
}

/**
 * Moves a pending dose, on its own or with all doses after it, which then shift by the same local time. The dose keeps its id,
 * and regenerating doses keeps the move. Undo reverses it.
 * @param input `dueDate` is an instant, or local time in the owner's zone
 * @param email the owner, when called from the terminal
 * @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT when it is logged or not planned, PREMIUM_REQUIRED
 */
export async function moveDose(
  ctx: Ctx,
  id: string,
  input: MoveDoseInput,
  email?: string,
): Promise<DoseRecord> {
  const owner = await premiumOwner(ctx, 'dose.change', email);
  return changeMoves(ctx, owner, id, async () => {
    const { schedule, move } = await planMove(ctx, owner, id, input);
    return { schedule, moves: withMove(schedule, move).moves };
  });
}

/**
 * Undoes the last move of a dose: it and the doses that moved with it return to their earlier times.
 * @param email the owner, when called from the terminal
 * @throws AppError CONFLICT when there is none, NOT_FOUND, PREMIUM_REQUIRED
 */
export async function undoMove(ctx: Ctx, id: string, email?: string): Promise<DoseRecord> {
  const owner = await premiumOwner(ctx, 'dose.change', email);
  return changeMoves(ctx, owner, id, async () => {
    const { dose, schedule } = await readMovable(ctx, owner, id);
    const moves = schedule.moves ?? [];
    const last = moveToUndo(moves, moveKey(keyOfDose(dose)));
    if (last === null) throw conflict('NOTHING_TO_UNDO', NOTHING_TO_UNDO);
    const undoneAt = ctx.now();
    return { schedule, moves: moves.map((move) => (move.id === last.id ? { ...move, undoneAt } : move)) };
  });
}

const NOTHING_TO_UNDO = 'There is nothing to undo.';

/** Saves the moves of a schedule and updates its doses, in one act. @returns the dose afterwards */
function changeMoves(
  ctx: Ctx,
  owner: PremiumOwner,
  doseId: string,
  decide: () => Promise<{ schedule: ScheduleRecord; moves: ScheduleMove[] }>,
): Promise<DoseRecord> {
  return ctx.transaction(async () => {
    const { schedule, moves } = await decide();
    const now = ctx.now();
    const changes = { moves: keptMoves(moves, now), updatedAt: now };
    await repos(ctx).schedules.revise(owner.id, schedule.id, changes);
    await generateDoses(ctx, owner.id, schedule.id, now);
    const dose = await repos(ctx).doses.find(owner.id, doseId);
    if (dose === null) throw doseNotFound();
    return dose;
  });
}

const daysAfter = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY_MS);
const doseNotFound = () => new AppError('NOT_FOUND', 'Dose not found.');
const invalidTime = (message: string) => fieldError('dueDate', message);

const withMove = (schedule: ScheduleRecord, move: ScheduleMove) => ({
  ...schedule,
  moves: [...(schedule.moves ?? []), move],
});

/** @throws AppError NOT_FOUND, CONFLICT */
async function readMovable(
  ctx: Ctx,
  owner: PremiumOwner,
  id: string,
): Promise<{ dose: DoseRecord; schedule: ScheduleRecord }> {
  const dose = await repos(ctx).doses.find(owner.id, id);
  if (dose === null) throw doseNotFound();
  if (dose.scheduleId === null) throw conflict('WRONG_STATE', MOVE_MESSAGES.unplanned);
  if (dose.status !== 'pending') throw conflict('WRONG_STATE', MOVE_MESSAGES.notPending);
  const schedule = await repos(ctx).schedules.find(owner.id, dose.scheduleId);
  if (schedule === null) throw conflict('WRONG_STATE', MOVE_MESSAGES.unplanned);
  if (!schedule.isActive) throw conflict('WRONG_STATE', MOVE_MESSAGES.paused);
  return { dose, schedule };
}

/** The requested move. @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT */
async function planMove(
  ctx: Ctx,
  owner: PremiumOwner,
  id: string,
  input: MoveDoseInput,
): Promise<{ dose: DoseRecord; schedule: ScheduleRecord; move: ScheduleMove }> {
  const fields = parseInput(moveDoseSchema, input);
  const { dose, schedule } = await readMovable(ctx, owner, id);
  const now = ctx.now();
  const to = readMoment(fields.dueDate, owner.timeZone, now);
  if (to === null) throw invalidTime(MOVE_MESSAGES.dueDate);
  if (to.getTime() < now.getTime() - MINUTE_MS) throw invalidTime(MOVE_MESSAGES.past);
  if (to > daysAfter(now, MOVE_DAYS)) throw invalidTime(MOVE_MESSAGES.tooFar);
  if (to.getTime() === dose.dueDate.getTime()) throw invalidTime(MOVE_MESSAGES.unchanged);
  const key = keyOfDose(dose);
  const isChain = schedule.frequency.kind === 'after-last';
  // If it counts from the last dose, later doses follow the moved one anyway.
  const scope = isChain || schedule.frequency.kind === 'once' ? 'this' : fields.scope;
  const isOfPlan = isChain || occurrenceOf({ ...schedule, moves: null }, key) !== null;
  const move: ScheduleMove = {
    id: newId(now),
    key: moveKey(key),
    scope,
    from: dose.dueDate,
    to,
    ...(scope === 'following' ? clockDistance(dose.dueDate, to, schedule.timeZone) : { days: 0, minutes: 0 }),
    doseAmount: isOfPlan ? null : dose.doseAmount,
    madeAt: now,
    undoneAt: null,
  };
  if (pauseOn(schedule.pauses, calendarDay(to, schedule.timeZone)) !== null)
    throw invalidTime(MOVE_MESSAGES.pausedThen);
  if (!isChain) checkPlace(schedule, key, move);
  return { dose, schedule, move };
}

/** Rejects a move that makes two doses due at once, or changes the order of doses. */
function checkPlace(schedule: ScheduleRecord, key: DoseKey, move: ScheduleMove): void {
  const moved = withMove(schedule, move);
  const shift = activeMoves(moved.moves);
  if (shift !== null && Math.max(shift.latestDays, shift.earliestDays) > MAX_SHIFT_DAYS)
    throw invalidTime(MOVE_MESSAGES.tooFar);
  const isBack = move.scope === 'following' && move.to < move.from;
  const near = { from: move.to, to: isBack ? move.from : new Date(move.to.getTime() + 1) };
  for (const other of occurrences(moved, near)) {
    const name = moveKey(plannedKey(other));
    if (name === moveKey(key)) continue;
    if (isBack && name < moveKey(key)) throw invalidTime(MOVE_MESSAGES.order);
    if (other.dueDate.getTime() === move.to.getTime()) throw invalidTime(MOVE_MESSAGES.occupied);
  }
}

const beginningOn = ({ pauses }: ScheduleRecord, firstDay: string): PlannedPause | null =>
  (pauses ?? []).find((pause) => pause.firstDay === firstDay) ?? null;

/**
 * Plans or changes a pause of a schedule: no doses are due from its first day to its last, both included, in the schedule's
 * zone; then the schedule resumes by itself. Pending doses on these days are removed, logged ones stay.
 * @param beginning the first day (YYYY-MM-DD) of the pause to change; if no pause begins then, one is added
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT at `firstDay` or `lastDay`, CONFLICT
 */
export async function savePause(
  ctx: Ctx,
  id: string,
  input: PauseInput,
  beginning: string | null = null,
  email?: string,
): Promise<ScheduleView> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  return changeSchedule(ctx, owner.id, id, (before) => {
    if (beginning !== null && !isCalendarDay(beginning))
      throw new AppError('NOT_FOUND', PAUSE_MESSAGES.notFound);
    const pause = parseInput(pauseSchema, input);
    const replaced = beginningOn(before, beginning ?? pause.firstDay);
    if (replaced?.firstDay === pause.firstDay && replaced.lastDay === pause.lastDay) return null;
    const today = calendarDay(ctx.now(), before.timeZone);
    const change = withPause(before.pauses, pause, replaced, today);
    if ('pauses' in change) return { pauses: change.pauses };
    throw fieldError(change.field, change.problem);
  });
}

/**
 * Ends a pause of a schedule: a current pause ends as of yesterday, so that today's doses from now on are due again; a future
 * one is removed.
 * @param firstDay of the pause, YYYY-MM-DD
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND when no pause begins on this day, CONFLICT when it is over
 */
export async function endPause(
  ctx: Ctx,
  id: string,
  firstDay: string,
  email?: string,
): Promise<ScheduleView> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  return changeSchedule(ctx, owner.id, id, (before) => {
    const pause = beginningOn(before, firstDay);
    if (pause === null) throw new AppError('NOT_FOUND', PAUSE_MESSAGES.notFound);
    const pauses = withoutPause(before.pauses, pause, calendarDay(ctx.now(), before.timeZone));
    if (pauses === null) throw conflict('WRONG_STATE', PAUSE_MESSAGES.over);
    return { pauses };
  });
}

/** A dose before and after a swap. Amounts are decimal text in the schedule's unit. */
interface SwappedDose {
  dueDate: Date;
  before: SwappedPart;
  after: SwappedPart;
}

/** The compound, vial and amount of a dose; `blend` is absent for a single peptide. */
interface SwappedPart {
  name: string;
  compoundId: string | null;
  doseAmount: string;
  blend?: Blend;
}

/** What a swap would do. */
export interface SwapPreview {
  schedule: ScheduleView;
  swap: ScheduleSwap;
  /** The first doses that change; none for an as-needed schedule. */
  doses: SwappedDose[];
}

/**
 * Previews a change of compound, vial or dose from a day on. Writes nothing.
 * @param email the owner, when called from the terminal
 * @throws AppError as {@link swapSchedule}, but for CONFIRM_DOSE and CONFLICT
 */
export async function previewSwap(
  ctx: Ctx,
  id: string,
  input: SwapInput,
  email?: string,
): Promise<SwapPreview> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  const before = await getOwnedSchedule(ctx, owner.id, id);
  const { swap } = await planSwap(ctx, owner.id, before, input);
  const after = { ...before, swaps: withSwap(before.swaps, swap) };
  const start = instantsOfDays(swap.fromDay, swap.fromDay, before.timeZone).from ?? ctx.now();
  const from = start > ctx.now() ? start : ctx.now();
  const isLeft = ({ status, dueDate }: DoseRecord) => status !== 'pending' || dueDate <= ctx.now();
  const left = await listDosesLeft(ctx, before, from, isLeft);
  const ahead = firstOccurrences(after, from, PREVIEWED + left.length);
  const old = new Map(
    firstOccurrences(before, from, ahead.length).map((one) => [moveKey(plannedKey(one)), one.doseAmount]),
  );
  const partAt = (schedule: ScheduleRecord, day: string, doseAmount: string) => {
    const { name, compoundId, blend } = partOn(schedule, day);
    return { name, compoundId, doseAmount, ...(blend && { blend }) };
  };
  const doses = dosesToMake(ahead, left, before.times.length).map((one) => ({
    dueDate: one.dueDate,
    before: partAt(before, one.localDay, old.get(moveKey(plannedKey(one))) ?? one.doseAmount),
    after: partAt(after, one.localDay, one.doseAmount),
  }));
  // From the day of a later change on, both are the same.
  const changed = doses.filter((dose) => JSON.stringify(dose.before) !== JSON.stringify(dose.after));
  return { schedule: scheduleView(before, ctx.now()), swap, doses: changed.slice(0, PREVIEWED) };
}

/**
 * Changes a schedule's compound, vial or dose from a day on. Earlier and logged doses stay as they are; pending ones from then
 * on are recreated. Replaces another swap on the same day.
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, CONFLICT; CONFIRM_DOSE for an unusual amount, unless it is
 *   confirmed
 */
export async function swapSchedule(
  ctx: Ctx,
  id: string,
  input: SwapInput,
  email?: string,
): Promise<ScheduleView> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  return changeSchedule(ctx, owner.id, id, async (before) => {
    const { swap, vial, answer } = await planSwap(ctx, owner.id, before, input);
    const swaps = withSwap(before.swaps, swap);
    const [old, plan] = [partOn(before, swap.fromDay), partOn({ ...before, swaps }, swap.fromDay)];
    const isOther = vialNameKey(old.name) !== vialNameKey(plan.name);
    if (!isAnswered(answer, plan))
      await askAboutPlan(ctx, owner, { facts: plan, before: isOther ? null : old, vial });
    return { swaps };
  });
}

/**
 * Undoes a swap: pending doses from now on are as if it had not been made. Logged ones stay.
 * @param email the owner, when called from the terminal
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, CONFLICT
 */
export async function undoSwap(ctx: Ctx, id: string, swapId: string, email?: string): Promise<ScheduleView> {
  const owner = await premiumOwner(ctx, 'schedule.manage', email);
  return changeSchedule(ctx, owner.id, id, ({ swaps: before }) => {
    const swaps = (before ?? []).filter((swap) => swap.id !== swapId);
    if (swaps.length === (before ?? []).length) throw new AppError('NOT_FOUND', SWAP_MESSAGES.notFound);
    return { swaps };
  });
}

/** The requested swap. @throws AppError NOT_FOUND, INVALID_INPUT */
async function planSwap(ctx: Ctx, ownerId: string, before: ScheduleRecord, input: SwapInput) {
  const { doseAmount: typed } = input;
  const inUnit = typeof typed === 'string' ? doseInUnit(typed, before.doseUnit) : typed;
  const other = typeof inUnit === 'string' ? otherMeasureProblem(inUnit, before.doseUnit) : null;
  if (other !== null) throw fieldError('doseAmount', other);
  const { name, compoundId, doseAmount, fromDay, ...answer } = parseInput(swapSchema, {
    ...input,
    doseAmount: inUnit,
  });
  if (fromDay < calendarDay(ctx.now(), before.timeZone)) throw fieldError('fromDay', SWAP_MESSAGES.past);
  if (doseAmount !== undefined && isDoseTooLarge(doseAmount, before.doseUnit))
    throw fieldError('doseAmount', SCHEDULE_MESSAGES.doseTooLarge, {
      more: mcgQuestions(doseAmount, before.doseUnit),
    });
  const old = partOn(before, fromDay);
  const vial =
    compoundId === undefined ? null : await requireUsableVial(ctx, ownerId, compoundId, before.doseUnit);
  const newName = name ?? vial?.name ?? old.name;
  if (vial !== null && vialNameKey(vial.name) !== vialNameKey(newName))
    throw fieldError('compoundId', SWAP_MESSAGES.otherName(vial.name));
  const keptVial = vial?.id ?? vialOf(old, newName, input.compoundId === undefined);
  const swap: ScheduleSwap = {
    id: newId(ctx.now()),
    fromDay,
    name: newName,
    compoundId: keptVial,
    blend: await blendAfter(ctx, ownerId, old, { name: newName, compoundId: keptVial, vial }),
    // A dose set by an earlier swap stays in force.
    doseAmount: doseAmount ?? (old === before ? null : ownDose(before, old)),
    madeAt: ctx.now(),
  };
  const swaps = withSwap(before.swaps, swap);
  if (isSamePart(old, partOn({ ...before, swaps }, fromDay))) throw fieldError('name', SWAP_MESSAGES.nothing);
  if (swaps.length > MAX_SWAPS) throw fieldError('fromDay', SWAP_MESSAGES.tooMany);
  return { swap, vial: vial as Vial | null, answer };
}

/** The vial of a swap that names none: the previous one, if the compound stays the same. */
function vialOf(old: ScheduleRecord, newName: string, isKept: boolean): string | null {
  return isKept && vialNameKey(newName) === vialNameKey(old.name) ? old.compoundId : null;
}

/**
 * The blend after a swap, if any: unchanged if vial and compound stay; otherwise that of the new ones, dosed by the same
 * component if they contain it.
 */
async function blendAfter(
  ctx: Ctx,
  ownerId: string,
  old: ScheduleRecord,
  { name, compoundId, vial }: { name: string; compoundId: string | null; vial: Vial | null },
): Promise<Blend | null> {
  if (compoundId === old.compoundId && vialNameKey(name) === vialNameKey(old.name)) return old.blend ?? null;
  const blend = await blendOfPlan(ctx, ownerId, { name }, vial);
  if (blend === null || !old.blend) return blend;
  const at = findComponent(blend.components, old.blend.doseOf);
  return { ...blend, doseOf: blend.components[at]?.name ?? blend.doseOf };
}

/** The dose set by an earlier swap; null if the schedule's own dose still applies. */
const ownDose = (before: ScheduleRecord, part: ScheduleRecord): string | null =>
  part.doseAmount === before.doseAmount && part.ramp === before.ramp ? null : part.doseAmount;

import { isTooSoon, usualSpacingMinutes } from '#app/domain/doses/dose-warnings.ts';
import { AppError, conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { moveDoseSchema, type MoveDoseInput } from '#app/domain/schedules/move-schema.ts';
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
} from '#app/domain/schedules/moves.ts';
import { pauseOn } from '#app/domain/schedules/pauses.ts';
import { occurrenceOf, occurrences, plannedKey } from '#app/domain/schedules/occurrences.ts';
import { DAY_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { calendarDay, readMoment } from '#app/domain/time/zoned-time.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner, type PremiumOwner } from '#app/platform/access/owner.server.ts';
import { compareAndSet, LOST } from '#app/platform/compare-and-set.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { generateDoses, keyOfDose } from './dose-generation.server.ts';

/** A dose that a move would re-time. */
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
  /** When the nearest other dose of the schedule is due, if that is less than half the usual time away. */
  tooCloseTo: Date | null;
}

/** Most doses that a preview lists. */
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
  const others = found.filter((one) => moveKey(plannedKey(one)) !== key).map(({ dueDate }) => dueDate);
  const before = others.findLast((dueDate) => dueDate <= move.to) ?? null;
  const after = others.find((dueDate) => dueDate > move.to) ?? null;
  const spacing = usualSpacingMinutes(schedule);
  return {
    dose,
    scope: move.scope,
    doses: found
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
 * Moves a dose that is not logged yet, alone or with all doses after it, which then go as far on the clock. It stays the
 * same dose: whatever makes doses later finds it where it was moved to. Undo takes the move back.
 * @param input `dueDate` is an instant, or wall-clock time in the owner's zone
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
 * Takes the last move of a dose back: it and the doses that moved with it are due when they were before.
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

/** Attempts while the schedule keeps changing. */
const ATTEMPTS = 5;

/** Writes the moves of a schedule and re-times its doses. @returns the dose as it is then */
async function changeMoves(
  ctx: Ctx,
  owner: PremiumOwner,
  doseId: string,
  decide: () => Promise<{ schedule: ScheduleRecord; moves: ScheduleMove[] }>,
): Promise<DoseRecord> {
  return compareAndSet<DoseRecord>(
    async () => {
      const { schedule, moves } = await decide();
      const now = ctx.now();
      // Made until now only: should this request be cut off, a worker makes the rest.
      const changes = { moves: keptMoves(moves, now), updatedAt: now, madeUntil: now };
      const revised = await ctx.repos.schedules.revise(owner.id, schedule.id, schedule.revision, changes);
      if (revised === null) return LOST;
      await generateDoses(ctx, owner.id, schedule.id, now);
      const dose = await ctx.repos.doses.find(owner.id, doseId);
      if (dose === null) throw doseNotFound();
      return dose;
    },
    'This schedule was just changed somewhere else. Check it and try again.',
    ATTEMPTS,
  );
}

const daysAfter = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY_MS);
const doseNotFound = () => new AppError('NOT_FOUND', 'Dose not found.');
const invalidTime = (message: string) =>
  new AppError('INVALID_INPUT', message, { fields: { dueDate: [message] } });

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
  const dose = await ctx.repos.doses.find(owner.id, id);
  if (dose === null) throw doseNotFound();
  if (dose.scheduleId === null) throw conflict('WRONG_STATE', MOVE_MESSAGES.unplanned);
  if (dose.status !== 'pending') throw conflict('WRONG_STATE', MOVE_MESSAGES.notPending);
  const schedule = await ctx.repos.schedules.find(owner.id, dose.scheduleId);
  if (schedule === null) throw conflict('WRONG_STATE', MOVE_MESSAGES.unplanned);
  if (!schedule.isActive) throw conflict('WRONG_STATE', MOVE_MESSAGES.paused);
  return { dose, schedule };
}

/** The move that is asked for. @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT */
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
  // What counts from the last dose follows the one that moves in any case.
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

/** Two doses of a schedule are never due at once, and those after a dose stay after those before it. */
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

import { dayNumber, DAY_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import {
  chainStep,
  type ChainDue,
  type ChainPlan,
  doseOnDay,
  dosesToMake,
  isOverBy,
  occurrenceOf,
  occurrences,
  nextOccurrence,
  plannedKey,
} from '#app/domain/schedules/occurrences.ts';
import { reminderAhead } from '#app/domain/doses/dose.ts';
import {
  activeMoves,
  chainKey,
  doseKeyOf,
  moveHistory,
  moveKey,
  type DoseKey,
  pauseOn,
  partOn,
  swapOn,
} from '#app/domain/schedules/plan-changes.ts';
import type { Occurrence } from '#app/domain/schedules/schedule-rule.ts';
import { calendarDay, instantsOfDays, localDateTime } from '#app/domain/time/zoned-time.ts';
import { afterCommit, isDatabaseAway, type DoseRecord, type ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { scheduledDoseId } from '#app/platform/ids.server.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { COMPONENT_MESSAGES, findComponent } from '#app/domain/calculator/components.ts';
import { fieldError } from '#app/domain/errors.ts';
import type { ScheduleFields } from '#app/domain/schedules/schedule-schema.ts';
import { blendOf, findDosed, isSameBlend, type Blend } from '#app/domain/vials/contents.ts';
import { isFinal, type Vial } from '#app/domain/vials/vial.ts';
import { repos } from './repositories.server.ts';

/** Doses are always generated for at least this many days ahead. */
const DAYS_AHEAD = 35;
/** One day more is generated, so that each schedule is processed once a day. */
const GENERATED_DAYS = DAYS_AHEAD + 1;
/** The schedule has no further doses to generate. */
const FOREVER = new Date('9999-12-31T00:00:00Z');

const daysAfter = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY_MS);

/** The move fields of a dose; none if its schedule has no moves. */
function movedFacts(
  { moves }: ScheduleRecord,
  key: DoseKey,
  movedFrom: DoseKey | null,
): Pick<DoseRecord, 'movedFrom' | 'moveHistory'> {
  if ((moves ?? []).length === 0) return {};
  const history = moveHistory(moves, moveKey(key));
  return { movedFrom, moveHistory: history.length === 0 ? null : history };
}

/** A pending dose for an occurrence of a schedule. */
export function newDose(schedule: ScheduleRecord, occurrence: Occurrence, now: Date): DoseRecord {
  const { localDay, wallTime, dueDate, doseAmount } = occurrence;
  const lead = schedule.reminderLeadMinutes;
  const key = plannedKey(occurrence);
  const { name, compoundId, blend } = partOn(schedule, localDay);
  return {
    id: scheduledDoseId(schedule.id, key.localDay, key.wallTime),
    ...movedFacts(schedule, key, occurrence.movedFrom ?? null),
    scheduleId: schedule.id,
    scheduleRevision: schedule.revision,
    name,
    compoundId,
    ...(blend && { blend }),
    localDay,
    wallTime,
    timeZone: schedule.timeZone,
    dueDate,
    doseAmount,
    doseUnit: schedule.doseUnit,
    route: schedule.route,
    status: 'pending',
    takenAt: null,
    actualDose: null,
    notes: null,
    site: null,
    round: 0,
    draws: [],
    remindAt: dueDate <= now ? null : new Date(dueDate.getTime() - lead * MINUTE_MS),
    remindStage: lead > 0 ? 'upcoming' : 'due',
    remindCount: 0,
    remindClaimedUntil: null,
    version: 0,
  };
}

/** The key of a dose within its schedule. */
export const keyOfDose = (
  dose: Pick<DoseRecord, 'localDay' | 'wallTime' | 'movedFrom' | 'chain'>,
): DoseKey => {
  const { localDay, wallTime, movedFrom, chain } = dose;
  return chain ? chainKey(chain.after) : (movedFrom ?? { localDay, wallTime });
};

/** The range in which doses that originally belong to a window may be due after moves. */
function reachOf({ moves }: ScheduleRecord, from: Date, to: Date): { from: Date; before: Date } {
  const moved = activeMoves(moves);
  const alone = [...(moved?.single.values() ?? [])].flatMap((move) => [
    move.from.getTime(),
    move.to.getTime(),
  ]);
  const first = daysAfter(from, -2 - (moved?.latestDays ?? 0)).getTime();
  const last = daysAfter(to, 2 + (moved?.earliestDays ?? 0)).getTime();
  return { from: new Date(Math.min(first, ...alone)), before: new Date(Math.max(last, ...alone) + 1) };
}

/** The original day and time of a dose, even if its schedule used to count from the last dose. */
const placeOfDose = (dose: DoseRecord): DoseKey => dose.movedFrom ?? dose;

/** Keys of the doses that regenerating keeps: logged ones, due ones, and leftovers of an earlier time zone. */
async function listKeptDoses(ctx: Ctx, schedule: ScheduleRecord, from: Date, to: Date): Promise<DoseKey[]> {
  const near = { scheduleId: schedule.id, ...reachOf(schedule, from, to) };
  const doses = await repos(ctx).doses.list(schedule.userId, near);
  return doses
    .filter(({ status, scheduleRevision }) => status !== 'pending' || scheduleRevision !== schedule.revision)
    .map(placeOfDose);
}

/**
 * Keys of the doses from an instant on that a change of their schedule leaves as they are. Doses exist for five weeks at most,
 * so the list is short.
 * @param isLeft such as logged ones, even if they are due only later
 */
export async function listDosesLeft(
  ctx: Ctx,
  schedule: ScheduleRecord,
  from: Date,
  isLeft: (dose: DoseRecord) => boolean,
): Promise<DoseKey[]> {
  const { from: first } = reachOf(schedule, from, from);
  const doses = await repos(ctx).doses.list(schedule.userId, { scheduleId: schedule.id, from: first });
  return doses.filter(isLeft).map(placeOfDose);
}

/** How many days after its due time a dose can still be moved: as long as it can be pending. */
const PENDING_DAYS = 8;

/**
 * The new time of a dose that was moved, or whose move was undone; null if it stays. A dose that is already due stays,
 * unless a move puts it in the future or undo returns it.
 */
function placeOfMoved(schedule: ScheduleRecord, dose: DoseRecord, now: Date): Occurrence | null {
  const place = occurrenceOf(schedule, keyOfDose(dose));
  const wasMoved = (dose.movedFrom ?? null) !== null;
  if (place === null || (!wasMoved && (place.movedFrom ?? null) === null)) return null;
  if (dose.dueDate > now || place.dueDate > now) return place;
  const key = moveKey(keyOfDose(dose));
  const isUndone = (schedule.moves ?? []).some(
    (move) => move.key === key && move.undoneAt !== null && move.to.getTime() === dose.dueDate.getTime(),
  );
  return isUndone ? place : null;
}

/**
 * Updates the doses of earlier revisions of a schedule that were moved, or whose move was undone. They are changed rather than
 * recreated, so that a dose that was already due is neither lost nor duplicated.
 */
async function retimeMovedDoses(ctx: Ctx, schedule: ScheduleRecord, now: Date): Promise<void> {
  const { doses, reminders } = repos(ctx);
  const { userId, id, revision, moves, reminderLeadMinutes } = schedule;
  if ((moves ?? []).length === 0 || schedule.frequency.kind === 'after-last') return;
  for (const dose of await doses.listOutdated(userId, id, daysAfter(now, -PENDING_DAYS), revision)) {
    const place = placeOfMoved(schedule, dose, now);
    if (place === null) continue;
    const made = newDose(schedule, place, now);
    const {
      dueDate,
      localDay,
      wallTime,
      timeZone,
      doseAmount,
      doseUnit,
      movedFrom,
      moveHistory: history,
    } = made;
    await doses.change(userId, dose.id, {
      ...{ scheduleRevision: revision, dueDate, localDay, wallTime, timeZone, doseAmount, doseUnit },
      ...{ name: made.name, compoundId: made.compoundId, blend: made.blend ?? null, route: made.route },
      ...{ movedFrom: movedFrom ?? null, moveHistory: history ?? null, movedAt: now, missAt: null },
      ...reminderAhead({ status: 'pending', dueDate }, reminderLeadMinutes, now),
      ...{ remindClaim: null, remindClaimedUntil: null },
    });
    if (dueDate.getTime() !== dose.dueDate.getTime()) await reminders.markDoseRead(userId, dose.id);
  }
}

/** Removes pending doses within the current pause, which were due before the pause was entered. */
async function removePausedDoses(ctx: Ctx, schedule: ScheduleRecord, now: Date): Promise<void> {
  const { userId, id, timeZone, pauses } = schedule;
  const pause = pauseOn(pauses, calendarDay(now, timeZone));
  if (pause === null) return;
  const { from, before } = instantsOfDays(pause.firstDay, pause.lastDay, timeZone);
  if (from !== null && before !== null)
    await repos(ctx).doses.deletePendingBetween(userId, id, { from, before });
}

/** Creates the missing doses of a schedule within a window. Creating them twice creates each once. */
async function makeDoses(
  ctx: Ctx,
  schedule: ScheduleRecord,
  window: { from: Date; to: Date },
  isPlanned: (occurrence: Occurrence) => boolean = () => true,
): Promise<void> {
  const { userId, times } = schedule;
  const keptDoses = await listKeptDoses(ctx, schedule, window.from, window.to);
  const planned = occurrences(schedule, window).filter(isPlanned);
  const made = dosesToMake(planned, keptDoses, times.length);
  // Existing schedules continue even if the account is full; only a new one can't be created then.
  await repos(ctx).rowQuota.add(userId, made.length);
  const now = ctx.now();
  await repos(ctx).doses.createMany(
    userId,
    made.map((dose) => newDose(schedule, dose, now)),
  );
}

/**
 * Removes the future doses of earlier revisions of a schedule, and creates the missing ones up to 36 days from now. Part of
 * an act.
 * @param from no doses are created before this instant
 * @param isPlanned only doses that it accepts are created
 */
async function fillSchedule(
  ctx: Ctx,
  schedule: ScheduleRecord,
  from: Date,
  isPlanned?: (occurrence: Occurrence) => boolean,
): Promise<void> {
  const { userId, id, revision, isActive, frequency } = schedule;
  const now = ctx.now();
  const to = daysAfter(now, GENERATED_DAYS);
  if (isActive) await retimeMovedDoses(ctx, schedule, now);
  await repos(ctx).doses.deleteFuturePending(userId, id, now, revision);
  // A schedule that counts from the last dose has one next dose, which `ensureNextDose` creates.
  if (isActive && frequency.kind !== 'after-last') {
    await removePausedDoses(ctx, schedule, now);
    await makeDoses(ctx, schedule, { from, to }, isPlanned);
  }
  const isOver = isOverBy(schedule, dayNumber(calendarDay(to, 'UTC')) - 2);
  const end = isOver ? FOREVER : to;
  // As long as its past is not complete, the worker looks at it.
  const madeUntil = schedule.pastFrom ? now : end;
  await repos(ctx).schedules.set(userId, id, { madeUntil, claimedUntil: null });
}

/** If generation fell behind by more than this, it resumes with the last day, whose doses can still be taken. */
const LOOK_BACK_DAYS = 1;
/** Maximum days of past doses for a new schedule, divided by its times of day, so that the list stays manageable. */
const MAX_PAST_DAYS = 2000;
/** How long a claim keeps other workers off a schedule. */
const LEASE_MS = MINUTE_MS;

/**
 * Updates the dates that a schedule shows: its next pending dose, and when the last one was taken. Every act that changes one
 * of its doses calls it.
 */
export function refreshScheduleDates(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  return ctx.transaction(() => writeScheduleDates(ctx, ownerId, scheduleId));
}

async function writeScheduleDates(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  const { doses, schedules } = repos(ctx);
  const schedule = await schedules.find(ownerId, scheduleId);
  if (schedule === null) return;
  const isChain = schedule.frequency.kind === 'after-last';
  if (isChain) await ensureNextDose(ctx, schedule);
  const [pending] = await doses.list(ownerId, {
    scheduleId,
    status: 'pending',
    limit: 1,
    // The next dose that counts from the last one is the latest, and remains the next when it is overdue.
    ...(isChain ? { latestFirst: true } : { from: ctx.now() }),
  });
  const lastOnes = { scheduleId, status: 'taken', latestFirst: true, limit: 1 } as const;
  const [taken] = await doses.list(ownerId, lastOnes);
  const later = schedule.isActive && !isChain ? nextOccurrence(schedule, schedule.madeUntil) : null;
  const nextDoseDate = pending?.dueDate ?? later?.dueDate ?? null;
  const lastDoseDate = taken?.takenAt ?? schedule.lastDoseBefore ?? null;
  await schedules.set(ownerId, scheduleId, { nextDoseDate, lastDoseDate });
}

/**
 * Fits a dose that undo made pending again into its schedule, and updates the schedule's dates. Part of an act. Changes of
 * the schedule skipped the dose while it was logged, and are applied here.
 * @returns the dose afterwards; null if its schedule no longer has it
 */
export async function fitUndoneDose(
  ctx: Ctx,
  ownerId: string,
  dose: DoseRecord & { scheduleId: string },
): Promise<DoseRecord | null> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const { scheduleId, scheduleRevision, dueDate, id } = dose;
  const { doses, schedules } = repos(ctx);
  const schedule = await schedules.find(ownerId, scheduleId);
  const isOutdated = schedule?.revision !== scheduleRevision;
  // A dose that counts from the last one may not be the next: if the previous one is pending too, that one is.
  const isChained = (dose.chain ?? null) !== null && schedule?.isActive === true;
  if (!isChained && (!isOutdated || dueDate <= ctx.now())) {
    await refreshScheduleDates(ctx, ownerId, scheduleId);
    return dose;
  }
  if (schedule?.isActive !== true) {
    await doses.delete(ownerId, id);
    await refreshScheduleDates(ctx, ownerId, scheduleId);
    return null;
  }
  await generateDoses(ctx, ownerId, schedule.id);
  return doses.find(ownerId, id);
}

/** Number of latest doses to read; more than can be due after the next one, such as doses taken long before due. */
const CHAIN_DOSES = 50;
/** Maximum writes until there is one next dose; the next act does the rest. */
const MAX_CHAIN_STEPS = 10;

function chainPlanOf(schedule: ScheduleRecord, everyHours: number): ChainPlan {
  return {
    everyHours,
    firstDueAt: schedule.firstDueAt ?? schedule.createdAt,
    lastTakenBefore: schedule.lastDoseBefore ?? null,
    resumedAt: schedule.resumedAt ?? null,
    pauses: schedule.pauses ?? null,
    stopsAt: schedule.stopsAt ?? null,
    timeZone: schedule.timeZone,
    movedTo: new Map(
      [...(activeMoves(schedule.moves)?.single ?? [])].map(([key, { to }]) => [doseKeyOf(key).wallTime, to]),
    ),
  };
}

function chainedDose(
  schedule: ScheduleRecord,
  { after, everyHours, due }: { after: string | null; everyHours: number; due: ChainDue },
  now: Date,
): DoseRecord {
  const { dueDate, planned } = due;
  const placeOf = (at: Date) => doseKeyOf(localDateTime(at, schedule.timeZone));
  const place = placeOf(dueDate);
  const dose = newDose(schedule, { ...place, dueDate, doseAmount: doseOnDay(schedule, place.localDay) }, now);
  const key = chainKey(after);
  return {
    ...dose,
    id: scheduledDoseId(schedule.id, key.localDay, key.wallTime),
    chain: { after, everyHours },
    ...movedFacts(schedule, key, planned === null ? null : placeOf(planned)),
  };
}

/** Changes the due time of a pending dose and restarts its reminders. */
async function moveChained(ctx: Ctx, ownerId: string, dose: DoseRecord, planned: DoseRecord): Promise<void> {
  const { localDay, wallTime, timeZone, dueDate, doseAmount, doseUnit, remindAt, remindStage, chain } =
    planned;
  const { movedFrom = null, moveHistory: history = null, name, compoundId, blend = null } = planned;
  const why = { movedFrom, moveHistory: history, movedAt: ctx.now() };
  const when = { localDay, wallTime, timeZone, dueDate, missAt: null, chain, ...why };
  const reminder = { remindAt, remindStage, remindCount: 0, remindClaimedUntil: null, remindClaim: null };
  const changes = { ...when, ...reminder, name, compoundId, blend, doseAmount, doseUnit };
  await repos(ctx).doses.change(ownerId, dose.id, changes);
  await repos(ctx).reminders.markDoseRead(ownerId, dose.id);
}

/**
 * Creates, moves or removes the next dose of a schedule that counts from the last dose, until it matches the other doses. Part
 * of an act.
 */
async function ensureNextDose(ctx: Ctx, schedule: ScheduleRecord): Promise<void> {
  const { doses, rowQuota } = repos(ctx);
  const { userId: ownerId, id: scheduleId, frequency, timeZone, endDate, isActive, revision } = schedule;
  const now = ctx.now();
  if (frequency.kind !== 'after-last' || !isActive)
    return doses.deleteFuturePending(ownerId, scheduleId, now, revision);
  const { everyHours } = frequency;
  for (let count = 0; count < MAX_CHAIN_STEPS; count += 1) {
    const found = await doses.list(ownerId, { scheduleId, latestFirst: true, limit: CHAIN_DOSES });
    const step = chainStep(
      found,
      chainPlanOf(schedule, everyHours),
      (due) => endDate !== null && calendarDay(due, timeZone) > endDate,
    );
    if (step.kind === 'none') return;
    if (step.kind === 'remove') {
      await doses.delete(ownerId, step.dose.id);
      continue;
    }
    const after = step.kind === 'make' ? step.after : (step.dose.chain?.after ?? null);
    const planned = chainedDose(schedule, { after, everyHours, due: step.due }, now);
    if (step.kind === 'move') await moveChained(ctx, ownerId, step.dose, planned);
    else {
      await rowQuota.add(ownerId, 1);
      await doses.createMany(ownerId, [planned]);
    }
  }
}

/** Fills a schedule if it still exists, by its vials as they are now, and updates its dates, in one act. */
function fillAsItIs(
  ctx: Ctx,
  ownerId: string,
  scheduleId: string,
  planOf: (schedule: ScheduleRecord) => { from: Date; isPlanned?: (occurrence: Occurrence) => boolean },
): Promise<void> {
  return ctx.transaction(async () => {
    const found = await repos(ctx).schedules.find(ownerId, scheduleId);
    if (found === null) return;
    const schedule = await followVials(ctx, found);
    const { from, isPlanned } = planOf(schedule);
    await fillSchedule(ctx, schedule, from, isPlanned);
    await writeScheduleDates(ctx, ownerId, scheduleId);
  });
}

/**
 * Generates the doses of one schedule for 35 days from now, removes those it no longer has, and updates its dates. The act
 * that changes the schedule calls it.
 * @param from no doses are created before this instant; defaults to now
 */
export function generateDoses(
  ctx: Ctx,
  ownerId: string,
  scheduleId: string,
  from: Date = ctx.now(),
): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  return fillAsItIs(ctx, ownerId, scheduleId, () => ({ from }));
}

/** Schedules that the act that changes a vial brings up to date; the worker does the rest. */
const SCHEDULES_AT_ONCE = 10;

/** Brings schedules up to date with a vial of theirs. @param fromOf no doses are created before this instant */
async function followVial(
  ctx: Ctx,
  schedules: readonly ScheduleRecord[],
  fromOf: (schedule: ScheduleRecord) => Date,
): Promise<void> {
  for (const [index, schedule] of schedules.entries()) {
    const { userId, id } = schedule;
    const from = fromOf(schedule);
    if (index < SCHEDULES_AT_ONCE) await generateDoses(ctx, userId, id, from);
    else await repos(ctx).schedules.set(userId, id, { madeUntil: from });
  }
}

/**
 * Part of the act after which a vial is used up or has contents again: the schedules that end with it stop, or resume with the
 * doses due since they stopped that can still be taken.
 */
export async function followVialEnd(ctx: Ctx, ownerId: string, vialId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const ending = await repos(ctx).schedules.listEndingWithVial(ownerId);
  const now = ctx.now();
  const earliest = daysAfter(now, -LOOK_BACK_DAYS);
  await followVial(
    ctx,
    ending.filter((schedule) => lastVialOf(schedule)?.id === vialId),
    ({ stopsAt }) => {
      const stopped = stopsAt ?? now;
      const from = stopped > earliest ? stopped : earliest;
      return from < now ? from : now;
    },
  );
}

/**
 * Part of the act that changes the label of a vial: updates the names and amounts of doses planned from it. A paused schedule
 * is updated when it is resumed.
 */
export async function followRelabel(ctx: Ctx, ownerId: string, vialId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const running = await repos(ctx).schedules.listActive(ownerId);
  await followVial(
    ctx,
    running.filter((schedule) => partsOf(schedule).some(({ compoundId }) => compoundId === vialId)),
    () => ctx.now(),
  );
}

/** Past doses that one act creates; a new schedule may have 2000. */
const PAST_AT_ONCE = 200;

/** Whether a dose of a new schedule is in its past. Times that have already passed today are left out. */
const isPastOf = ({ createdAt, timeZone }: ScheduleRecord) => {
  const today = calendarDay(createdAt, timeZone);
  return ({ localDay }: Occurrence) => localDay < today;
};

/**
 * Generates the doses of a new schedule: 35 days ahead, and past ones since its first day, which its owner can log. Times that
 * have already passed today are left out: someone who enters 09:00 at 10:41 means from tomorrow on. The act that creates the
 * schedule calls it; a long past follows that act.
 */
export async function generateFirstDoses(ctx: Ctx, schedule: ScheduleRecord): Promise<void> {
  const { userId, id, times, startDate, createdAt: now } = schedule;
  authorise(ctx.actor, 'schedule.make-doses', { ownerId: userId });
  const earliest = daysAfter(now, -Math.ceil(MAX_PAST_DAYS / Math.max(1, times.length)));
  // A zone's day begins up to a day before midnight UTC.
  const firstDay = new Date((dayNumber(startDate) - 1) * DAY_MS);
  const from = firstDay > earliest ? firstDay : earliest;
  const isPast = isPastOf(schedule);
  const past = from < now ? occurrences(schedule, { from, to: now }).filter(isPast) : [];
  const isLong = past.length > PAST_AT_ONCE;
  const isPlanned = (dose: Occurrence) => dose.dueDate >= now || isPast(dose);
  if (isLong) await repos(ctx).schedules.set(userId, id, { pastFrom: from });
  await fillAsItIs(ctx, userId, id, () => ({ from: isLong || from > now ? now : from, isPlanned }));
  if (isLong) await afterCommit(() => makePastDoses(ctx, userId, id));
}

/**
 * Generates the rest of the past doses of a new schedule, some in each act. If it is interrupted, the worker continues.
 */
async function makePastDoses(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  const piece = () =>
    ctx.transaction(async () => {
      const schedule = await repos(ctx).schedules.find(ownerId, scheduleId);
      const from = schedule?.pastFrom ?? null;
      if (schedule === null || from === null || !schedule.isActive) return false;
      const { createdAt, times } = schedule;
      const end = daysAfter(from, Math.max(1, Math.floor(PAST_AT_ONCE / Math.max(1, times.length))));
      const isLast = end >= createdAt;
      await makeDoses(ctx, schedule, { from, to: isLast ? createdAt : end }, isPastOf(schedule));
      const done = { pastFrom: null, madeUntil: daysAfter(createdAt, GENERATED_DAYS) };
      await repos(ctx).schedules.set(ownerId, scheduleId, isLast ? done : { pastFrom: end });
      return !isLast;
    });
  while (await piece());
}

/** Where generation resumes: where it ended, but no further back than doses that can still be taken. */
function resumeFrom(schedule: ScheduleRecord, now: Date): Date {
  const earliest = daysAfter(now, -LOOK_BACK_DAYS);
  return schedule.madeUntil > earliest ? schedule.madeUntil : earliest;
}

async function isPremium(ctx: Ctx, userId: string): Promise<boolean> {
  const user = await repos(ctx).users.find(userId);
  return user !== null && entitlementOf(user, ctx).isPremium;
}

/**
 * The worker's job: generates the doses of all schedules that run short of them. One worker claims a schedule for a
 * minute; if it dies, another takes over. Schedules of accounts without Premium wait for a day. One that fails does not keep
 * the others waiting: it is tried again in the next round.
 * @returns how many schedules were processed
 * @throws the first failure, after all others are done
 */
export async function generateAllDoses(ctx: Ctx, stopping?: AbortSignal): Promise<number> {
  authorise(ctx.actor, 'schedule.make-all-doses');
  const { schedules } = repos(ctx);
  const failures: unknown[] = [];
  let count = 0;
  while (stopping?.aborted !== true) {
    const now = ctx.now();
    const lease = new Date(now.getTime() + LEASE_MS);
    const schedule = await schedules.claimUnmade(daysAfter(now, DAYS_AHEAD), now, lease);
    if (schedule === null) break;
    try {
      await generateClaimed(ctx, schedule, now);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      failures.push(error);
    }
    count += 1;
  }
  if (failures.length > 0) throw failures[0];
  return count;
}

/**
 * How many schedules of all accounts run short of doses, and since when the first one does.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function planBacklog(ctx: Ctx): Promise<{ waiting: number; oldestAt: Date | null }> {
  authorise(ctx.actor, 'admin.worker');
  const now = ctx.now();
  return repos(ctx).schedules.backlog(daysAfter(now, DAYS_AHEAD), now);
}

async function generateClaimed(ctx: Ctx, { userId, id }: ScheduleRecord, now: Date): Promise<void> {
  if (!(await isPremium(ctx, userId)))
    return repos(ctx).schedules.set(userId, id, { claimedUntil: daysAfter(now, 1) });
  await fillAsItIs(ctx, userId, id, (current) => ({ from: resumeFrom(current, now) }));
  await makePastDoses(ctx, userId, id);
}

/**
 * The blend that a schedule draws from, if any: that of its vial, otherwise the given components, otherwise those of the
 * owner's vials with its name.
 * @throws AppError INVALID_INPUT if `doseOf` is not one of its components
 */
export async function blendOfPlan(
  ctx: Ctx,
  ownerId: string,
  { name, components, doseOf }: Pick<ScheduleFields, 'name' | 'components' | 'doseOf'>,
  vial: Vial | null,
): Promise<Blend | null> {
  const request = { name: name ?? '', doseOf };
  const source = vial ?? (components ? { components } : await namesakeOf(ctx, ownerId, request.name));
  const blend = source === null ? null : blendOf(source, request);
  if (doseOf === undefined || doseOf === null) return blend;
  const known = blend?.components ?? [{ name: request.name }];
  if (findComponent(known, doseOf) >= 0) return blend;
  const message =
    blend === null
      ? COMPONENT_MESSAGES.doseOfNone
      : `${COMPONENT_MESSAGES.doseOf}: ${known.map((component) => component.name).join(', ')}`;
  throw fieldError('doseOf', message);
}

/** The owner's first active vial with this name, if all of them are blends; otherwise null. */
async function namesakeOf(ctx: Ctx, ownerId: string, name: string): Promise<Vial | null> {
  const vials = await repos(ctx).vials.forDose(ownerId, name, []);
  return vials.every(({ components }) => components !== undefined) ? (vials[0] ?? null) : null;
}

/** The last day that a schedule can have. */
const LAST_DAY = '9999-12-31';

/** The fields that decide the vial of a schedule. */
type VialPlan = Parameters<typeof partOn>[0] & Pick<ScheduleRecord, 'endsWithVial' | 'timeZone'>;

/**
 * The vial that a schedule draws from after all its swaps, and from which day (YYYY-MM-DD; null without swaps). Null if it
 * draws from any open vial.
 */
export function lastVialOf(plan: VialPlan): { id: string; fromDay: string | null } | null {
  const { compoundId } = partOn(plan, LAST_DAY);
  return compoundId === null
    ? null
    : { id: compoundId, fromDay: swapOn(plan.swaps, LAST_DAY)?.fromDay ?? null };
}

/** When a schedule stopped because its vial was used up; now, if it just did. Null if it continues. */
async function vialStop(ctx: Ctx, schedule: ScheduleRecord): Promise<Date | null> {
  const { userId, endsWithVial, stopsAt = null, swaps, timeZone } = schedule;
  if (endsWithVial !== true) return null;
  const last = lastVialOf(schedule);
  // An imported schedule may lack the vial that it ended with.
  if (last === null) return (swaps ?? []).length > 0 ? null : stopsAt;
  const vial = await repos(ctx).vials.find(userId, last.id);
  if (vial !== null && !isFinal(vial)) return null;
  if (stopsAt !== null) return stopsAt;
  // It draws from other vials until the day of the swap.
  const begin = last.fromDay === null ? null : instantsOfDays(last.fromDay, last.fromDay, timeZone).from;
  const now = ctx.now();
  return begin !== null && begin > now ? begin : now;
}

/** The fields of a schedule, or of one of its swaps, that describe its vial. */
type VialPart = Pick<ScheduleRecord, 'name' | 'compoundId' | 'blend'>;

/** The schedule itself and its swaps. */
const partsOf = (schedule: ScheduleRecord): readonly VialPart[] => [schedule, ...(schedule.swaps ?? [])];

/** The blend on the vial's label; the stored one if the vial is gone or no longer has its component. */
function blendByLabel({ name, compoundId, blend = null }: VialPart, vials: readonly Vial[]): Blend | null {
  const vial = vials.find(({ id }) => id === compoundId);
  if (vial?.components === undefined) return blend;
  const request = { name, doseOf: blend?.doseOf, renamedFrom: blend?.components };
  return findDosed(vial.components, request) < 0 ? blend : blendOf(vial, request);
}

/** The blends of a schedule that differ from its vials' labels by now; usually none. */
async function contentsByLabel(
  ctx: Ctx,
  schedule: ScheduleRecord,
): Promise<Pick<Partial<ScheduleRecord>, 'blend' | 'swaps'>> {
  const ids = partsOf(schedule).flatMap(({ compoundId }) => (compoundId === null ? [] : [compoundId]));
  if (ids.length === 0) return {};
  const vials = await repos(ctx).vials.listById(schedule.userId, [...new Set(ids)]);
  const isOther = (part: VialPart) => !isSameBlend(blendByLabel(part, vials), part.blend);
  if (!partsOf(schedule).some(isOther)) return {};
  const swaps = schedule.swaps?.map((swap) => ({ ...swap, blend: blendByLabel(swap, vials) }));
  return { blend: blendByLabel(schedule, vials), ...(swaps && { swaps }) };
}

/**
 * Updates a schedule from its vials: one that ends with its vial stops when that is used up and resumes when it has contents
 * again; one of a blend takes over the names and amounts on the label. Part of an act.
 * @returns the updated schedule
 */
async function followVials(ctx: Ctx, schedule: ScheduleRecord): Promise<ScheduleRecord> {
  const { userId, id, stopsAt: before = null } = schedule;
  const stopsAt = await vialStop(ctx, schedule);
  const isStop = stopsAt?.getTime() !== before?.getTime();
  const changes = { ...(await contentsByLabel(ctx, schedule)), ...(isStop && { stopsAt }) };
  if (Object.keys(changes).length === 0) return schedule;
  const now = ctx.now();
  return (await repos(ctx).schedules.revise(userId, id, { ...changes, updatedAt: now })) ?? schedule;
}

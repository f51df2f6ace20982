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
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { LOST, tryCompareAndSet } from '#app/platform/compare-and-set.server.ts';
import { scheduledDoseId } from '#app/platform/ids.server.ts';
import { entitlementOf } from '#app/domain/billing/plans.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { COMPONENT_MESSAGES, findComponent } from '#app/domain/calculator/components.ts';
import { AppError } from '#app/domain/errors.ts';
import type { ScheduleFields } from '#app/domain/schedules/schedule-schema.ts';
import { blendOf, findDosed, isSameBlend, type Blend } from '#app/domain/vials/contents.ts';
import { isFinal, type Vial } from '#app/domain/vials/vial.ts';

/** Doses always exist for at least this many days from now. */
const DAYS_AHEAD = 35;
/** One day more is generated, so that each schedule is processed once a day. */
const GENERATED_DAYS = DAYS_AHEAD + 1;
/** The schedule has no further doses to generate. */
const FOREVER = new Date('9999-12-31T00:00:00Z');

const daysAfter = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY_MS);

/** What a dose knows of its being moved; nothing while its schedule was never changed in this way. */
function movedFacts(
  { moves }: ScheduleRecord,
  key: DoseKey,
  movedFrom: DoseKey | null,
): Pick<DoseRecord, 'movedFrom' | 'moveHistory'> {
  if ((moves ?? []).length === 0) return {};
  const history = moveHistory(moves, moveKey(key));
  return { movedFrom, moveHistory: history.length === 0 ? null : history };
}

/** A dose as its plan makes it, pending. */
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
    stockDone: true,
    remindAt: dueDate <= now ? null : new Date(dueDate.getTime() - lead * MINUTE_MS),
    remindStage: lead > 0 ? 'upcoming' : 'due',
    remindCount: 0,
    remindClaimedUntil: null,
    version: 0,
  };
}

/** The name that its plan gives a dose. */
export const keyOfDose = (
  dose: Pick<DoseRecord, 'localDay' | 'wallTime' | 'movedFrom' | 'chain'>,
): DoseKey => {
  const { localDay, wallTime, movedFrom, chain } = dose;
  return chain ? chainKey(chain.after) : (movedFrom ?? { localDay, wallTime });
};

/** From where to where doses lie that belong to a window by their plan. */
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

/** The place that a dose takes in a plan by the clock, also one that was due by an earlier plan from the last dose on. */
const placeOfDose = (dose: DoseRecord): DoseKey => dose.movedFrom ?? dose;

/** Doses that regenerating keeps: logged ones, due ones, and ones that an earlier time zone left near the window. */
async function listKeptDoses(ctx: Ctx, schedule: ScheduleRecord, from: Date, to: Date): Promise<DoseKey[]> {
  const near = { scheduleId: schedule.id, ...reachOf(schedule, from, to) };
  const doses = await ctx.repos.doses.list(schedule.userId, near);
  return doses
    .filter(({ status, scheduleRevision }) => status !== 'pending' || scheduleRevision !== schedule.revision)
    .map(placeOfDose);
}

/** So long after it was due a dose can still be moved: as long as it can be pending. */
const PENDING_DAYS = 8;

/**
 * Where a dose that was moved, or is no longer moved, has to go; null when it stays. One that is due already stays where it
 * is, unless a move takes it to a time ahead, or undoing takes it back.
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
 * Moves the doses of earlier revisions of a schedule that were moved, or whose move was undone: they are changed, not made
 * anew, so that one that was due already is neither lost nor there twice.
 */
async function retimeMovedDoses(ctx: Ctx, schedule: ScheduleRecord, now: Date): Promise<void> {
  const { doses, reminders } = ctx.repos;
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
    const changed = await doses.compareAndSet(userId, dose.id, dose.version, {
      ...{ scheduleRevision: revision, dueDate, localDay, wallTime, timeZone, doseAmount, doseUnit },
      ...{ name: made.name, compoundId: made.compoundId, blend: made.blend ?? null, route: made.route },
      ...{ movedFrom: movedFrom ?? null, moveHistory: history ?? null, movedAt: now, missAt: null },
      ...reminderAhead({ status: 'pending', dueDate }, reminderLeadMinutes, now),
      ...{ remindClaim: null, remindClaimedUntil: null },
    });
    if (changed !== null && dueDate.getTime() !== dose.dueDate.getTime())
      await reminders.markDoseRead(userId, dose.id);
  }
}

/** Removes what waits to be logged of a pause that runs: it was due before the pause was entered. */
async function removePausedDoses(ctx: Ctx, schedule: ScheduleRecord, now: Date): Promise<void> {
  const { userId, id, timeZone, pauses } = schedule;
  const pause = pauseOn(pauses, calendarDay(now, timeZone));
  if (pause === null) return;
  const { from, before } = instantsOfDays(pause.firstDay, pause.lastDay, timeZone);
  if (from !== null && before !== null)
    await ctx.repos.doses.deletePendingBetween(userId, id, { from, before });
}

/**
 * Removes the future doses of earlier revisions of a schedule, and creates the missing ones up to 36 days from now.
 * Running it twice, or in two processes at once, creates each dose once.
 * @param from no doses are created before this instant
 * @param isPlanned leaves out others
 * @returns whether the schedule was still unchanged at the end; if not, it has to be filled again
 */
async function fillSchedule(
  ctx: Ctx,
  schedule: ScheduleRecord,
  from: Date,
  isPlanned: (occurrence: Occurrence) => boolean = () => true,
): Promise<boolean> {
  const { userId, id, revision } = schedule;
  const now = ctx.now();
  const to = daysAfter(now, GENERATED_DAYS);
  if (schedule.isActive) await retimeMovedDoses(ctx, schedule, now);
  await ctx.repos.doses.deleteFuturePending(userId, id, now, revision);
  // What counts from the last dose has one next dose, which `settleNextDose` makes.
  if (schedule.isActive && schedule.frequency.kind !== 'after-last') {
    await removePausedDoses(ctx, schedule, now);
    const kept = await listKeptDoses(ctx, schedule, from, to);
    const wanted = occurrences(schedule, { from, to }).filter(isPlanned);
    const made = dosesToMake(wanted, kept, schedule.times.length);
    // A schedule goes on whether there is room or not; a full account cannot begin another one.
    await ctx.repos.rowQuota.add(userId, made.length);
    await ctx.repos.doses.createMany(
      userId,
      made.map((dose) => newDose(schedule, dose, now)),
    );
  }
  const isOver = isOverBy(schedule, dayNumber(calendarDay(to, 'UTC')) - 2);
  const madeUntil = isOver ? FOREVER : to;
  return ctx.repos.schedules.set(userId, id, { madeUntil, claimedUntil: null }, revision);
}

/** A schedule that nobody filled for longer than this goes on with the last day, whose doses can still be taken. */
const LOOK_BACK_DAYS = 1;
/** Most days before its creation that get doses, divided by its times of day: so many can still be looked through. */
const MAX_PAST_DAYS = 2000;
/** How long a claim keeps other workers off a schedule. */
const LEASE_MS = MINUTE_MS;
/**
 * Limits retries when a schedule keeps changing while its doses are generated; the worker's next round does the rest.
 */
const MAX_ROUNDS = 5;
/** Schedules per round of the worker; the rest follows in the next round. */
const MAX_PER_ROUND = 500;

/**
 * Updates the dates that a schedule shows: its next pending dose, and when the last one was taken. Call it after every
 * change to one of its doses.
 */
export async function refreshScheduleDates(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.find(ownerId, scheduleId);
  if (schedule === null) return;
  const { doses, schedules } = ctx.repos;
  const isChain = schedule.frequency.kind === 'after-last';
  if (isChain) await settleNextDose(ctx, ownerId, scheduleId);
  const [pending] = await doses.list(ownerId, {
    scheduleId,
    status: 'pending',
    limit: 1,
    // The next dose that counts from the last one is the latest, and still the next when it is overdue.
    ...(isChain ? { latestFirst: true } : { from: ctx.now() }),
  });
  const lastOnes = { scheduleId, status: 'taken', latestFirst: true, limit: MOST_UNDONE } as const;
  const taken = (await doses.list(ownerId, lastOnes)).find(({ undoing }) => undoing !== true);
  const later = schedule.isActive && !isChain ? nextOccurrence(schedule, schedule.madeUntil) : null;
  const nextDoseDate = pending?.dueDate ?? later?.dueDate ?? null;
  const lastDoseDate = taken?.takenAt ?? schedule.lastDoseBefore ?? null;
  await schedules.set(ownerId, scheduleId, { nextDoseDate, lastDoseDate });
}

/**
 * Ends the undoing of a dose that is pending again. A change of its schedule left the dose alone while it was logged, or
 * while its stock was not returned yet, and is caught up with here.
 * @param finish records that the stock is returned
 * @returns the dose as it is then; null when its schedule no longer has it
 */
export async function finishUndoneDose(
  ctx: Ctx,
  ownerId: string,
  dose: DoseRecord,
  finish: () => Promise<void>,
): Promise<DoseRecord | null> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const { scheduleId, scheduleRevision, dueDate, id, version } = dose;
  const { doses, schedules } = ctx.repos;
  const now = ctx.now();
  const schedule = scheduleId === null ? null : await schedules.find(ownerId, scheduleId);
  const isOutdated = schedule === null ? scheduleId !== null : schedule.revision !== scheduleRevision;
  // One that counts from the last dose may not be the next one: that is the one before it, when that is pending, too.
  const isChained = (dose.chain ?? null) !== null && schedule?.isActive === true;
  if (!isChained && (!isOutdated || dueDate <= now)) {
    await finish();
    return doses.find(ownerId, id);
  }
  if (schedule?.isActive !== true) {
    await doses.deleteVersion(ownerId, id, version);
    return null;
  }
  // Should this be cut off after the next line, a worker makes the dose anew.
  await schedules.set(ownerId, schedule.id, { madeUntil: now });
  await finish();
  await generateDoses(ctx, ownerId, schedule.id);
  return doses.find(ownerId, id);
}

/** More doses than anybody takes back at once: those that were made when they were taken go after this. */
const MOST_UNDONE = 5;
/** More doses than can lie after the next one by their due dates: those that were taken long before they were due. */
const CHAIN_DOSES = 50;
/** Writes until there is one next dose; the worker's next visit does the rest. */
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

/** Times a pending dose anew; its reminders begin again. */
async function moveChained(ctx: Ctx, ownerId: string, dose: DoseRecord, planned: DoseRecord): Promise<void> {
  const { localDay, wallTime, timeZone, dueDate, doseAmount, doseUnit, remindAt, remindStage, chain } =
    planned;
  const { movedFrom = null, moveHistory: history = null, name, compoundId, blend = null } = planned;
  const why = { movedFrom, moveHistory: history, movedAt: ctx.now() };
  const when = { localDay, wallTime, timeZone, dueDate, missAt: null, chain, ...why };
  const reminder = { remindAt, remindStage, remindCount: 0, remindClaimedUntil: null, remindClaim: null };
  const changes = { ...when, ...reminder, name, compoundId, blend, doseAmount, doseUnit };
  const moved = await ctx.repos.doses.compareAndSet(ownerId, dose.id, dose.version, changes);
  if (moved !== null) await ctx.repos.reminders.markDoseRead(ownerId, dose.id);
}

/**
 * Makes, moves or removes the next dose of a schedule that counts from the last one taken, until it has the one that
 * follows from its other doses. Looks again after each write, so that it does not matter who else does the same.
 */
async function settleNextDose(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  const { doses, schedules, rowQuota } = ctx.repos;
  for (let count = 0; count < MAX_CHAIN_STEPS; count += 1) {
    const schedule = await schedules.find(ownerId, scheduleId);
    if (schedule === null) return doses.deleteFuturePending(ownerId, scheduleId, null);
    const { frequency, timeZone, endDate, isActive } = schedule;
    const now = ctx.now();
    if (frequency.kind !== 'after-last' || !isActive)
      return doses.deleteFuturePending(ownerId, scheduleId, now, schedule.revision);
    const { everyHours } = frequency;
    const found = await doses.list(ownerId, { scheduleId, latestFirst: true, limit: CHAIN_DOSES });
    const step = chainStep(
      found,
      chainPlanOf(schedule, everyHours),
      (due) => endDate !== null && calendarDay(due, timeZone) > endDate,
    );
    if (step.kind === 'none') return;
    if (step.kind === 'remove') {
      // Its undoing has not returned its stock yet; whoever does that comes here again.
      if (!step.dose.stockDone) return;
      await doses.deleteVersion(ownerId, step.dose.id, step.dose.version);
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

/** Fills a schedule, and again if it was changed in the meantime. */
async function fillUntilStable(
  ctx: Ctx,
  schedule: ScheduleRecord,
  from: Date,
  isPlanned?: (occurrence: Occurrence) => boolean,
): Promise<void> {
  let current = schedule;
  let begin = from;
  await tryCompareAndSet(async () => {
    const settled = await followVials(ctx, current);
    if (settled !== null && (await fillSchedule(ctx, settled, begin, isPlanned))) return null;
    const changed = await ctx.repos.schedules.find(current.userId, current.id);
    if (changed === null) {
      await ctx.repos.doses.deleteFuturePending(current.userId, current.id, null);
      return null;
    }
    [current, begin] = [changed, ctx.now()];
    return LOST;
  }, MAX_ROUNDS);
}

/**
 * Generates the doses of one schedule for 35 days from now, removes those it no longer has, and updates its dates. For
 * the request that changes it.
 * @param from no doses are created before this instant, by default now
 */
export async function generateDoses(
  ctx: Ctx,
  ownerId: string,
  scheduleId: string,
  from: Date = ctx.now(),
): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.find(ownerId, scheduleId);
  if (schedule === null) return;
  await fillUntilStable(ctx, schedule, from);
  await refreshScheduleDates(ctx, ownerId, scheduleId);
}

/**
 * After a vial was used up, or has something in it again: the schedules that end with it stop, or go on with the doses that
 * are due since they stopped, as far as these can still be taken.
 */
export async function followVialEnd(ctx: Ctx, ownerId: string, vialId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  for (const { id, stopsAt } of await listEndingWith(ctx, ownerId, vialId)) {
    const now = ctx.now();
    const stopped = stopsAt ?? now;
    const earliest = daysAfter(now, -LOOK_BACK_DAYS);
    const from = stopped > earliest ? stopped : earliest;
    await generateDoses(ctx, ownerId, id, from < now ? from : now);
  }
}

/** After the label of a vial has changed: the doses that are planned from it have its names and amounts. */
export async function followRelabel(ctx: Ctx, ownerId: string, vialId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  for (const { id } of await listDrawingFrom(ctx, ownerId, vialId)) await generateDoses(ctx, ownerId, id);
}

/**
 * Generates the doses of a new schedule: 35 days ahead, and those since its first day, which its owner can log. A time
 * of today that has passed already is none: whoever plans 09:00 at 10:41 means from tomorrow on.
 */
export async function generateFirstDoses(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.find(ownerId, scheduleId);
  if (schedule === null) return;
  const now = ctx.now();
  const today = calendarDay(now, schedule.timeZone);
  const earliest = daysAfter(now, -Math.ceil(MAX_PAST_DAYS / Math.max(1, schedule.times.length)));
  // A zone's day begins up to a day before midnight UTC.
  const firstDay = new Date((dayNumber(schedule.startDate) - 1) * DAY_MS);
  const from = firstDay > earliest ? firstDay : earliest;
  await fillUntilStable(
    ctx,
    schedule,
    from < now ? from : now,
    ({ localDay, dueDate }) => dueDate >= now || localDay < today,
  );
  await refreshScheduleDates(ctx, ownerId, scheduleId);
}

/** Generation continues where it ended, but no further back than what can still be taken. */
function resumeFrom(schedule: ScheduleRecord, now: Date): Date {
  const earliest = daysAfter(now, -LOOK_BACK_DAYS);
  return schedule.madeUntil > earliest ? schedule.madeUntil : earliest;
}

async function isPremium(ctx: Ctx, userId: string): Promise<boolean> {
  const user = await ctx.repos.users.find(userId);
  return user !== null && entitlementOf(user, ctx.now()).isPremium;
}

/**
 * The worker's job: generates the doses of all schedules that run short of them. One worker claims a schedule for a
 * minute; if it dies, another takes over. Schedules of accounts without Premium wait for a day.
 * @returns how many schedules were processed
 */
export async function generateAllDoses(ctx: Ctx, stopping?: AbortSignal): Promise<number> {
  authorise(ctx.actor, 'schedule.make-all-doses');
  const { schedules } = ctx.repos;
  for (let count = 0; count < MAX_PER_ROUND; count += 1) {
    if (stopping?.aborted) return count;
    const now = ctx.now();
    const lease = new Date(now.getTime() + LEASE_MS);
    const schedule = await schedules.claimUnmade(daysAfter(now, DAYS_AHEAD), now, lease);
    if (schedule === null) return count;
    if (await isPremium(ctx, schedule.userId)) {
      await fillUntilStable(ctx, schedule, resumeFrom(schedule, now));
      await refreshScheduleDates(ctx, schedule.userId, schedule.id);
    } else {
      await schedules.set(schedule.userId, schedule.id, { claimedUntil: new Date(now.getTime() + DAY_MS) });
    }
  }
  return MAX_PER_ROUND;
}

/**
 * What a plan draws from, when that is a blend: the vial that it names, else the components that it gives, else those of the
 * owner's vial with its name.
 * @throws AppError INVALID_INPUT for a dose of something that it does not hold
 */
export async function blendOfPlan(
  ctx: Ctx,
  ownerId: string,
  { name, components, doseOf }: Pick<ScheduleFields, 'name' | 'components' | 'doseOf'>,
  vial: Vial | null,
): Promise<Blend | null> {
  const asked = { name: name ?? '', doseOf };
  const source = vial ?? (components ? { components } : await namesakeOf(ctx, ownerId, asked.name));
  const blend = source === null ? null : blendOf(source, asked);
  if (doseOf === undefined || doseOf === null) return blend;
  const known = blend?.components ?? [{ name: asked.name }];
  if (findComponent(known, doseOf) >= 0) return blend;
  const message =
    blend === null
      ? COMPONENT_MESSAGES.doseOfNone
      : `${COMPONENT_MESSAGES.doseOf}: ${known.map((component) => component.name).join(', ')}`;
  throw new AppError('INVALID_INPUT', message, { fields: { doseOf: [message] } });
}

/** The blend that the owner's active vials of a name are; null where one of them is a single peptide. */
async function namesakeOf(ctx: Ctx, ownerId: string, name: string): Promise<Vial | null> {
  const vials = await ctx.repos.compounds.forDose(ownerId, name, []);
  return vials.every(({ components }) => components !== undefined) ? (vials[0] ?? null) : null;
}

/** The last day that a schedule can have. */
const LAST_DAY = '9999-12-31';

/** What a swap can change about the vial of a plan. */
type VialPlan = Parameters<typeof partOn>[0] & Pick<ScheduleRecord, 'endsWithVial' | 'timeZone'>;

/**
 * The vial that a plan draws from in the end, after all its swaps, and the first day (YYYY-MM-DD) on which it does; null day
 * without a swap. Null where it draws from any open vial.
 */
export function lastVialOf(plan: VialPlan): { id: string; fromDay: string | null } | null {
  const { compoundId } = partOn(plan, LAST_DAY);
  return compoundId === null
    ? null
    : { id: compoundId, fromDay: swapOn(plan.swaps, LAST_DAY)?.fromDay ?? null };
}

/** When a schedule stopped because its vial was used up: now, if that is news; null when it goes on. */
async function vialStop(ctx: Ctx, schedule: ScheduleRecord): Promise<Date | null> {
  const { userId, endsWithVial, stopsAt = null, swaps, timeZone } = schedule;
  if (endsWithVial !== true) return null;
  const last = lastVialOf(schedule);
  // An import may not know the vial that a plan ended with.
  if (last === null) return (swaps ?? []).length > 0 ? null : stopsAt;
  const vial = await ctx.repos.compounds.find(userId, last.id);
  if (vial !== null && !isFinal(vial)) return null;
  if (stopsAt !== null) return stopsAt;
  // Until it draws from that vial, others last.
  const begin = last.fromDay === null ? null : instantsOfDays(last.fromDay, last.fromDay, timeZone).from;
  const now = ctx.now();
  return begin !== null && begin > now ? begin : now;
}

/** What a plan, or one of its swaps, says of the vial that it names. */
type VialPart = Pick<ScheduleRecord, 'name' | 'compoundId' | 'blend'>;

/** The vials that a schedule names, now and after its swaps. */
const partsOf = (schedule: ScheduleRecord): readonly VialPart[] => [schedule, ...(schedule.swaps ?? [])];

/** What a part draws from by the label of its vial; as the plan has it where the vial is gone, or no longer has its component. */
function blendByLabel({ name, compoundId, blend = null }: VialPart, vials: readonly Vial[]): Blend | null {
  const vial = vials.find(({ id }) => id === compoundId);
  if (vial?.components === undefined) return blend;
  const asked = { name, doseOf: blend?.doseOf, renamedFrom: blend?.components };
  return findDosed(vial.components, asked) < 0 ? blend : blendOf(vial, asked);
}

/** What of a schedule the labels of its vials say differently by now; nothing of most. */
async function contentsByLabel(
  ctx: Ctx,
  schedule: ScheduleRecord,
): Promise<Pick<Partial<ScheduleRecord>, 'blend' | 'swaps'>> {
  const ids = partsOf(schedule).flatMap(({ compoundId }) => (compoundId === null ? [] : [compoundId]));
  if (ids.length === 0) return {};
  const vials = await ctx.repos.compounds.listById(schedule.userId, [...new Set(ids)]);
  const isOther = (part: VialPart) => !isSameBlend(blendByLabel(part, vials), part.blend);
  if (!partsOf(schedule).some(isOther)) return {};
  const swaps = schedule.swaps?.map((swap) => ({ ...swap, blend: blendByLabel(swap, vials) }));
  return { blend: blendByLabel(schedule, vials), ...(swaps && { swaps }) };
}

/**
 * Makes a schedule follow its vials: one that ends with its vial stops when that is used up, and goes on when the vial has
 * something in it again; one of a blend has the names and amounts that are on the label.
 * @returns the schedule as it is then; null when somebody else changed it meanwhile
 */
async function followVials(ctx: Ctx, schedule: ScheduleRecord): Promise<ScheduleRecord | null> {
  const { userId, id, revision, stopsAt: before = null } = schedule;
  const stopsAt = await vialStop(ctx, schedule);
  const isStop = stopsAt?.getTime() !== before?.getTime();
  const changes = { ...(await contentsByLabel(ctx, schedule)), ...(isStop && { stopsAt }) };
  if (Object.keys(changes).length === 0) return schedule;
  const now = ctx.now();
  return ctx.repos.schedules.revise(userId, id, revision, { ...changes, updatedAt: now, madeUntil: now });
}

/**
 * Before a vial is used up, or has something in it again: should what follows be cut off, the worker finds the schedules that
 * end with it.
 */
export async function expectVialEnd(ctx: Ctx, ownerId: string, vialId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const madeUntil = ctx.now();
  for (const { id } of await listEndingWith(ctx, ownerId, vialId))
    await ctx.repos.schedules.set(ownerId, id, { madeUntil });
}

/** An owner's schedules that end with a vial. */
async function listEndingWith(ctx: Ctx, ownerId: string, vialId: string): Promise<ScheduleRecord[]> {
  const ending = await ctx.repos.schedules.listEndingWithVial(ownerId);
  return ending.filter((schedule) => lastVialOf(schedule)?.id === vialId);
}

/**
 * Before the label of a vial changes: should what follows be cut off, the worker finds the schedules that draw from it.
 */
export async function expectRelabel(ctx: Ctx, ownerId: string, vialId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const madeUntil = ctx.now();
  for (const { id } of await listDrawingFrom(ctx, ownerId, vialId))
    await ctx.repos.schedules.set(ownerId, id, { madeUntil });
}

/** An owner's running schedules that name a vial. One that is paused follows when it goes on. */
async function listDrawingFrom(ctx: Ctx, ownerId: string, vialId: string): Promise<ScheduleRecord[]> {
  const running = await ctx.repos.schedules.listActive(ownerId);
  return running.filter((schedule) => partsOf(schedule).some(({ compoundId }) => compoundId === vialId));
}

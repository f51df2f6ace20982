import { dayNumber } from '#app/domain/schedules/day-number.ts';
import { dosesToMake } from '#app/domain/schedules/doses-to-generate.ts';
import { isOverBy } from '#app/domain/schedules/dose-days.ts';
import { occurrences } from '#app/domain/schedules/occurrences.ts';
import type { Occurrence } from '#app/domain/schedules/schedule-types.ts';
import { DAY_MS } from '#app/domain/time/durations.ts';
import { calendarDay } from '#app/domain/time/days.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { scheduledDoseId } from '#app/platform/ids.server.ts';
import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import { nextOccurrence } from '#app/domain/schedules/upcoming-occurrences.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';

/** Doses are there for at least so many days from now (decisions, section 9). */
const DAYS_AHEAD = 35;
/** A day more is made, so that a schedule is looked at once a day. */
const GENERATED_DAYS = DAYS_AHEAD + 1;
/** Made until here: there is nothing more to make. */
const FOREVER = new Date('9999-12-31T00:00:00Z');
const MINUTE_MS = 60_000;

/** An instant so many times 24 hours later. */
const daysAfter = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY_MS);

function newDose(
  schedule: ScheduleRecord,
  { localDay, wallTime, dueDate, doseAmount }: Occurrence,
  now: Date,
): DoseRecord {
  const lead = schedule.reminderLeadMinutes;
  return {
    id: scheduledDoseId(schedule.id, localDay, wallTime),
    scheduleId: schedule.id,
    scheduleRevision: schedule.revision,
    name: schedule.name,
    compoundId: schedule.compoundId,
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

/** Doses of a schedule that no remaking takes away: what was done, what is due, and what other zones left near by. */
async function listKeptDoses(
  ctx: Ctx,
  schedule: ScheduleRecord,
  from: Date,
  to: Date,
): Promise<DoseRecord[]> {
  const near = { scheduleId: schedule.id, from: daysAfter(from, -2), before: daysAfter(to, 2) };
  const doses = await ctx.repos.doses.list(schedule.userId, near);
  return doses.filter(
    ({ status, scheduleRevision }) => status !== 'pending' || scheduleRevision !== schedule.revision,
  );
}

/**
 * Takes away the future doses that an earlier revision of a schedule left, and makes those that are missing from an
 * instant to 36 days from now. Doing it twice, or in two processes at once, makes each dose once.
 * @param from made before this instant is not looked at
 * @returns whether the schedule was still the same at the end; if not, what was made may be wrong and is to be redone
 */
async function fillSchedule(ctx: Ctx, schedule: ScheduleRecord, from: Date): Promise<boolean> {
  const { userId, id, revision } = schedule;
  const now = ctx.now();
  const to = daysAfter(now, GENERATED_DAYS);
  await ctx.repos.doses.removeFuturePending(userId, id, now, revision);
  if (schedule.isActive) {
    const kept = await listKeptDoses(ctx, schedule, from, to);
    const made = dosesToMake(occurrences(schedule, { from, to }), kept, schedule.times.length);
    await ctx.repos.doses.insertMany(
      userId,
      made.map((dose) => newDose(schedule, dose, now)),
    );
  }
  const isOver = isOverBy(schedule, dayNumber(calendarDay(to, 'UTC')) - 2);
  const madeUntil = isOver ? FOREVER : to;
  return ctx.repos.schedules.set(userId, id, { madeUntil, claimedUntil: null }, revision);
}

/** A schedule that begins in the past gets the doses of the last day, which can still be taken; older ones are filled in. */
const LOOK_BACK_DAYS = 1;
/** How long another worker keeps off a schedule. */
const LEASE_MS = 60_000;
/** For somebody who changes a schedule again and again while its doses are made; the next look finds the rest. */
const MAX_ATTEMPTS = 5;
/** Schedules of one round of the worker; what is left comes with the next. */
const MAX_PER_ROUND = 500;

/**
 * The dates that a schedule shows: its next pending dose, and when the last one was taken. To be asked for after
 * whatever changes one of its doses.
 */
export async function refreshScheduleDates(ctx: Ctx, ownerId: string, scheduleId: string): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.findOne(ownerId, scheduleId);
  if (schedule === null) return;
  const { doses, schedules } = ctx.repos;
  const [pending] = await doses.list(ownerId, { scheduleId, status: 'pending', from: ctx.now(), limit: 1 });
  const [taken] = await doses.list(ownerId, { scheduleId, status: 'taken', latestFirst: true, limit: 1 });
  const later = schedule.isActive ? nextOccurrence(schedule, schedule.madeUntil) : null;
  const nextDoseDate = pending?.dueDate ?? later?.dueDate ?? null;
  const lastDoseDate = taken?.takenAt ?? schedule.lastDoseBefore ?? null;
  await schedules.set(ownerId, scheduleId, { nextDoseDate, lastDoseDate });
}

/** Fills, and again while the schedule is changed meanwhile. @returns the schedule as it was last seen */
async function fillUntilStable(ctx: Ctx, schedule: ScheduleRecord, from: Date): Promise<void> {
  let current = schedule;
  let begin = from;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (await fillSchedule(ctx, current, begin)) return;
    const changed = await ctx.repos.schedules.findOne(current.userId, current.id);
    if (changed === null) return ctx.repos.doses.removeFuturePending(current.userId, current.id, null);
    [current, begin] = [changed, ctx.now()];
  }
}

/**
 * Makes the doses of one schedule for 35 days from now, takes those away that it has no more, and sets its dates. For
 * the request that makes or changes it.
 * @param from doses due before it are not made; by default those of the last day are
 */
export async function generateDoses(
  ctx: Ctx,
  ownerId: string,
  scheduleId: string,
  from?: Date,
): Promise<void> {
  authorise(ctx.actor, 'schedule.make-doses', { ownerId });
  const schedule = await ctx.repos.schedules.findOne(ownerId, scheduleId);
  if (schedule === null) return;
  await fillUntilStable(ctx, schedule, from ?? daysAfter(ctx.now(), -LOOK_BACK_DAYS));
  await refreshScheduleDates(ctx, ownerId, scheduleId);
}

/** Where making goes on: where it ended, but no further back than what can still be taken. */
function resumeFrom(schedule: ScheduleRecord, now: Date): Date {
  const earliest = daysAfter(now, -LOOK_BACK_DAYS);
  return schedule.madeUntil > earliest ? schedule.madeUntil : earliest;
}

async function isPremium(ctx: Ctx, userId: string): Promise<boolean> {
  const user = await ctx.repos.users.findById(userId);
  return user !== null && entitlementOf(user, ctx.now()).isPremium;
}

/**
 * The worker's step: makes the doses of all schedules that run short of them. Each schedule is claimed for a minute by
 * one worker; of one that dies, another takes over. Schedules of accounts that are not premium wait for a day.
 * @returns how many schedules it saw to
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

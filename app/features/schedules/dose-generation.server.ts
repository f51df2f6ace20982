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

/** Doses are there for at least so many days from now (decisions, section 9). */
export const DAYS_AHEAD = 35;
/** A day more is made, so that a schedule is looked at once a day. */
const GENERATED_DAYS = DAYS_AHEAD + 1;
/** Made until here: there is nothing more to make. */
const FOREVER = new Date('9999-12-31T00:00:00Z');
const MINUTE_MS = 60_000;

/** An instant so many times 24 hours later. */
export const daysAfter = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY_MS);

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
async function listKeptDoses(ctx: Ctx, schedule: ScheduleRecord, from: Date, to: Date): Promise<DoseRecord[]> {
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
export async function fillSchedule(ctx: Ctx, schedule: ScheduleRecord, from: Date): Promise<boolean> {
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

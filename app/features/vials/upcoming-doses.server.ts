import { zoneClock, type ZoneClock } from '#app/domain/schedules/zone-clock.ts';
import { occurrences } from '#app/domain/schedules/occurrences.ts';
import type { FutureDose } from '#app/domain/vials/vial.ts';
import { calendarDay } from '#app/domain/time/days.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

interface Due extends FutureDose {
  at: number;
}

/** What the schedules will ask for after the doses that are made ahead, by their own rules. */
function beyondMade(schedules: readonly ScheduleRecord[], now: Date, to: Date, timeZone: string): Due[] {
  const clocks = new Map<string, ZoneClock>();
  return schedules.flatMap((schedule) => {
    const clock = clocks.get(schedule.timeZone) ?? zoneClock(schedule.timeZone);
    clocks.set(schedule.timeZone, clock);
    const from = schedule.madeUntil > now ? schedule.madeUntil : now;
    if (from >= to) return [];
    return occurrences(schedule, { from, to }, clock).map(({ dueDate, doseAmount }) => ({
      at: dueDate.getTime(),
      name: schedule.name,
      day: calendarDay(dueDate, timeZone),
      mg: massInMg(doseAmount, schedule.doseUnit).toFixed(),
      compoundId: schedule.compoundId,
    }));
  });
}

/**
 * The doses that are to be taken from now up to an instant: those that are made, with whatever was changed about each,
 * then those that the schedules' rules give.
 * @param timeZone the owner's, in which their days are counted
 */
export async function futureDoses(
  ctx: Ctx,
  ownerId: string,
  to: Date,
  timeZone: string,
): Promise<FutureDose[]> {
  const now = ctx.now();
  const [made, schedules] = await Promise.all([
    ctx.repos.doses.futureOf(ownerId, now, to),
    ctx.repos.schedules.listActive(ownerId),
  ]);
  const due: Due[] = made.map((dose) => ({
    at: dose.dueDate.getTime(),
    name: dose.name,
    day: calendarDay(dose.dueDate, timeZone),
    mg: massInMg(dose.doseAmount, dose.doseUnit).toFixed(),
    compoundId: dose.compoundId,
  }));
  return [...due, ...beyondMade(schedules, now, to, timeZone)].sort((a, b) => a.at - b.at);
}

import { DAY_MS } from '#app/domain/time/calendar.ts';
import { DateTime } from 'luxon';
import { moveKey } from './plan-changes.ts';
import { occurrences, plannedKey } from './occurrences.ts';
import { shownDay } from './schedule-view.ts';
import { hasTimes, type ScheduleRule } from './schedule-rule.ts';

const TRAVEL_DAYS = 7;

/** A dose while travelling: when it is due if the schedule keeps home time, and if it follows local time. */
export interface TravelDose {
  /** Day and time of day as set in the schedule: "Mon 9 Mar 2026", "08:00". */
  day: string;
  wallTime: string;
  /** Both in local time, with the day if it differs: "14:00", "01:00 on Tue 10 Mar 2026". */
  keepingHome: string;
  followingLocal: string;
  /** The two instants. */
  homeInstant: Date;
  localInstant: Date;
}

function shownHere(instant: Date, timeZone: string, day: string): string {
  const here = DateTime.fromJSDate(instant, { zone: timeZone });
  const hereDay = here.toFormat('yyyy-MM-dd');
  return hereDay === day ? here.toFormat('HH:mm') : `${here.toFormat('HH:mm')} on ${shownDay(hereDay)}`;
}

/**
 * The doses of the next seven days in home time and in another zone's time.
 * @returns an empty list if both give the same instants, or there are no doses
 */
export function travelDoses(rule: ScheduleRule, zone: string, now: Date): TravelDose[] {
  // Kinds without times of day are not affected by the zone.
  if (!hasTimes(rule.frequency)) return [];
  const from = now.getTime();
  // Two more days on either side, because a dose may fall just outside the week in the other zone.
  const wide = { from: new Date(from - 2 * DAY_MS), to: new Date(from + (TRAVEL_DAYS + 2) * DAY_MS) };
  const local = new Map(
    occurrences({ ...rule, timeZone: zone }, wide).map((dose) => [moveKey(plannedKey(dose)), dose.dueDate]),
  );
  const home = occurrences(rule, { from: now, to: new Date(from + TRAVEL_DAYS * DAY_MS) });
  const doses = home.flatMap((dose) => {
    const { localDay, wallTime, dueDate } = dose;
    const localInstant = local.get(moveKey(plannedKey(dose)));
    if (localInstant === undefined) return [];
    return [
      {
        day: shownDay(localDay),
        wallTime,
        keepingHome: shownHere(dueDate, zone, localDay),
        followingLocal: shownHere(localInstant, zone, localDay),
        homeInstant: dueDate,
        localInstant,
      },
    ];
  });
  return doses.every((dose) => dose.homeInstant.getTime() === dose.localInstant.getTime()) ? [] : doses;
}

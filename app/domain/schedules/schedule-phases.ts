import { doseOfWeek, rampSteps } from './dose-amount.ts';
import { dayNumber, dayText } from './day-number.ts';
import type { ScheduleRule } from './schedule-types.ts';

const WEEK_DAYS = 7;
/** Enough to see where it leads; a course goes on forever. */
const MOST_PHASES = 24;
const COURSE_ROUNDS = 2;

/** Weeks in which a schedule stays the same. */
export interface Phase {
  /** 1 for the week that begins on the start date. */
  readonly firstWeek: number;
  /** Null when it goes on without an end. */
  readonly lastWeek: number | null;
  readonly firstDay: string;
  readonly lastDay: string | null;
  /** Decimal text in the schedule's unit; null for weeks without doses. */
  readonly dose: string | null;
}

function doseInWeek(rule: ScheduleRule, week: number): string | null {
  const { course } = rule;
  if (course !== null && week % (course.weeksOn + course.weeksOff) >= course.weeksOn) return null;
  return doseOfWeek(rule, week);
}

/** The first week from which on nothing new comes. */
function settledWeek({ ramp, course, startDate, endDate }: ScheduleRule): number {
  const rampEnd = ramp === null ? 0 : rampSteps(ramp) * ramp.everyWeeks;
  const round = course === null ? 0 : (course.weeksOn + course.weeksOff) * COURSE_ROUNDS;
  const end =
    endDate === null ? Infinity : Math.floor((dayNumber(endDate) - dayNumber(startDate)) / WEEK_DAYS) + 1;
  return Math.min(end, Math.max(rampEnd, round));
}

/**
 * The phases of a ramp and a course in their order, at most 24; none for a schedule with neither. Of a course that goes
 * on, two rounds are given.
 */
export function phasesOf(rule: ScheduleRule): Phase[] {
  if (rule.ramp === null && rule.course === null) return [];
  const start = dayNumber(rule.startDate);
  const settled = settledWeek(rule);
  const starts: { week: number; dose: string | null }[] = [];
  for (let week = 0; week <= settled && starts.length <= MOST_PHASES; week += 1) {
    const dose = doseInWeek(rule, week);
    if (starts.length === 0 || starts.at(-1)?.dose !== dose) starts.push({ week, dose });
  }
  const isOver = rule.endDate !== null && start + settled * WEEK_DAYS > dayNumber(rule.endDate);
  // What begins where a course starts over, or after the end date, only bounds the phase before it.
  const bound = isOver || rule.course !== null ? settled : Infinity;
  return starts
    .filter(({ week }) => week < bound)
    .slice(0, MOST_PHASES)
    .map(({ week, dose }, index) => {
      const next = starts[index + 1]?.week ?? bound;
      const last = next === Infinity ? null : dayText(start + next * WEEK_DAYS - 1);
      const cut = last !== null && rule.endDate !== null && rule.endDate < last ? rule.endDate : last;
      return {
        firstWeek: week + 1,
        lastWeek: next === Infinity ? null : next,
        firstDay: dayText(start + week * WEEK_DAYS),
        lastDay: cut ?? rule.endDate,
        dose,
      };
    });
}

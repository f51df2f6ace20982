import { doseText } from '#app/domain/units/quantity.ts';
import { zoneName } from '#app/domain/time/time-zone.ts';
import { DateTime } from 'luxon';
import {
  doseOfWeek,
  rampSteps,
  weekAfterWeeksOn,
  type ScheduleRule,
  type Occurrence,
} from './schedule-rule.ts';
import { dayNumber, dayText } from '#app/domain/time/calendar-day.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import { courseSummary, describeSchedule, doseSummary } from './describe-schedule.ts';

const WEEK_DAYS = 7;
/** Enough to see where it leads; a course goes on forever. */
const MOST_PHASES = 24;
const COURSE_ROUNDS = 2;

/** Weeks in which a schedule stays the same. */
interface Phase {
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
  const rampEnd = ramp === null ? 0 : weekAfterWeeksOn(course, rampSteps(ramp) * ramp.everyWeeks);
  const length = course === null ? 0 : course.weeksOn + course.weeksOff;
  // Of a course all of the round in which the ramp ends, so that the last dose is seen.
  const round = length * Math.max(COURSE_ROUNDS, length === 0 ? 0 : Math.floor(rampEnd / length) + 1);
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

/** A dose of a schedule as people read it, on the schedule's own clock. */
export interface ShownDose {
  /** "Mon 9 Mar 2026" */
  day: string;
  /** "08:00", as the clock shows it then. */
  time: string;
  /** "0.25 mg" */
  amount: string;
  /** Why the time is not the schedule's: the clock jumps over that one. */
  note: string | null;
}

/** A calendar day (YYYY-MM-DD) as people read it: "Mon 9 Mar 2026". */
export function shownDay(day: string): string {
  return DateTime.fromISO(day, { zone: 'utc' }).setLocale('en-GB').toFormat('ccc d LLL yyyy');
}

/** A dose with day, time and amount in words. */
export function shownDose(
  { dueDate, wallTime, doseAmount }: Occurrence,
  { timeZone, doseUnit }: Pick<ScheduleRule, 'timeZone' | 'doseUnit'>,
): ShownDose {
  const local = DateTime.fromJSDate(dueDate, { zone: timeZone }).setLocale('en-GB');
  const time = local.toFormat('HH:mm');
  return {
    day: local.toFormat('ccc d LLL yyyy'),
    time,
    amount: doseText(doseAmount, doseUnit),
    note: time === wallTime ? null : `the clock skips ${wallTime} on this day`,
  };
}

/** An instant on the clock of a schedule, with the zone's name where it is not the reader's. */
export function shownIn(instant: Date, timeZone: string, readersZone: string): string {
  const text = shownInstant(instant, timeZone);
  return timeZone === readersZone ? text : `${text} (${zoneName(timeZone)})`;
}

/** A phase of a ramp or a course as people read it. */
export interface ShownPhase {
  /** "1–4", or "9 on". */
  weeks: string;
  /** "Thu 1 Jan 2026 – Wed 28 Jan 2026" */
  days: string;
  /** "0.25 mg", or "no doses". */
  dose: string;
  isNow: boolean;
}

function weekWords({ firstWeek, lastWeek }: Phase): string {
  if (lastWeek === null) return `${firstWeek} on`;
  return firstWeek === lastWeek ? String(firstWeek) : `${firstWeek}–${lastWeek}`;
}

/** The phases of a schedule in words. @param today the calendar day (YYYY-MM-DD) of its zone */
export function shownPhases(rule: ScheduleRule, today: string): ShownPhase[] {
  return phasesOf(rule).map((phase) => {
    const { firstDay, lastDay, dose } = phase;
    return {
      weeks: weekWords(phase),
      days: lastDay === null ? `from ${shownDay(firstDay)}` : `${shownDay(firstDay)} – ${shownDay(lastDay)}`,
      dose: dose === null ? 'no doses' : doseText(dose, rule.doseUnit),
      isNow: firstDay <= today && (lastDay === null || today <= lastDay),
    };
  });
}

/** What a schedule would be like, before it is saved. */
export interface ShownPreview {
  /** "Every day at 08:00, 0.25 mg" */
  words: string;
  timeZone: string;
  doses: ShownDose[];
  phases: ShownPhase[];
}

/** A preview in words. @param today the calendar day (YYYY-MM-DD) of its zone */
export function shownPreview(rule: ScheduleRule, doses: readonly Occurrence[], today: string): ShownPreview {
  const course = rule.course === null ? [] : [courseSummary(rule.course)];
  const onTime = rule.frequency.kind === 'after-last' ? ['shown as if each is taken when it is due'] : [];
  return {
    words: [describeSchedule(rule), doseSummary(rule), ...course, ...onTime].join(', '),
    timeZone: rule.timeZone,
    doses: doses.map((dose) => shownDose(dose, rule)),
    phases: shownPhases(rule, today),
  };
}

import { doseWords, type Blend } from '#app/domain/vials/contents.ts';
import { zoneName, shownInstant } from '#app/domain/time/zoned-time.ts';
import { DateTime } from 'luxon';
import {
  doseOfDay,
  rampSteps,
  weekAfterWeeksOn,
  type ScheduleRule,
  type Occurrence,
} from './schedule-rule.ts';
import { dayNumber, dayText } from '#app/domain/time/calendar.ts';
import { type DoseKey, pausedDays, pauseOn, pauseText, blendOn } from './plan-changes.ts';
import {
  courseSummary,
  describeSchedule,
  doseSummary,
  vialEndText,
  type BlendedRule,
} from './describe-schedule.ts';

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
  /** What the dose is drawn from, when that is a blend. */
  readonly blend: Blend | null;
}

/** What a schedule has on a day (see `dayNumber`): its dose, null in weeks without doses and in a pause. */
function doseInPlan(rule: ScheduleRule, day: number): string | null {
  const { course, startDate, pauses } = rule;
  const week = Math.floor((day - dayNumber(startDate)) / WEEK_DAYS);
  if (course !== null && week % (course.weeksOn + course.weeksOff) >= course.weeksOn) return null;
  const text = dayText(day);
  return pauseOn(pauses, text) === null ? doseOfDay(rule, day, text) : null;
}

/** How many days of pauses lie between the first day and the last day of the last pause. */
function daysOfPauses({ pauses, startDate }: ScheduleRule): number {
  const last = pauses?.at(-1)?.lastDay;
  return last === undefined || last < startDate ? 0 : pausedDays(pauses, startDate, last);
}

/** The number of days after which nothing new comes. */
function settledDays(rule: ScheduleRule): number {
  const { ramp, course, startDate, endDate } = rule;
  const rampEnd = ramp === null ? 0 : weekAfterWeeksOn(course, rampSteps(ramp) * ramp.everyWeeks);
  const length = course === null ? 0 : course.weeksOn + course.weeksOff;
  // Of a course all of the round in which the ramp ends, so that the last dose is seen.
  const round = length * Math.max(COURSE_ROUNDS, length === 0 ? 0 : Math.floor(rampEnd / length) + 1);
  const days = dayCount(Math.max(rampEnd, round) * WEEK_DAYS + daysOfPauses(rule), length);
  if (endDate === null) return days;
  const weeks = Math.floor((dayNumber(endDate) - dayNumber(startDate)) / WEEK_DAYS) + 1;
  return Math.min(weeks * WEEK_DAYS, days);
}

/** So many days, up to the end of a round of so many weeks. */
const dayCount = (days: number, weeks: number): number =>
  weeks === 0 ? days : Math.ceil(days / (weeks * WEEK_DAYS)) * weeks * WEEK_DAYS;

/**
 * The phases of a ramp and a course in their order, at most 24; none for a schedule with neither. Of a course that goes
 * on, two rounds are given. Days of a pause are a phase without doses.
 */
export function phasesOf(rule: BlendedRule<ScheduleRule>): Phase[] {
  if (rule.ramp === null && rule.course === null) return [];
  const start = dayNumber(rule.startDate);
  const settled = settledDays(rule);
  const starts: (Pick<Phase, 'dose' | 'blend'> & { day: number })[] = [];
  for (let day = 0; day <= settled && starts.length <= MOST_PHASES; day += 1) {
    const dose = doseInPlan(rule, start + day);
    const blend = dose === null ? null : blendOn(rule, dayText(start + day));
    const last = starts.at(-1);
    if (last === undefined || last.dose !== dose || last.blend !== blend) starts.push({ day, dose, blend });
  }
  const isOver = rule.endDate !== null && start + settled > dayNumber(rule.endDate);
  // What begins where a course starts over, or after the end date, only bounds the phase before it.
  const bound = isOver || rule.course !== null ? settled : Infinity;
  return starts
    .filter(({ day }) => day < bound)
    .slice(0, MOST_PHASES)
    .map(({ day, dose, blend }, index) => {
      const next = starts[index + 1]?.day ?? bound;
      const last = next === Infinity ? null : dayText(start + next - 1);
      const cut = last !== null && rule.endDate !== null && rule.endDate < last ? rule.endDate : last;
      return {
        firstWeek: Math.floor(day / WEEK_DAYS) + 1,
        lastWeek: next === Infinity ? null : Math.ceil(next / WEEK_DAYS),
        firstDay: dayText(start + day),
        lastDay: cut ?? rule.endDate,
        dose,
        blend,
      };
    });
}

/** A dose of a schedule as people read it, on the schedule's own clock. */
export interface ShownDose {
  /** "Mon 9 Mar 2026" */
  day: string;
  /** "08:00", as the clock shows it then. */
  time: string;
  /** "0.25 mg"; of a blend each component. */
  amount: string;
  /** Why the time is not the schedule's: the clock jumps over that one, or the dose was moved. */
  note: string | null;
}

/** A calendar day (YYYY-MM-DD) as people read it: "Mon 9 Mar 2026". */
export function shownDay(day: string): string {
  return DateTime.fromISO(day, { zone: 'utc' }).setLocale('en-GB').toFormat('ccc d LLL yyyy');
}

/** A dose with day, time and amount in words. */
export function shownDose(
  { dueDate, wallTime, doseAmount, movedFrom = null }: Occurrence,
  { timeZone, doseUnit, blend }: BlendedRule<Pick<ScheduleRule, 'timeZone' | 'doseUnit'>>,
): ShownDose {
  const local = DateTime.fromJSDate(dueDate, { zone: timeZone }).setLocale('en-GB');
  const time = local.toFormat('HH:mm');
  return {
    day: local.toFormat('ccc d LLL yyyy'),
    time,
    amount: doseWords(doseAmount, doseUnit, blend),
    note: noteOf(time === wallTime ? null : wallTime, movedFrom),
  };
}

function noteOf(skipped: string | null, movedFrom: DoseKey | null): string | null {
  const notes = [
    ...(skipped === null ? [] : [`the clock skips ${skipped} on this day`]),
    // A dose that counts from the last one has no place of its own in the plan.
    ...(movedFrom === null || movedFrom.localDay === 'after'
      ? []
      : [`moved from ${shownDay(movedFrom.localDay)}, ${movedFrom.wallTime}`]),
  ];
  return notes.length === 0 ? null : notes.join(', ');
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
  if (lastWeek === null) return `from ${firstWeek}`;
  return firstWeek === lastWeek ? String(firstWeek) : `${firstWeek}–${lastWeek}`;
}

/** The phases of a schedule in words. @param today the calendar day (YYYY-MM-DD) of its zone */
export function shownPhases(rule: BlendedRule<ScheduleRule>, today: string): ShownPhase[] {
  return phasesOf(rule).map((phase) => {
    const { firstDay, lastDay, dose, blend } = phase;
    return {
      weeks: weekWords(phase),
      days: lastDay === null ? `from ${shownDay(firstDay)}` : `${shownDay(firstDay)} – ${shownDay(lastDay)}`,
      dose: dose === null ? 'no doses' : doseWords(dose, rule.doseUnit, blend),
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

/** What the list of doses means for a kind whose doses follow from when they are taken. */
function kindNote({ frequency }: ScheduleRule): string[] {
  switch (frequency.kind) {
    case 'after-last':
      return ['assuming you take each one when it is due'];
    case 'as-needed':
      return ['no planned doses'];
    default:
      return [];
  }
}

/**
 * A preview in words.
 * @param today the calendar day (YYYY-MM-DD) of its zone
 * @param endsAbout the day (YYYY-MM-DD) on which the vial with which it ends will be used up, if that can be said
 */
export function shownPreview(
  rule: BlendedRule<ScheduleRule>,
  { doses, endsAbout }: { doses: readonly Occurrence[]; endsAbout: string | null },
  today: string,
): ShownPreview {
  const vialEnd = vialEndText(rule, endsAbout);
  const course = rule.course === null ? [] : [courseSummary(rule.course)];
  const pauses = (rule.pauses ?? [])
    .filter(({ lastDay }) => lastDay >= today)
    .map((pause) => `paused ${pauseText(pause)}`);
  return {
    words: [
      describeSchedule(rule),
      doseSummary(rule),
      ...course,
      ...kindNote(rule),
      ...pauses,
      ...(vialEnd === null ? [] : [vialEnd]),
    ].join(', '),
    timeZone: rule.timeZone,
    doses: doses.map((dose) => shownDose(dose, { ...rule, blend: blendOn(rule, dose.localDay) })),
    phases: shownPhases(rule, today),
  };
}

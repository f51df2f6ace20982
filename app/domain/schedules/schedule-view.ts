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
/** Maximum number of phases shown; a course repeats forever. */
const MOST_PHASES = 24;
const COURSE_ROUNDS = 2;

/** A period in which the dose of a schedule stays the same. */
interface Phase {
  /** 1 for the week that begins on the start date. */
  readonly firstWeek: number;
  /** Null if it has no end. */
  readonly lastWeek: number | null;
  readonly firstDay: string;
  readonly lastDay: string | null;
  /** Decimal text in the schedule's unit; null for weeks without doses. */
  readonly dose: string | null;
  /** What the dose is drawn from, when that is a blend. */
  readonly blend: Blend | null;
}

/** The dose of a schedule on a day (see `dayNumber`); null in weeks without doses and in a pause. */
function doseInPlan(rule: ScheduleRule, day: number): string | null {
  const { course, startDate, pauses } = rule;
  const week = Math.floor((day - dayNumber(startDate)) / WEEK_DAYS);
  if (course !== null && week % (course.weeksOn + course.weeksOff) >= course.weeksOn) return null;
  const text = dayText(day);
  return pauseOn(pauses, text) === null ? doseOfDay(rule, day, text) : null;
}

/** Number of paused days from the start date to the end of the last pause. */
function daysOfPauses({ pauses, startDate }: ScheduleRule): number {
  const last = pauses?.at(-1)?.lastDay;
  return last === undefined || last < startDate ? 0 : pausedDays(pauses, startDate, last);
}

/** The number of days after which the dose no longer changes, or the course only repeats. */
function settledDays(rule: ScheduleRule): number {
  const { ramp, course, startDate, endDate } = rule;
  const rampEnd = ramp === null ? 0 : weekAfterWeeksOn(course, rampSteps(ramp) * ramp.everyWeeks);
  const length = course === null ? 0 : course.weeksOn + course.weeksOff;
  // For a course, include the whole round in which the ramp ends, so that the last dose is shown.
  const round = length * Math.max(COURSE_ROUNDS, length === 0 ? 0 : Math.floor(rampEnd / length) + 1);
  const days = dayCount(Math.max(rampEnd, round) * WEEK_DAYS + daysOfPauses(rule), length);
  if (endDate === null) return days;
  const weeks = Math.floor((dayNumber(endDate) - dayNumber(startDate)) / WEEK_DAYS) + 1;
  return Math.min(weeks * WEEK_DAYS, days);
}

/** Rounds days up to the end of a round of `weeks` weeks. */
const dayCount = (days: number, weeks: number): number =>
  weeks === 0 ? days : Math.ceil(days / (weeks * WEEK_DAYS)) * weeks * WEEK_DAYS;

/**
 * The phases of a ramp and a course in order, at most 24; none for a schedule with neither. A course is shown for at least two
 * rounds. A pause is a phase without doses.
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
  // A phase that starts where the course repeats, or after the end date, only limits the previous one.
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

/** A dose of a schedule as text, in the schedule's own time zone. */
export interface ShownDose {
  /** "Mon 9 Mar 2026" */
  day: string;
  /** "08:00", the actual local time. */
  time: string;
  /** "0.25 mg"; for a blend, each component. */
  amount: string;
  /** Why the time differs from the schedule's: the clock skips that time, or the dose was moved. */
  note: string | null;
}

/** A calendar day (YYYY-MM-DD) as text: "Mon 9 Mar 2026". */
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
    // A dose that counts from the last one has no original day and time.
    ...(movedFrom === null || movedFrom.localDay === 'after'
      ? []
      : [`moved from ${shownDay(movedFrom.localDay)}, ${movedFrom.wallTime}`]),
  ];
  return notes.length === 0 ? null : notes.join(', ');
}

/** An instant in a schedule's zone, with the zone's name if it differs from the reader's. */
export function shownIn(instant: Date, timeZone: string, readersZone: string): string {
  const text = shownInstant(instant, timeZone);
  return timeZone === readersZone ? text : `${text} (${zoneName(timeZone)})`;
}

/** A phase of a ramp or a course as text. */
export interface ShownPhase {
  /** "1–4", or "from 9". */
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

/** The phases of a schedule as text. @param today the calendar day (YYYY-MM-DD) in its zone */
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

/** A schedule before it is saved, as text. */
export interface ShownPreview {
  /** "Every day at 08:00, 0.25 mg" */
  words: string;
  timeZone: string;
  doses: ShownDose[];
  phases: ShownPhase[];
}

/** Explains the list of doses for kinds whose doses depend on when they are taken. */
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
 * A preview as text.
 * @param endsAbout the day (YYYY-MM-DD) the vial it ends with will be used up; null if unknown
 * @param today the calendar day (YYYY-MM-DD) in its zone
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

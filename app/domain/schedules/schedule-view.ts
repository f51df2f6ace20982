import { DateTime } from 'luxon';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import { courseSummary, describeSchedule, doseSummary } from './describe-schedule.ts';
import { phasesOf, type Phase } from './schedule-phases.ts';
import type { Occurrence, ScheduleRule } from './schedule-types.ts';

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
    amount: `${doseAmount} ${doseUnit}`,
    note: time === wallTime ? null : `the clock skips ${wallTime} on this day`,
  };
}

/** An instant on the clock of a schedule, with the zone's name where it is not the reader's. */
export function shownIn(instant: Date, timeZone: string, readersZone: string): string {
  const text = shownInstant(instant, timeZone);
  return timeZone === readersZone ? text : `${text} (${timeZone.replaceAll('_', ' ')})`;
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
      dose: dose === null ? 'no doses' : `${dose} ${rule.doseUnit}`,
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
  return {
    words: [describeSchedule(rule), doseSummary(rule), ...course].join(', '),
    timeZone: rule.timeZone,
    doses: doses.map((dose) => shownDose(dose, rule)),
    phases: shownPhases(rule, today),
  };
}

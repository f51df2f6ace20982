import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { doseWords, type Blend } from '#app/domain/vials/contents.ts';
import { plural } from '#app/domain/text/plural.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import {
  WEEKDAYS,
  type AsNeeded,
  type Course,
  type Frequency,
  type MonthDay,
  type Ramp,
  type ScheduleRule,
  type Weekday,
} from './schedule-rule.ts';

export const WEEKDAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const WORKING_WEEK = 5;

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function weekdayText(chosen: readonly Weekday[]): string {
  const sorted = WEEKDAYS.filter((day) => chosen.includes(day));
  if (sorted.length === WEEKDAYS.length) return 'Every day';
  const working = WEEKDAYS.slice(0, WORKING_WEEK);
  if (sorted.length === WORKING_WEEK && working.every((day) => sorted.includes(day)))
    return 'Monday to Friday';
  const [only] = sorted;
  return sorted.length === 1 && only !== undefined
    ? `Every ${WEEKDAY_NAMES[only]}`
    : listed(sorted.map((day) => WEEKDAY_NAMES[day]));
}

const ORDINAL_ENDINGS: Readonly<Record<number, string>> = {
  1: 'st',
  2: 'nd',
  3: 'rd',
  21: 'st',
  22: 'nd',
  23: 'rd',
  31: 'st',
};
/** The last day that every month has. */
const SHORTEST_MONTH = 28;

/** "the 15th", "the last day", "the 31st (the last day of shorter months)" */
function monthDayText(day: MonthDay): string {
  if (day === 'last') return 'the last day';
  const text = `the ${day}${ORDINAL_ENDINGS[day] ?? 'th'}`;
  return day > SHORTEST_MONTH ? `${text} (the last day of shorter months)` : text;
}

/** "As needed, at least 4 hours apart, at most 3 a day" */
function asNeededText({ minGapHours, maxPerDay }: AsNeeded): string {
  const gap = minGapHours === undefined ? [] : [`at least ${plural(minGapHours, 'hour')} apart`];
  const most = maxPerDay === undefined ? [] : [`at most ${maxPerDay} a day`];
  return ['As needed', ...gap, ...most].join(', ');
}

/** "Every 3 days" */
export function frequencyText(frequency: Frequency): string {
  switch (frequency.kind) {
    case 'daily':
      return 'Every day';
    case 'weekdays':
      return weekdayText(frequency.weekdays);
    case 'interval':
      return frequency.every === 1 ? 'Every day' : `Every ${frequency.every} days`;
    case 'cycle':
      return `${plural(frequency.on, 'day')} on, ${plural(frequency.off, 'day')} off`;
    case 'monthly':
      return `Every month on ${monthDayText(frequency.day)}`;
    case 'after-last':
      return `${plural(frequency.everyHours, 'hour')} after the last dose`;
    case 'as-needed':
      return asNeededText(frequency);
    case 'once':
      return 'Once';
  }
}

/** "0.25 mg, then 0.25 mg more every 4 weeks, up to 1 mg"; for a blend, each amount lists every component. */
export function rampText(
  { start, step, everyWeeks, target }: Ramp,
  unit: DoseUnit,
  blend?: Blend | null,
): string {
  const isDown = step.startsWith('-');
  const every = everyWeeks === 1 ? 'every week' : `every ${everyWeeks} weeks`;
  const words = (amount: string) => doseWords(amount, unit, blend);
  const change = `${words(step.replace('-', ''))} ${isDown ? 'less' : 'more'}`;
  return `${words(start)}, then ${change} ${every}, ${isDown ? 'down' : 'up'} to ${words(target)}`;
}

/** "8 weeks on, 4 weeks off" */
export function courseSummary({ weeksOn, weeksOff }: Course): string {
  return `${plural(weeksOn, 'week')} on, ${plural(weeksOff, 'week')} off`;
}

/** "Every day at 08:00 and 20:00", "8 hours after the last dose" */
export function describeSchedule({ frequency, times }: Pick<ScheduleRule, 'frequency' | 'times'>): string {
  return times.length === 0 ? frequencyText(frequency) : `${frequencyText(frequency)} at ${listed(times)}`;
}

/** A rule with the blend it is drawn from, if any. */
export type BlendedRule<R> = R & { readonly blend?: Blend | null | undefined };

/**
 * "ends with the vial, about 3 Jan 2027"; null for a schedule that does not.
 * @param about the day (YYYY-MM-DD) the vial will be used up; null if unknown
 */
export function vialEndText(
  { endsWithVial, stopsAt, timeZone }: Pick<ScheduleRule, 'endsWithVial' | 'stopsAt' | 'timeZone'>,
  about: string | null,
): string | null {
  if (stopsAt) return `ended with its vial on ${shownDay(calendarDay(stopsAt, timeZone))}`;
  if (endsWithVial !== true) return null;
  return `ends with the vial${about === null ? '' : `, about ${shownDay(about)}`}`;
}

/** "250 mcg", or the ramp; for a blend, with each component. */
export function doseSummary({
  ramp,
  doseAmount,
  doseUnit,
  blend,
}: BlendedRule<Pick<ScheduleRule, 'ramp' | 'doseAmount' | 'doseUnit'>>): string {
  return ramp === null ? doseWords(doseAmount, doseUnit, blend) : rampText(ramp, doseUnit, blend);
}

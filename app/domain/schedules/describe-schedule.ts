import { doseText } from '#app/domain/units/quantity.ts';
import { plural } from '#app/domain/text/plural.ts';
import {
  WEEKDAYS,
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
/** Every month has the days up to this one. */
const SHORTEST_MONTH = 28;

/** "the 15th", "the last day", "the 31st (the last day of shorter months)" */
function monthDayText(day: MonthDay): string {
  if (day === 'last') return 'the last day';
  const text = `the ${day}${ORDINAL_ENDINGS[day] ?? 'th'}`;
  return day > SHORTEST_MONTH ? `${text} (the last day of shorter months)` : text;
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
    case 'once':
      return 'Once';
  }
}

/** "0.25 mg, then 0.25 mg more every 4 weeks, up to 1 mg" */
export function rampText({ start, step, everyWeeks, target }: Ramp, unit: 'mg' | 'mcg'): string {
  const isDown = step.startsWith('-');
  const every = everyWeeks === 1 ? 'every week' : `every ${everyWeeks} weeks`;
  const change = `${doseText(step.replace('-', ''), unit)} ${isDown ? 'less' : 'more'}`;
  return `${doseText(start, unit)}, then ${change} ${every}, ${isDown ? 'down' : 'up'} to ${doseText(target, unit)}`;
}

/** "8 weeks on, 4 weeks off" */
export function courseSummary({ weeksOn, weeksOff }: Course): string {
  return `${plural(weeksOn, 'week')} on, ${plural(weeksOff, 'week')} off`;
}

/** "Every day at 08:00 and 20:00", "8 hours after the last dose" */
export function describeSchedule({ frequency, times }: Pick<ScheduleRule, 'frequency' | 'times'>): string {
  return times.length === 0 ? frequencyText(frequency) : `${frequencyText(frequency)} at ${listed(times)}`;
}

/** "250 mcg", or the ramp */
export function doseSummary({
  ramp,
  doseAmount,
  doseUnit,
}: Pick<ScheduleRule, 'ramp' | 'doseAmount' | 'doseUnit'>): string {
  return ramp === null ? doseText(doseAmount, doseUnit) : rampText(ramp, doseUnit);
}

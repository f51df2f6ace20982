import { dayNumber, weekdayIndex } from './day-number.ts';
import { WEEKDAYS, type Course, type Frequency, type ScheduleRule } from './schedule-types.ts';

const WEEK_DAYS = 7;

/** The part of a schedule that decides its days. */
export type DayRule = Pick<ScheduleRule, 'frequency' | 'startDate' | 'endDate' | 'course'>;

/** The week since the start date that a day belongs to, 0 for the first. */
export function weekOf(rule: Pick<ScheduleRule, 'startDate'>, day: number): number {
  return Math.floor((day - dayNumber(rule.startDate)) / WEEK_DAYS);
}

function comesOn(frequency: Frequency, day: number, start: number): boolean {
  switch (frequency.kind) {
    case 'daily':
      return true;
    case 'weekdays':
      return frequency.weekdays.some((name) => WEEKDAYS.indexOf(name) === weekdayIndex(day));
    case 'interval':
      return (day - start) % frequency.every === 0;
    case 'cycle':
      return (day - start) % (frequency.on + frequency.off) < frequency.on;
    case 'once':
      return day === start;
  }
}

function isWeekOn(course: Course | null, week: number): boolean {
  return course === null || week % (course.weeksOn + course.weeksOff) < course.weeksOn;
}

/** Whether a schedule has doses on a day of its zone's calendar. */
export function isDoseDay(rule: DayRule, day: number): boolean {
  const start = dayNumber(rule.startDate);
  if (day < start || (rule.endDate !== null && day > dayNumber(rule.endDate))) return false;
  return comesOn(rule.frequency, day, start) && isWeekOn(rule.course, weekOf(rule, day));
}

function lastDay({ frequency, startDate, endDate }: DayRule): number {
  const last = frequency.kind === 'once' ? startDate : endDate;
  return last === null ? Infinity : dayNumber(last);
}

/** The days with doses from one day to another, both included. */
export function* doseDays(rule: DayRule, from: number, to: number): Generator<number> {
  const start = dayNumber(rule.startDate);
  const stride = rule.frequency.kind === 'interval' ? rule.frequency.every : 1;
  const first = start + Math.ceil(Math.max(0, from - start) / stride) * stride;
  const last = Math.min(to, lastDay(rule));
  for (let day = first; day <= last; day += stride) {
    if (comesOn(rule.frequency, day, start) && isWeekOn(rule.course, weekOf(rule, day))) yield day;
  }
}

/** True when a schedule has no dose days from this one on. */
export function isOverBy(rule: DayRule, day: number): boolean {
  return lastDay(rule) < day;
}

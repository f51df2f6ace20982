export { isCalendarDay } from './calendar-day.ts';
export { calendarDay, daysBefore, instantsOfDays, localDateTime, type InstantRange } from './days.ts';
export { isTimeZone } from './time-zone.ts';

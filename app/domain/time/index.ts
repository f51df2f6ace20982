export { isCalendarDay } from './calendar-day.ts';
export { calendarDay, daysBefore, instantsOfDays, type InstantRange } from './days.ts';
export { isTimeZone } from './time-zone.ts';

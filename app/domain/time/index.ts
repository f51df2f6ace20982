export { isCalendarDay } from './calendar-day.ts';
export { calendarDay, daysBefore, instantsOfDays, localDateTime, type InstantRange } from './days.ts';
export { shownInstant } from './shown-instant.ts';
export { isTimeZone, timeZoneNames } from './time-zone.ts';

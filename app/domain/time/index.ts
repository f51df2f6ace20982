export { isCalendarDay } from './calendar-day.ts';
export {
  calendarDay,
  dayAfter,
  daysBefore,
  daysBetween,
  instantsOfDays,
  localDateTime,
  momentField,
  type InstantRange,
} from './days.ts';
export { instantOfWallTime, readMoment } from './moment.ts';
export { countDays, shownDay } from './shown-day.ts';
export { shownInstant } from './shown-instant.ts';
export { isTimeZone, timeZoneNames } from './time-zone.ts';

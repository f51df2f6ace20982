export {
  CALENDAR_VIEWS,
  calendarGrid,
  dayWords,
  type CalendarGrid,
  type CalendarView,
  type GridDay,
} from './grid.ts';

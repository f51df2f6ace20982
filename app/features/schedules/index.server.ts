export {
  changeCalendarFeed,
  getCalendarFeed,
  readCalendarFeed,
  removeCalendarFeed,
} from './calendar-feed.server.ts';
export { makeAllDosesAhead, makeDosesAhead, refreshScheduleDates } from './doses-ahead.server.ts';
export { scheduleRow } from './pages.server.ts';
export { factsOf } from './schedule-facts.server.ts';
export { scheduleChoices, submitSchedule } from './schedule-form.server.ts';
export { deleteTemplate, getTemplate, saveAsTemplate } from './schedule-templates.server.ts';
export {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  toggleSchedule,
  updateSchedule,
} from './schedules.server.ts';

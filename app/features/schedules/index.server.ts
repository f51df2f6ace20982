export {
  changeCalendarFeed,
  findCalendarFeed,
  readCalendarFeed,
  deleteCalendarFeed,
} from './calendar-feed.server.ts';
export { generateAllDoses, generateDoses, refreshScheduleDates } from './dose-schedule-dates.server.ts';
export { scheduleRow } from './pages.server.ts';
export { toScheduleFacts } from './schedule-facts.server.ts';
export { scheduleFormOptions, submitScheduleForm } from './schedule-form.server.ts';
export { deleteTemplate, getTemplate, saveAsTemplate } from './schedule-templates.server.ts';
export {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  toggleSchedule,
  updateSchedule,
} from './schedules.server.ts';

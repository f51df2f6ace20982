export {
  changeCalendarFeed,
  findCalendarFeed,
  readCalendarFeed,
  deleteCalendarFeed,
} from './calendar-feed.server.ts';
export { generateAllDoses, generateDoses, refreshScheduleDates } from './dose-generation.server.ts';
export { scheduleRow } from './pages.server.ts';
export { getTravelZones } from './schedule-travel.server.ts';
export {
  toScheduleFacts,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  toggleSchedule,
  updateSchedule,
} from './schedules.server.ts';
export { deleteTemplate, getTemplate, saveAsTemplate } from './schedule-templates.server.ts';

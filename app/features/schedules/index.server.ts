export {
  changeCalendarFeed,
  findCalendarFeed,
  readCalendarFeed,
  deleteCalendarFeed,
} from './calendar-feed.server.ts';
export {
  fitUndoneDose,
  followRelabel,
  followVialEnd,
  generateAllDoses,
  generateDoses,
  newDose,
  planBacklog,
  refreshScheduleDates,
} from './dose-generation.server.ts';
export {
  moveDose,
  previewMove,
  undoMove,
  type MovePreview,
  previewSwap,
  swapSchedule,
  undoSwap,
  type SwapPreview,
  endPause,
  savePause,
} from './plan-changes.server.ts';
export {
  beginAgain,
  planToBeginAgain,
  previewAgain,
  toScheduleFacts,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  listSchedulesOf,
  setEndsWithVial,
  toggleSchedule,
  updateSchedule,
} from './schedules.server.ts';
export { plannedDoses } from './planned-doses.server.ts';
export { scheduleRow } from './pages.server.ts';
export { getTravelZones } from './schedule-travel.server.ts';
export { deleteTemplate, getTemplate, saveAsTemplate } from './schedule-templates.server.ts';

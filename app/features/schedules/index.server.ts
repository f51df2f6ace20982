export {
  changeCalendarFeed,
  findCalendarFeed,
  readCalendarFeed,
  deleteCalendarFeed,
} from './calendar-feed.server.ts';
export {
  finishUndoneDose,
  followRelabel,
  followVialEnd,
  generateAllDoses,
  generateDoses,
  newDose,
  refreshScheduleDates,
} from './dose-generation.server.ts';
export { expectRelabel, expectVialEnd } from './schedule-vials.server.ts';
export { moveDose, previewMove, undoMove, type MovePreview } from './dose-moves.server.ts';
export { beginAgain, planToBeginAgain } from './begin-again.server.ts';
export { previewSwap, swapSchedule, undoSwap, type SwapPreview } from './swaps.server.ts';
export { endPause, savePause } from './planned-pauses.server.ts';
export { plannedDoses } from './planned-doses.server.ts';
export { scheduleRow } from './pages.server.ts';
export { getTravelZones } from './schedule-travel.server.ts';
export {
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
export { deleteTemplate, getTemplate, saveAsTemplate } from './schedule-templates.server.ts';

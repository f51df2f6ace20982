export { findAsNeededPlan, takeAsNeeded } from './as-needed.server.ts';
export { getAdherence } from './adherence.server.ts';
export { getCalendar } from './dose-lists.server.ts';
export {
  logDose,
  type TakeOutcome,
  getDose,
  previewDose,
  skipDose,
  takeDose,
  takenChanges,
  undoDose,
} from './doses.server.ts';
export { linesOfDoses, listSlotDoses, takeDoses } from './doses-together.server.ts';
export { stockKey, markMissedDoses } from './dose-effects.server.ts';
export {
  type DueDose,
  findNextDose,
  getDaySummary,
  listUpcomingDoses,
  getToday,
  getTodayPage,
} from './today.server.ts';

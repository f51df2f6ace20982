export { getAdherence } from './adherence.server.ts';
export { getCalendar, type DueDose, listDueDoses } from './dose-lists.server.ts';
export {
  logDose,
  type TakeOutcome,
  getDose,
  previewDose,
  skipDose,
  takeDose,
  undoDose,
} from './doses.server.ts';
export { finishDoseEffects, markMissedDoses } from './dose-jobs.server.ts';
export { listUpcomingDoses, getToday, getStockForecasts } from './today.server.ts';

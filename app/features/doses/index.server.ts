export { getAdherence as readAdherence } from './adherence.server.ts';
export {
  type DoseReply,
  submitDoseForm as answerDoseForm,
  submitLogForm as answerLogForm,
  getDosePage as readDose,
} from './pages.server.ts';
export { getCalendar as readCalendar, type DueDose, listDueDoses as dueDoses } from './dose-lists.server.ts';
export {
  logDose,
  type TakeOutcome,
  getDose,
  previewDose as lookAtDose,
  skipDose,
  takeDose,
} from './doses.server.ts';
export { finishDoseEffects as finishDoseStock, markMissedDoses } from './dose-jobs.server.ts';
export {
  listUpcomingDoses as readDosesAhead,
  getToday as readToday,
  getStockForecasts as stockOfToday,
} from './today.server.ts';

export { getAdherence as readAdherence } from './adherence.server.ts';
export { type DoseReply, submitDoseForm as answerDoseForm, submitLogForm as answerLogForm } from './dose-form.server.ts';
export { getCalendar as readCalendar } from './dose-lists.server.ts';
export { logDose } from './dose-log.server.ts';
export { getDosePage as readDose } from './dose-view.server.ts';
export { type TakeOutcome, getDose, previewDose as lookAtDose, skipDose, takeDose } from './doses.server.ts';
export { type DueDose, listDueDoses as dueDoses } from './due-doses.server.ts';
export { finishDoseEffects as finishDoseStock, markMissedDoses } from './mark-missed-doses.server.ts';
export { listUpcomingDoses as readDosesAhead, getToday as readToday, getStockForecasts as stockOfToday } from './today.server.ts';

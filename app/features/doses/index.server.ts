export { readAdherence } from './adherence.server.ts';
export { type DoseReply, answerDoseForm, answerLogForm } from './dose-form.server.ts';
export { readCalendar } from './dose-lists.server.ts';
export { logDose } from './dose-log.server.ts';
export { readDose } from './dose-view.server.ts';
export { type TakeOutcome, getDose, lookAtDose, skipDose, takeDose } from './doses.server.ts';
export { type DueDose, dueDoses } from './due-doses.server.ts';
export { finishDoseStock, markMissedDoses } from './mark-missed-doses.server.ts';
export { readDosesAhead, readToday, stockOfToday } from './today.server.ts';

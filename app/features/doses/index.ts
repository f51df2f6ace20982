export { AdherenceReport } from './adherence.tsx';
export { Backfill } from './backfill-form.tsx';
export { Calendar } from './calendar.tsx';
export { MoveForm } from './move-form.tsx';
export { DosePage } from './dose-page.tsx';
export { DoseAmount } from './dose-line.tsx';
export { takeHref } from './as-needed.tsx';
export { BeforeDrawing, LogForm, ShowDraw, TakeForm, DoseQuestion } from './dose-forms.tsx';
export { TodayScreen } from './today-screen.tsx';

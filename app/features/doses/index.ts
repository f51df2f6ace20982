export { AdherenceReport } from './adherence.tsx';
export { Backfill } from './backfill-form.tsx';
export { Calendar } from './calendar.tsx';
export { DosePage } from './dose-page.tsx';
export { BeforeDrawing, LogForm, ShowDraw, WarningsToConfirm } from './dose-forms.tsx';
export { TodayScreen } from './today-screen.tsx';

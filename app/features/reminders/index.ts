export { ActDone, ActLinkOver, ActPage } from './act-page.tsx';
export { Bell, MuteToday, type BellData } from './bell.tsx';
export { REMINDERS_PATH, dosePath } from './paths.ts';
export { NtfyForm, NtfyLine } from './ntfy.tsx';
export { PushBrowsers } from './push-browsers.tsx';
export { NoReminders, ReadAllForm, ReminderFilter, ReminderList, ReminderPage } from './reminder-pages.tsx';

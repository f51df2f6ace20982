export { ActDone, ActLinkOver, ActPage } from './act-page.tsx';
export { Bell, type BellData } from './bell.tsx';
export { dosePath, REMINDERS_PATH, reminderPath } from './paths.ts';
export { PushBrowsers, type PushBrowserRow } from './push-browsers.tsx';
export { NoReminders, ReadAllForm, ReminderFilter, ReminderList } from './reminder-list.tsx';
export { ReminderPage } from './reminder-page.tsx';

/** Addresses of the reminders' pages. */
export const REMINDERS_PATH = '/dashboard/reminders';
export const reminderPath = (id: string) => `${REMINDERS_PATH}/${id}`;

/** The page on which a dose is logged. */
export const dosePath = (id: string) => `/dashboard/schedule/doses/${id}`;

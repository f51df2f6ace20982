/** Addresses of the reminders' pages. */
export const REMINDERS_PATH = '/dashboard/reminders';
export const reminderPath = (id: string) => `${REMINDERS_PATH}/${id}`;

/** The page on which something is done about a dose. */
export const dosePath = (id: string) => `/dashboard/schedule/doses/${id}`;

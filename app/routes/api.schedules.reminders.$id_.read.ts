import { readReminderCall } from '#app/http/api/operations/reminders.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ PATCH: readReminderCall });

export const loader = route.loader;
export const action = route.action;

import { readReminderCall } from '#app/features/reminders/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ PATCH: readReminderCall });

export const loader = route.loader;
export const action = route.action;

import { listRemindersCall } from '#app/features/reminders/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listRemindersCall });

export const loader = route.loader;
export const action = route.action;

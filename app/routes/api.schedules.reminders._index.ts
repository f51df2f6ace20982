import { listRemindersCall } from '#app/http/api/operations/reminders.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listRemindersCall });

export const loader = route.loader;
export const action = route.action;

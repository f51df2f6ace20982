import { scheduleCalendarCall } from '#app/http/api/operations/adherence.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: scheduleCalendarCall });

export const loader = route.loader;
export const action = route.action;

import { scheduleCalendarCall } from '#app/features/doses/adherence-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: scheduleCalendarCall });

export const loader = route.loader;
export const action = route.action;

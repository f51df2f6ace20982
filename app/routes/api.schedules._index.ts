import { createScheduleCall, listSchedulesCall } from '#app/http/api/operations/schedules.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listSchedulesCall, POST: createScheduleCall });

export const loader = route.loader;
export const action = route.action;

import { toggleScheduleCall } from '#app/features/schedules/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ PATCH: toggleScheduleCall });

export const loader = route.loader;
export const action = route.action;

import { previewScheduleCall } from '#app/features/schedules/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ POST: previewScheduleCall });

export const loader = route.loader;
export const action = route.action;

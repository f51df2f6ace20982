import { scheduleStatsCall } from '#app/features/doses/adherence-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: scheduleStatsCall });

export const loader = route.loader;
export const action = route.action;

import { listMeasuresCall } from '#app/features/tracking/health/health-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listMeasuresCall });

export const loader = route.loader;
export const action = route.action;

import { addMeasurementCall, listMeasurementsCall } from '#app/features/tracking/health/health-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listMeasurementsCall, POST: addMeasurementCall });

export const loader = route.loader;
export const action = route.action;

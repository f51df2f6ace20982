import {
  changeMeasurementCall,
  deleteMeasurementCall,
  getMeasurementCall,
} from '#app/features/tracking/health/health-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({
  GET: getMeasurementCall,
  PUT: changeMeasurementCall,
  DELETE: deleteMeasurementCall,
});

export const loader = route.loader;
export const action = route.action;

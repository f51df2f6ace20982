import {
  changeMeasurementCall,
  deleteMeasurementCall,
  getMeasurementCall,
} from '#app/http/api/operations/health.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({
  GET: getMeasurementCall,
  PUT: changeMeasurementCall,
  DELETE: deleteMeasurementCall,
});

export const loader = route.loader;
export const action = route.action;

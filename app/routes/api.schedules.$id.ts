import {
  deleteScheduleCall,
  getScheduleCall,
  updateScheduleCall,
} from '#app/http/api/operations/schedules.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getScheduleCall, PUT: updateScheduleCall, DELETE: deleteScheduleCall });

export const loader = route.loader;
export const action = route.action;

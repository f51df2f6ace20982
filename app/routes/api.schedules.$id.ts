import {
  deleteScheduleCall,
  getScheduleCall,
  updateScheduleCall,
} from '#app/features/schedules/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getScheduleCall, PUT: updateScheduleCall, DELETE: deleteScheduleCall });

export const loader = route.loader;
export const action = route.action;

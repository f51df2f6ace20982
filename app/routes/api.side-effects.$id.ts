import {
  changeSideEffectCall,
  deleteSideEffectCall,
  getSideEffectCall,
} from '#app/features/tracking/side-effects/side-effects-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getSideEffectCall, PUT: changeSideEffectCall, DELETE: deleteSideEffectCall });

export const loader = route.loader;
export const action = route.action;

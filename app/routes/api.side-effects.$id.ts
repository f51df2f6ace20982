import {
  changeSideEffectCall,
  deleteSideEffectCall,
  getSideEffectCall,
} from '#app/http/api/operations/side-effects.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getSideEffectCall, PUT: changeSideEffectCall, DELETE: deleteSideEffectCall });

export const loader = route.loader;
export const action = route.action;

import {
  deleteSideEffectImageCall,
  getSideEffectImageCall,
} from '#app/features/tracking/side-effects/side-effect-figures-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getSideEffectImageCall, DELETE: deleteSideEffectImageCall });

export const loader = route.loader;
export const action = route.action;

import {
  addSideEffectTemplateCall,
  sideEffectTemplatesCall,
} from '#app/http/api/operations/side-effect-figures.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: sideEffectTemplatesCall, POST: addSideEffectTemplateCall });

export const loader = route.loader;
export const action = route.action;

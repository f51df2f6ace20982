import {
  listInjectionSitesCall,
  logInjectionSiteCall,
} from '#app/features/tracking/sites/injection-sites-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listInjectionSitesCall, POST: logInjectionSiteCall });

export const loader = route.loader;
export const action = route.action;

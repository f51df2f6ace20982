import {
  listInjectionSitesCall,
  logInjectionSiteCall,
} from '#app/http/api/operations/injection-sites.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listInjectionSitesCall, POST: logInjectionSiteCall });

export const loader = route.loader;
export const action = route.action;

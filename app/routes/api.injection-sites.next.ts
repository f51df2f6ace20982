import {
  chooseInjectionSitesCall,
  nextInjectionSiteCall,
} from '#app/http/api/operations/injection-sites.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: nextInjectionSiteCall, PUT: chooseInjectionSitesCall });

export const loader = route.loader;
export const action = route.action;

import {
  chooseInjectionSitesCall,
  nextInjectionSiteCall,
} from '#app/features/tracking/sites/injection-sites-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: nextInjectionSiteCall, PUT: chooseInjectionSitesCall });

export const loader = route.loader;
export const action = route.action;

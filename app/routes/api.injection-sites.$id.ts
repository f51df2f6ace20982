import {
  changeInjectionSiteCall,
  deleteInjectionSiteCall,
  getInjectionSiteCall,
} from '#app/http/api/operations/injection-sites.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({
  GET: getInjectionSiteCall,
  PUT: changeInjectionSiteCall,
  DELETE: deleteInjectionSiteCall,
});

export const loader = route.loader;
export const action = route.action;

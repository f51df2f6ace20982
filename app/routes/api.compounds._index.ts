import { addCompound, listCompounds } from '#app/http/api/operations/compounds.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listCompounds, POST: addCompound });

export const loader = route.loader;
export const action = route.action;

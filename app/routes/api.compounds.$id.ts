import { changeCompound, getCompound, removeCompound } from '#app/http/api/operations/compounds.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getCompound, PUT: changeCompound, DELETE: removeCompound });

export const loader = route.loader;
export const action = route.action;

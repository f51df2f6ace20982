import { changeCompound, getCompound, removeCompound } from '#app/features/vials/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getCompound, PUT: changeCompound, DELETE: removeCompound });

export const loader = route.loader;
export const action = route.action;

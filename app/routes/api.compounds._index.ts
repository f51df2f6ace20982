import { addCompound, listCompounds } from '#app/features/vials/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listCompounds, POST: addCompound });

export const loader = route.loader;
export const action = route.action;

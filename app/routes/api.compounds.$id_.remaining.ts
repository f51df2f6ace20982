import { correctCompound } from '#app/features/vials/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ PATCH: correctCompound });

export const loader = route.loader;
export const action = route.action;

import { getImportCall } from '#app/features/import/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getImportCall });

export const loader = route.loader;
export const action = route.action;

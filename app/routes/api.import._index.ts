import { listImportsCall, importData } from '#app/features/import/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listImportsCall, POST: importData });

export const loader = route.loader;
export const action = route.action;

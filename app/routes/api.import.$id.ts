import { getImportCall } from '#app/http/api/operations/imports.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getImportCall });

export const loader = route.loader;
export const action = route.action;

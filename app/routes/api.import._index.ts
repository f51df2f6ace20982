import { listImportsCall, importData } from '#app/http/api/operations/imports.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listImportsCall, POST: importData });

export const loader = route.loader;
export const action = route.action;

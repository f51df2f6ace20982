import { listMeasuresCall } from '#app/http/api/operations/health.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listMeasuresCall });

export const loader = route.loader;
export const action = route.action;

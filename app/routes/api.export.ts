import { exportData } from '#app/http/api/operations/export.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: exportData });

export const loader = route.loader;
export const action = route.action;

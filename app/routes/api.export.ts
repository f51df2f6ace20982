import { exportData } from '#app/features/export/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: exportData });

export const loader = route.loader;
export const action = route.action;

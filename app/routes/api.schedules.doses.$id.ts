import { getDoseCall } from '#app/features/doses/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getDoseCall });

export const loader = route.loader;
export const action = route.action;

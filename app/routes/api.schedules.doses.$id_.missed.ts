import { missDoseCall } from '#app/http/api/operations/doses.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ PATCH: missDoseCall });

export const loader = route.loader;
export const action = route.action;

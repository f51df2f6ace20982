import { skipDoseCall } from '#app/features/doses/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ PATCH: skipDoseCall });

export const loader = route.loader;
export const action = route.action;

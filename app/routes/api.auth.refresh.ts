import { refresh } from '#app/features/accounts/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ POST: refresh });

export const loader = route.loader;
export const action = route.action;

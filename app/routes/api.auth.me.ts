import { me } from '#app/features/accounts/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: me });

export const loader = route.loader;
export const action = route.action;

import { revokeToken } from '#app/features/accounts/api-tokens-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ DELETE: revokeToken });

export const loader = route.loader;
export const action = route.action;

import { createToken, listTokens } from '#app/features/accounts/api-tokens-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listTokens, POST: createToken });

export const loader = route.loader;
export const action = route.action;

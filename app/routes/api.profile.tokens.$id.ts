import { revokeToken } from '#app/http/api/operations/api-tokens.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ DELETE: revokeToken });

export const loader = route.loader;
export const action = route.action;

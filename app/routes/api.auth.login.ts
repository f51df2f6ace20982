import { login } from '#app/http/api/operations/auth.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ POST: login });

export const loader = route.loader;
export const action = route.action;

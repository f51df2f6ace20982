import { changeUserStatus } from '#app/http/api/operations/admin.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ PATCH: changeUserStatus });

export const loader = route.loader;
export const action = route.action;

import { changeUserStatus } from '#app/features/admin/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ PATCH: changeUserStatus });

export const loader = route.loader;
export const action = route.action;

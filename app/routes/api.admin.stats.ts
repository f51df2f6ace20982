import { readAdminStats } from '#app/features/admin/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: readAdminStats });

export const loader = route.loader;
export const action = route.action;

import { listAdminUsers } from '#app/features/admin/audit-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listAdminUsers });

export const loader = route.loader;
export const action = route.action;

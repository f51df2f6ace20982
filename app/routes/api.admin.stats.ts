import { readAdminStats } from '#app/http/api/operations/admin.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: readAdminStats });

export const loader = route.loader;
export const action = route.action;

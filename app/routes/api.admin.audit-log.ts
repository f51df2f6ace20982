import { readAuditLog } from '#app/http/api/operations/admin-desk.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: readAuditLog });

export const loader = route.loader;
export const action = route.action;

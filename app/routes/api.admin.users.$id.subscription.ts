import { changeUserSubscription } from '#app/features/admin/audit-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ PATCH: changeUserSubscription });

export const loader = route.loader;
export const action = route.action;

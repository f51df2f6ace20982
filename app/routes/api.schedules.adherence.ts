import { adherenceCall } from '#app/features/doses/adherence-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: adherenceCall });

export const loader = route.loader;
export const action = route.action;

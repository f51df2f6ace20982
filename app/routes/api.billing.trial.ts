import { startFreeTrial } from '#app/features/billing/trial-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ POST: startFreeTrial });

export const loader = route.loader;
export const action = route.action;

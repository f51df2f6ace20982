import { createCheckoutSession } from '#app/features/billing/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ POST: createCheckoutSession });

export const loader = route.loader;
export const action = route.action;

import { createPortalSession } from '#app/http/api/operations/billing.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ POST: createPortalSession });

export const loader = route.loader;
export const action = route.action;

import { startFreeTrial } from '#app/http/api/operations/billing-trial.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ POST: startFreeTrial });

export const loader = route.loader;
export const action = route.action;

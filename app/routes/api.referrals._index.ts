import { getReferralsCall } from '#app/http/api/operations/referrals.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getReferralsCall });

export const loader = route.loader;
export const action = route.action;

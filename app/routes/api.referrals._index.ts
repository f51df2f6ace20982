import { getReferralsCall } from '#app/features/referrals/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getReferralsCall });

export const loader = route.loader;
export const action = route.action;

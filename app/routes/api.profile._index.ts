import { changeDetails } from '#app/features/accounts/profile-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ PUT: changeDetails });

export const loader = route.loader;
export const action = route.action;

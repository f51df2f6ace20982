import { changePasswordOfAccount } from '#app/features/accounts/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ POST: changePasswordOfAccount });

export const loader = route.loader;
export const action = route.action;

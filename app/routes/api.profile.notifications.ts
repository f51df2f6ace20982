import { changeChoices, getChoices } from '#app/features/accounts/profile-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getChoices, PUT: changeChoices });

export const loader = route.loader;
export const action = route.action;

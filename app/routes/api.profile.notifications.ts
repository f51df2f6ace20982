import { changeChoices, getChoices } from '#app/http/api/operations/profile.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getChoices, PUT: changeChoices });

export const loader = route.loader;
export const action = route.action;

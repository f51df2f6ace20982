import { changeDetails } from '#app/http/api/operations/profile.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ PUT: changeDetails });

export const loader = route.loader;
export const action = route.action;

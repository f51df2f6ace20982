import { addSideEffectImageCall } from '#app/http/api/operations/side-effect-figures.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ POST: addSideEffectImageCall });

export const loader = route.loader;
export const action = route.action;

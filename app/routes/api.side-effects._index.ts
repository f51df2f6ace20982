import { addSideEffectCall, listSideEffectsCall } from '#app/http/api/operations/side-effects.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listSideEffectsCall, POST: addSideEffectCall });

export const loader = route.loader;
export const action = route.action;

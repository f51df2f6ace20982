import { addSideEffectImageCall } from '#app/features/tracking/side-effects/side-effect-figures-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ POST: addSideEffectImageCall });

export const loader = route.loader;
export const action = route.action;

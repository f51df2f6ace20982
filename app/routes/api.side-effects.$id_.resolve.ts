import { resolveSideEffectCall } from '#app/features/tracking/side-effects/side-effects-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ PATCH: resolveSideEffectCall });

export const loader = route.loader;
export const action = route.action;

import { sideEffectStatsCall } from '#app/features/tracking/side-effects/side-effect-figures-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: sideEffectStatsCall });

export const loader = route.loader;
export const action = route.action;

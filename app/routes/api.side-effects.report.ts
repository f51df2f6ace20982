import { sideEffectReportCall } from '#app/http/api/operations/side-effect-figures.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: sideEffectReportCall });

export const loader = route.loader;
export const action = route.action;

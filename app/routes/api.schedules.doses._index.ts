import { listDosesCall, logDoseCall } from '#app/http/api/operations/doses.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listDosesCall, POST: logDoseCall });

export const loader = route.loader;
export const action = route.action;

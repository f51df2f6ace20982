import { getSavedCalculation, removeCalculation } from '#app/http/api/operations/calculations.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getSavedCalculation, DELETE: removeCalculation });

export const loader = route.loader;
export const action = route.action;

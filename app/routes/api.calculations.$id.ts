import { getSavedCalculation, removeCalculation } from '#app/features/calculator/api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getSavedCalculation, DELETE: removeCalculation });

export const loader = route.loader;
export const action = route.action;

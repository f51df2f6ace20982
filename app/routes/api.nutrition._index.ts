import { listNutritionCall, saveNutritionCall } from '#app/features/tracking/nutrition/nutrition-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: listNutritionCall, POST: saveNutritionCall });

export const loader = route.loader;
export const action = route.action;

import { listNutritionCall, saveNutritionCall } from '#app/http/api/operations/nutrition.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: listNutritionCall, POST: saveNutritionCall });

export const loader = route.loader;
export const action = route.action;

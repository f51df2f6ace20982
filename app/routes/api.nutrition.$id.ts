import {
  changeNutritionCall,
  deleteNutritionCall,
  getNutritionCall,
} from '#app/features/tracking/nutrition/nutrition-api.server.ts';
import { apiRoute } from '#app/platform/api/route.server.ts';

const route = apiRoute({ GET: getNutritionCall, PUT: changeNutritionCall, DELETE: deleteNutritionCall });

export const loader = route.loader;
export const action = route.action;

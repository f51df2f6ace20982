import {
  changeNutritionCall,
  deleteNutritionCall,
  getNutritionCall,
} from '#app/http/api/operations/nutrition.server.ts';
import { apiRoute } from '#app/http/api/route.server.ts';

const route = apiRoute({ GET: getNutritionCall, PUT: changeNutritionCall, DELETE: deleteNutritionCall });

export const loader = route.loader;
export const action = route.action;

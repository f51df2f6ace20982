export { NutritionForm } from './nutrition-form.tsx';
export { NutritionList } from './nutrition-list.tsx';

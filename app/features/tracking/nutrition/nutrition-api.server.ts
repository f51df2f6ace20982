import * as z from 'zod';
import {
  NUTRIENTS,
  nutritionSchema,
  nutritionValues,
  updateNutritionSchema,
  type Nutrient,
} from '#app/domain/tracking/nutrition-schema.ts';
import {
  deleteNutrition,
  getNutrition,
  pageOfNutrition,
  saveNutrition,
  updateNutrition,
} from './nutrition.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import {
  day,
  idParams,
  instant,
  named,
  pageQuery,
  cursorPageShape,
  cursorQuery,
  periodQuery,
  updatedAtOf,
  updatedQuery,
  textShapes,
} from '#app/platform/api/shapes.ts';

const tag = 'Nutrition';

/** Something for each nutrient, by its key. */
const eachNutrient = <T>(valueOf: (nutrient: (typeof NUTRIENTS)[number]) => T) =>
  Object.fromEntries(NUTRIENTS.map((nutrient) => [nutrient.key, valueOf(nutrient)])) as Record<Nutrient, T>;

const nutritionShape = named(
  'Nutrition',
  z.object({
    id: z.string(),
    date: day,
    updatedAt: instant,
    ...textShapes(nutritionValues),
    ...eachNutrient(({ unit }) => z.number().nullable().describe(unit)),
  }),
);

const answer = z.object({ nutrition: nutritionShape });

type Entry = Awaited<ReturnType<typeof getNutrition>>;
const numberOf = (text: string | null) => (text === null ? null : Number(text));

const answerOf = (entry: Entry) => ({
  ...entry,
  updatedAt: updatedAtOf(entry),
  ...eachNutrient(({ key }) => numberOf(entry[key])),
});

const EXAMPLE = {
  id: 'meal_6f1b1c3e9a7d4b2f8e0c5a61',
  date: '2026-11-22',
  updatedAt: new Date('2026-11-22T08:00:00.000Z'),
  calories: 2100,
  protein: 120,
  carbs: null,
  fat: null,
  water: 2000,
  notes: null,
};

export const listNutritionCall = operation({
  id: 'listNutrition',
  method: 'GET',
  path: '/api/nutrition',
  tag,
  summary: 'Your nutrition by day, newest first',
  description: 'Days without an entry are left out.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery, ...periodQuery, ...updatedQuery }),
  response: z.object({ nutrition: z.array(nutritionShape), ...cursorPageShape }),
  example: { data: { nutrition: [EXAMPLE], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfNutrition(ctx, query);
    return { nutrition: items.map(answerOf), ...paging };
  },
});

export const saveNutritionCall = operation({
  id: 'saveNutrition',
  method: 'POST',
  path: '/api/nutrition',
  tag,
  summary: 'Log the nutrition of a day; sending the same day again updates it',
  description: 'There is one entry per day. Fields you do not send stay unchanged.',
  access: 'premium',
  creates: '/api/nutrition/{nutrition.id}',
  body: nutritionSchema,
  response: answer,
  example: { body: { date: '2026-11-22', calories: 2100 }, data: { nutrition: EXAMPLE } },
  errors: ['PLAN_LIMIT'],
  run: async (ctx, { body }) => ({ nutrition: answerOf(await saveNutrition(ctx, body)) }),
});

export const getNutritionCall = operation({
  id: 'getNutrition',
  method: 'GET',
  path: '/api/nutrition/{id}',
  tag,
  summary: 'The nutrition of one day',
  description: 'Values that were not entered are null.',
  access: 'premium',
  params: idParams,
  response: answer,
  example: { data: { nutrition: EXAMPLE } },
  run: async (ctx, { params }) => ({ nutrition: answerOf(await getNutrition(ctx, params.id)) }),
});

export const changeNutritionCall = operation({
  id: 'changeNutrition',
  method: 'PUT',
  path: '/api/nutrition/{id}',
  tag,
  summary: 'Update a day; only the fields sent change, null clears a value',
  description: 'The date itself cannot be changed.',
  access: 'premium',
  params: idParams,
  body: updateNutritionSchema,
  response: answer,
  example: { body: { water: 2500 }, data: { nutrition: { ...EXAMPLE, water: 2500 } } },
  run: async (ctx, { params, body }) => ({
    nutrition: answerOf(await updateNutrition(ctx, params.id, body)),
  }),
});

export const deleteNutritionCall = operation({
  id: 'deleteNutrition',
  method: 'DELETE',
  path: '/api/nutrition/{id}',
  tag,
  summary: 'Delete a day',
  description: 'This cannot be undone.',
  access: 'premium',
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteNutrition(ctx, params.id);
    return new Reply({}, { message: 'Day deleted' });
  },
});

export const nutritionOperations = [
  listNutritionCall,
  saveNutritionCall,
  getNutritionCall,
  changeNutritionCall,
  deleteNutritionCall,
];

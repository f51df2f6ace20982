import * as z from 'zod';
import { calculateComponents, calculateFigures, calculate } from '#app/domain/calculator/calculate.ts';
import { SOLVE_FOR, type CalculationInput, SYRINGE_IDS } from '#app/domain/calculator/calculation.ts';
import {
  type HistoryEntry,
  HISTORY_PAGE_SIZE,
  HISTORY_SORTS,
  MAX_SEARCH_LENGTH,
} from '#app/domain/calculator/history.ts';
import { instant, named, idParams, pageQuery, pageShape } from '#app/platform/api/shapes.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseCalculationJson } from '#app/domain/calculator/calculation-schema.ts';
import {
  deleteCalculation,
  getCalculation,
  saveCalculation,
  calculationStatistics,
  listCalculations,
} from './calculations.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';

/** A saved calculation as the API returns it. */
const calculationShape = named(
  'Calculation',
  z.object({
    id: z.string(),
    userId: z.string(),
    createdAt: instant,
    type: z.literal('reconstitution'),
    peptideName: z.string().nullable(),
    peptideAmount: z.number().describe('mg in the vial; for a blend, of the component that the dose is for'),
    measuredAmount: z.number().nullable().describe('mg measured in the vial, used instead of peptideAmount'),
    measuredNote: z.string().nullable().describe('How the measured amount changes the result, in words'),
    components: z
      .array(
        z.object({
          name: z.string().nullable().describe('Null for a single peptide without a name'),
          amount: z.number().describe('mg in the vial'),
          concentration: z.number().describe('mg/ml, the nearest double'),
          dose: z.number().describe('mg in one draw, the nearest double'),
        }),
      )
      .describe('The dose of each peptide in the draw; one entry for a single peptide'),
    doseOf: z.string().nullable().describe('The component that the dose is for; null for a single peptide'),
    waterVolume: z.number().describe('ml added'),
    desiredDose: z.number().describe('mg'),
    solveFor: z.enum(SOLVE_FOR),
    syringe: z.enum(SYRINGE_IDS),
    displacement: z.number().describe('µl that one mg of powder takes up'),
    concentration: z.number().describe('mg/ml, the nearest double'),
    concentrationText: z.string().describe('mg/ml as shown, 2 decimals'),
    injectionVolume: z.number().describe('ml, the nearest double'),
    injectionVolumeText: z.string().describe('ml as shown, 3 decimals'),
    unitsText: z.string().describe('Units on the scale of the syringe'),
    notes: z.string().nullable(),
    isSessionOnly: z.boolean().describe('Deleted when the session ends (free accounts)'),
  }),
);

/** A saved calculation as the API returns it: the inputs with the figures calculated from them. */
function calculationView(ctx: Ctx, entry: HistoryEntry): z.input<typeof calculationShape> {
  const { id, createdAt, type, peptideName, notes, solveFor, syringe, displacement, isSessionOnly } = entry;
  const { measuredAmount } = entry;
  const components = calculateComponents(entry).map(({ name, amount, concentration, dose }) => ({
    name: name ?? null,
    amount,
    concentration,
    dose,
  }));
  return {
    id,
    // Only the owner reads a calculation.
    userId: authoriseUser(ctx.actor, 'calculation.read').id,
    createdAt,
    type,
    solveFor,
    syringe,
    displacement: Number(displacement),
    isSessionOnly,
    peptideName: peptideName ?? null,
    notes: notes ?? null,
    components,
    doseOf: entry.doseOf ?? null,
    measuredAmount: measuredAmount === undefined ? null : Number(measuredAmount),
    measuredNote: measuredAmount === undefined ? null : (calculate(entry).measured?.note ?? null),
    ...calculateFigures(entry),
  };
}

/** The example in the API document. */
const EXAMPLE_CALCULATION = {
  id: 'calc_1795334400000a1b2c3d4e5f6',
  userId: '6740f1a29c1b2d3e4f506170',
  createdAt: '2026-11-22T08:00:00.000Z',
  type: 'reconstitution',
  peptideName: 'BPC-157',
  peptideAmount: 5,
  measuredAmount: null,
  measuredNote: null,
  components: [{ name: 'BPC-157', amount: 5, concentration: 2.5, dose: 0.25 }],
  doseOf: null,
  waterVolume: 2,
  desiredDose: 0.25,
  solveFor: 'volume',
  syringe: 'u100-1ml',
  displacement: 0,
  concentration: 2.5,
  concentrationText: '2.50',
  injectionVolume: 0.1,
  injectionVolumeText: '0.100',
  unitsText: '10',
  notes: null,
  isSessionOnly: false,
};

const tag = 'Calculations';

/** A note for the personal token of a free account, which has no sign-in that calculations could belong to. */
function noteFor({ actor }: Ctx): string | undefined {
  if (actor.kind !== 'user' || actor.apiToken === undefined || actor.entitlement.isPremium) return undefined;
  return 'On the free plan, calculations belong to a sign-in session, which API tokens do not have.';
}

const listSavedCalculations = operation({
  id: 'listCalculations',
  method: 'GET',
  path: '/api/calculations',
  tag,
  summary: 'Saved calculations',
  description: 'Sorted by date (newest first), name, or concentration (highest first).',
  access: 'user',
  isList: true,
  query: z.object({
    ...pageQuery(HISTORY_PAGE_SIZE),
    search: z.string().max(MAX_SEARCH_LENGTH).optional().describe('Part of the name or of the notes'),
    sort: z.enum(HISTORY_SORTS).optional(),
  }),
  response: z.object({ calculations: z.array(calculationShape), ...pageShape }),
  example: {
    query: { limit: '20' },
    data: { calculations: [EXAMPLE_CALCULATION], page: 1, limit: 20, total: 1 },
  },
  async run(ctx, { query }) {
    const found = await listCalculations(ctx, query);
    // The web page shows the last page instead of a missing one, but a program that keeps counting must reach an end.
    const items = query.page > found.pages ? [] : found.items;
    const { limit, total } = found;
    const data = {
      calculations: items.map((entry) => calculationView(ctx, entry)),
      page: query.page,
      limit,
      total,
    };
    return new Reply(data, { message: noteFor(ctx) });
  },
});

const getSavedCalculation = operation({
  id: 'getCalculation',
  method: 'GET',
  path: '/api/calculations/{id}',
  tag,
  summary: 'One saved calculation',
  description: 'The saved inputs, and the figures calculated from them.',
  access: 'user',
  params: idParams,
  response: z.object({ calculation: calculationShape }),
  example: { data: { calculation: EXAMPLE_CALCULATION } },
  run: async (ctx, { params }) => ({
    calculation: calculationView(ctx, await getCalculation(ctx, params.id)),
  }),
});

const decimal = z.union([z.number(), z.string()]);

/** @throws AppError INVALID_INPUT with the calculator's messages by field */
function readCalculation(body: unknown): CalculationInput {
  const parsed = parseCalculationJson(body);
  if (parsed.ok) return parsed.input;
  const [message = 'The calculation is not valid.'] = Object.values(parsed.fields).flat();
  throw new AppError('INVALID_INPUT', message, { fields: parsed.fields });
}

const saveNewCalculation = operation({
  id: 'saveCalculation',
  method: 'POST',
  path: '/api/calculations',
  tag,
  summary: 'Calculate and save',
  description:
    'Amounts are in mg and ml, as JSON numbers or decimal strings ("0.25"); both are calculated exactly. ' +
    'For a vial with 2 to 6 peptides, send `components` instead of `peptideAmount`; the dose is for the first one unless ' +
    '`doseOf` names another. On the free plan it is kept until you sign out.',
  access: 'user',
  creates: '/api/calculations/{calculation.id}',
  body: z.object({
    peptideAmount: decimal.optional().describe('mg, above 0, at most 100; not with `components`'),
    measuredAmount: decimal
      .nullable()
      .optional()
      .describe('mg that a laboratory measured in the vial, used instead of `peptideAmount`'),
    components: z
      .array(z.object({ name: z.string().max(100), amount: decimal.describe('mg, above 0, at most 100') }))
      .max(6)
      .optional()
      .describe('The contents of a blend, instead of `peptideAmount`'),
    doseOf: z.string().max(100).nullable().optional().describe('Name of the component that the dose is for'),
    waterVolume: decimal.optional().describe('ml, above 0, at most 10; not with solveFor "water"'),
    desiredDose: decimal.optional().describe('mg, at most the amount; not with solveFor "dose"'),
    drawVolume: decimal.optional().describe('ml, with solveFor "water" or "dose"'),
    solveFor: z.enum(SOLVE_FOR).optional(),
    syringe: z.enum(SYRINGE_IDS).optional(),
    mark: decimal.optional().describe('Units between two marks of the syringe'),
    displacement: decimal.optional().describe('µl that one mg of powder takes up'),
    desiredDoseUnit: z.literal('mg').optional(),
    peptideName: z.string().max(100).nullable().optional(),
    notes: z.string().max(2000).nullable().optional(),
  }),
  checkValues: (body) => void readCalculation(body),
  response: z.object({
    calculation: calculationShape,
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  }),
  errors: ['PREMIUM_REQUIRED', 'PLAN_LIMIT'],
  example: {
    body: { peptideAmount: 5, waterVolume: '2', desiredDose: 0.25, peptideName: 'BPC-157' },
    data: { calculation: EXAMPLE_CALCULATION, warnings: [] },
  },
  async run(ctx, { body }) {
    const input = readCalculation(body);
    const entry = await saveCalculation(ctx, input);
    return { calculation: calculationView(ctx, entry), warnings: [...calculate(input).warnings] };
  },
});

const removeCalculation = operation({
  id: 'deleteCalculation',
  method: 'DELETE',
  path: '/api/calculations/{id}',
  tag,
  summary: 'Delete a saved calculation',
  description: 'This cannot be undone. The response has the deleted calculation.',
  access: 'user',
  params: idParams,
  response: z.object({ calculation: calculationShape }),
  example: { data: { calculation: EXAMPLE_CALCULATION } },
  run: async (ctx, { params }) => ({
    calculation: calculationView(ctx, await deleteCalculation(ctx, params.id)),
  }),
});

const calculationSummary = operation({
  id: 'calculationStatistics',
  method: 'GET',
  path: '/api/calculations/stats/summary',
  tag,
  summary: 'Usage statistics',
  description: 'Covers all saved calculations that this sign-in can see.',
  access: 'user',
  response: z.object({
    totalCalculations: z.int(),
    uniqueCompounds: z.int(),
    lastSevenDays: z.int(),
    averageConcentration: z.number().nullable().describe('mg/ml, 2 decimals; null without a calculation'),
    averageConcentrationText: z.string().nullable(),
  }),
  example: {
    data: {
      totalCalculations: 12,
      uniqueCompounds: 3,
      lastSevenDays: 4,
      averageConcentration: 2.5,
      averageConcentrationText: '2.50',
    },
  },
  run: (ctx) => calculationStatistics(ctx),
});

export const calculationOperations = [
  listSavedCalculations,
  saveNewCalculation,
  getSavedCalculation,
  removeCalculation,
  calculationSummary,
];

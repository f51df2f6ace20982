import * as z from 'zod';
import { calculateFigures, calculate } from '#app/domain/calculator/calculate.ts';
import {
  DOSE_UNITS,
  FORMS,
  SOLVE_FOR,
  SUBSTANCE_UNITS,
  SYRINGE_IDS,
  syringeIdOf,
  type CalculationInput,
} from '#app/domain/calculator/calculation.ts';
import {
  type HistoryEntry,
  HISTORY_PAGE_SIZE,
  HISTORY_SORTS,
  MAX_SEARCH_LENGTH,
} from '#app/domain/calculator/history.ts';
import {
  instant,
  named,
  idParams,
  decimal,
  pageQuery,
  wholeOrText,
  cursorPageShape,
  cursorQuery,
} from '#app/platform/api/shapes.ts';
import { ownSyringeId } from '#app/domain/calculator/own-syringe.ts';
import { AppError } from '#app/domain/errors.ts';
import { parseCalculationJson } from '#app/domain/calculator/calculation-schema.ts';
import { MAX_LADDER_DOSES, parseLadder } from '#app/domain/calculator/ladder-schema.ts';
import { findLadder, ladderFigures, type LadderInput } from '#app/domain/calculator/ladder.ts';
import {
  deleteCalculation,
  getCalculation,
  saveCalculation,
  calculationStatistics,
  pageOfCalculations,
} from './calculations.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import { syringesOf, type Ctx } from '#app/platform/access/context.server.ts';
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
    form: z.enum(FORMS),
    amountUnit: z.enum(SUBSTANCE_UNITS).describe('The unit of all amounts and doses here, and per ml'),
    peptideAmount: z
      .number()
      .describe('In the vial, or in a capsule; for a blend, of the component that the dose is for'),
    measuredAmount: z.number().nullable().describe('Measured in the vial, used instead of peptideAmount'),
    measuredNote: z.string().nullable().describe('How the measured amount changes the result, in words'),
    components: z
      .array(
        named(
          'CalculatedDose',
          z.object({
            name: z.string().nullable().describe('Null for a single peptide without a name'),
            amount: z.number().describe('In the vial'),
            concentration: z.number().describe('Per ml, the nearest double'),
            dose: z.number().describe('In one draw, the nearest double'),
          }),
        ),
      )
      .describe('The dose of each peptide in the draw; one entry for a single peptide'),
    doseOf: z.string().nullable().describe('The component that the dose is for; null for a single peptide'),
    waterVolume: z.number().describe('ml added, or in the container; 0 for capsules'),
    desiredDose: z.number().describe('In amountUnit'),
    solveFor: z.enum(SOLVE_FOR),
    syringe: z.string().describe('A built-in one, or your own as it was then'),
    displacement: z.number().describe('µl that one mg of powder takes up'),
    clickMl: z.number().nullable(),
    sprayMl: z.number().nullable(),
    pieces: z.number().nullable(),
    vials: z.number().describe('How many were put together'),
    concentration: z.number().describe('Per ml, the nearest double; 0 for capsules'),
    concentrationText: z.string().describe('Per ml as shown, 2 decimals'),
    injectionVolume: z.number().describe('ml, the nearest double'),
    injectionVolumeText: z.string().describe('ml as shown, 3 decimals'),
    unitsText: z.string().describe('On the scale of the syringe, or clicks, sprays, capsules'),
    nearest: named(
      'NearestDose',
      z
        .object({
          count: z.number(),
          of: z.enum(['unit', 'ml', 'click', 'spray', 'capsule']),
          dose: z.number(),
          errorPercent: z.number(),
        })
        .describe('The nearest that the hand can do, the dose it gives, and how far that is off'),
    ),
    notes: z.string().nullable(),
    isSessionOnly: z.boolean().describe('Deleted when the session ends (free accounts)'),
  }),
);

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** A calculation that was not saved. */
const calculatedShape = calculationShape.omit({
  id: true,
  userId: true,
  createdAt: true,
  type: true,
  notes: true,
  isSessionOnly: true,
});

/** The inputs of a calculation with the figures calculated from them. */
function calculatedView(input: CalculationInput): z.input<typeof calculatedShape> {
  const { solveFor, syringe, displacement, measuredAmount } = input;
  const result = calculate(input);
  const nearest = result.nearestMark;
  const components = result.components.map(({ name, amount, concentration, dose }) => ({
    name: name ?? null,
    amount,
    concentration,
    dose,
  }));
  return {
    solveFor,
    syringe: syringeIdOf(syringe),
    displacement: Number(displacement),
    peptideName: input.peptideName ?? null,
    components,
    doseOf: input.doseOf ?? null,
    measuredAmount: measuredAmount === undefined ? null : Number(measuredAmount),
    measuredNote: result.measured?.note ?? null,
    form: result.form,
    amountUnit: result.amountUnit,
    clickMl: numberOf(input.clickMl),
    sprayMl: numberOf(input.sprayMl),
    pieces: numberOf(input.pieces),
    vials: Number(input.vials ?? 1),
    nearest: {
      count: nearest.units,
      of: nearest.noun,
      dose: nearest.deliveredDose,
      errorPercent: Number(nearest.errorPercentText),
    },
    ...calculateFigures(input),
  };
}

/** A saved calculation as the API returns it. */
function calculationView(ctx: Ctx, entry: HistoryEntry): z.input<typeof calculationShape> {
  const { id, createdAt, type, notes, isSessionOnly } = entry;
  // Only the owner reads a calculation.
  const { id: userId } = authoriseUser(ctx.actor, 'calculation.read');
  return { id, userId, createdAt, type, notes: notes ?? null, isSessionOnly, ...calculatedView(entry) };
}

/** The example in the API document. */
const EXAMPLE_FIGURES = {
  peptideName: 'BPC-157',
  peptideAmount: 5,
  measuredAmount: null,
  measuredNote: null,
  form: 'powder',
  amountUnit: 'mg',
  clickMl: null,
  sprayMl: null,
  pieces: null,
  vials: 1,
  nearest: { count: 10, of: 'unit', dose: 0.25, errorPercent: 0 },
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
};

const EXAMPLE_CALCULATION = {
  id: 'calc_1795334400000a1b2c3d4e5f6',
  userId: '6740f1a29c1b2d3e4f506170',
  createdAt: '2026-11-22T08:00:00.000Z',
  type: 'reconstitution',
  notes: null,
  isSessionOnly: false,
  ...EXAMPLE_FIGURES,
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
    ...cursorQuery,
    search: z.string().max(MAX_SEARCH_LENGTH).optional().describe('Part of the name or of the notes'),
    sort: z.enum(HISTORY_SORTS).optional().describe('By date, newest first, by default'),
  }),
  response: z.object({ calculations: z.array(calculationShape), ...cursorPageShape }),
  example: {
    query: { limit: '20' },
    data: { calculations: [EXAMPLE_CALCULATION], page: 1, limit: 20, total: 1, next: null },
  },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfCalculations(ctx, query);
    const data = { calculations: items.map((entry) => calculationView(ctx, entry)), ...paging };
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

const syringeField = z
  .union([z.enum(SYRINGE_IDS), ownSyringeId])
  .optional()
  .describe('Built in, or your own; u100-1ml by default');

/** @throws AppError INVALID_INPUT with the calculator's messages by field */
function readCalculation(ctx: Ctx, body: unknown): CalculationInput {
  const parsed = parseCalculationJson(body, syringesOf(ctx));
  if (parsed.ok) return parsed.input;
  const [message = 'The calculation is not valid.'] = Object.values(parsed.fields).flat();
  throw new AppError('INVALID_INPUT', message, { fields: parsed.fields });
}

const warningsShape = z.array(z.object({ code: z.string(), message: z.string() }));

/** What is calculated: numbers as such or as decimal text. */
const calculationBody = z.object({
  form: z.enum(FORMS).optional().describe('Of the container; powder by default'),
  amountUnit: z.enum(SUBSTANCE_UNITS).optional().describe('Of the amount; mg by default'),
  peptideAmount: decimal({ above: 0, most: 2_000_000 })
    .optional()
    .describe('Above 0, at most 100 mg or 100,000 IU; not with `components`; for capsules, in one of them'),
  concentration: decimal().optional().describe('Per ml'),
  containerVolume: decimal().optional().describe('ml'),
  clickMl: decimal().optional().describe('ml of one click of a pen'),
  sprayMl: decimal().optional().describe('ml of one spray'),
  pieces: wholeOrText(1, 10_000).optional().describe('Capsules'),
  vials: wholeOrText(1, 20).optional().describe('How many are put together'),
  deadSpaceMl: decimal({ from: 0, most: 1 }).optional().describe('ml lost with each dose'),
  cost: decimal({ from: 0, most: 1_000_000 }).optional().describe('Of one container'),
  measuredAmount: decimal({ above: 0, most: 2_000_000 })
    .nullable()
    .optional()
    .describe('Measured by a laboratory, used instead of `peptideAmount`'),
  components: z
    .array(
      z.object({
        name: z.string().max(100),
        amount: decimal({ above: 0 }).describe('mg, above 0, at most 100'),
      }),
    )
    .max(6)
    .optional()
    .describe('The contents of a blend, instead of `peptideAmount`'),
  doseOf: z.string().max(100).nullable().optional().describe('Name of the component that the dose is for'),
  waterVolume: decimal({ above: 0, most: 20_000 })
    .optional()
    .describe('ml, above 0, at most 10; not with solveFor "water"'),
  desiredDose: decimal({ above: 0 })
    .optional()
    .describe('In desiredDoseUnit, at most the amount; not with solveFor "dose"'),
  drawVolume: decimal({ above: 0 }).optional().describe('ml, with solveFor "water" or "dose"'),
  solveFor: z.enum(SOLVE_FOR).optional().describe('What is sought; the volume by default'),
  syringe: syringeField,
  mark: decimal().optional().describe('Units between two marks of the syringe'),
  displacement: decimal({ from: 0, most: 1000 }).optional().describe('µl that one mg of powder takes up'),
  desiredDoseUnit: z.enum(DOSE_UNITS).optional().describe('By default amountUnit'),
  peptideName: z.string().max(100).nullable().optional().describe('Name of the compound'),
});

const savedBody = calculationBody.extend({
  notes: z.string().max(2000).nullable().optional().describe('Kept with the calculation'),
});

const saveNewCalculation = operation({
  id: 'saveCalculation',
  method: 'POST',
  path: '/api/calculations',
  tag,
  summary: 'Calculate and save',
  description:
    'Amounts are in mg, or in IU with `amountUnit`, and ml; the dose also in mcg, with `desiredDoseUnit`; as JSON numbers or decimal strings ("0.25"); both are calculated exactly. ' +
    'A solution, pen or spray has `concentration` and `containerVolume` instead of `peptideAmount` and `waterVolume`. ' +
    'For a vial with 2 to 6 peptides, send `components` instead of `peptideAmount`; the dose is for the first one unless ' +
    '`doseOf` names another. On the free plan it is kept until you sign out.',
  access: 'user',
  creates: '/api/calculations/{calculation.id}',
  body: savedBody,
  needsBody: true,
  checkValues: (body, { ctx }) => void readCalculation(ctx, body),
  response: z.object({
    calculation: calculationShape,
    warnings: warningsShape,
  }),
  errors: ['PREMIUM_REQUIRED', 'PLAN_LIMIT'],
  example: {
    body: { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25, peptideName: 'BPC-157' },
    data: { calculation: EXAMPLE_CALCULATION, warnings: [] },
  },
  async run(ctx, { body }) {
    const input = readCalculation(ctx, body);
    const entry = await saveCalculation(ctx, input);
    return { calculation: calculationView(ctx, entry), warnings: [...calculate(input).warnings] };
  },
});

/** What is not saved: the figures of a calculation, and the line to copy. */
const calculateCall = operation({
  id: 'calculate',
  method: 'POST',
  path: '/api/calculations/calculate',
  tag,
  summary: 'Calculate only',
  description: 'As `POST /api/calculations`, and saves nothing.',
  access: 'user',
  scope: 'read',
  body: calculationBody,
  needsBody: true,
  checkValues: (body, { ctx }) => void readCalculation(ctx, body),
  response: z.object({
    summary: z.string().describe('The line to copy'),
    calculation: calculatedShape,
    dosesPerVial: z.number().nullable().describe('Whole doses; null for capsules without a count'),
    warnings: warningsShape,
  }),
  errors: ['PREMIUM_REQUIRED'],
  example: {
    body: { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25, peptideName: 'BPC-157' },
    data: {
      summary: 'BPC-157: 5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)',
      calculation: EXAMPLE_FIGURES,
      dosesPerVial: 20,
      warnings: [],
    },
  },
  run: (ctx, { body }) => {
    const input = readCalculation(ctx, body);
    const { summary, dosesPerVial, warnings } = calculate(input);
    return Promise.resolve({
      summary,
      calculation: calculatedView(input),
      dosesPerVial,
      warnings: [...warnings],
    });
  },
});

/** @throws AppError INVALID_INPUT with the messages by field */
function readLadder(ctx: Ctx, body: Record<string, unknown>): LadderInput {
  const parsed = parseLadder(body, undefined, syringesOf(ctx));
  if (parsed.ok) return parsed.input;
  const [message = 'The ladder is not valid.'] = Object.values(parsed.fields).flat();
  throw new AppError('INVALID_INPUT', message, { fields: parsed.fields });
}

const findLadderCall = operation({
  id: 'findLadder',
  method: 'POST',
  path: '/api/calculations/ladder',
  tag,
  summary: 'Water for several doses',
  description:
    'The water, in steps of 0.05 ml from 0.5 ml, that puts every dose on a mark of the syringe; the best of at most 3 ' +
    'choices first. Saves nothing.',
  access: 'user',
  scope: 'read',
  body: z.object({
    peptideAmount: decimal({ above: 0, most: 100_000 }).describe('In the vial'),
    amountUnit: z.enum(SUBSTANCE_UNITS).optional().describe('Of the amount; mg by default'),
    doses: z
      .array(decimal({ above: 0 }))
      .min(1)
      .max(MAX_LADDER_DOSES)
      .describe('Of the titration, in desiredDoseUnit'),
    desiredDoseUnit: z.enum(DOSE_UNITS).optional().describe('By default amountUnit'),
    syringe: syringeField,
    capacityMl: decimal({ from: 0.5, most: 10 }).optional().describe('ml that the vial holds; 3 by default'),
  }),
  checkValues: (body, { ctx }) => void readLadder(ctx, body),
  response: z.object({
    exact: z.boolean().describe('False if no water does; then the choices with the least error'),
    choices: z.array(
      z.object({
        waterVolume: z.number(),
        doses: z.array(
          z.object({
            dose: z.number(),
            volume: z.number().describe('ml, exact'),
            units: z.number().describe('The nearest mark, in the numbers of the syringe'),
            error: z.number().describe('Percent that the mark is off'),
          }),
        ),
        worstError: z.number(),
      }),
    ),
  }),
  example: {
    body: { peptideAmount: 30, doses: [15], capacityMl: 0.5 },
    data: {
      exact: true,
      choices: [
        { waterVolume: 0.5, doses: [{ dose: 15, volume: 0.25, units: 25, error: 0 }], worstError: 0 },
      ],
    },
  },
  run: async (ctx, { body }) => ladderFigures(findLadder(readLadder(ctx, body))),
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
    averageConcentration: z
      .number()
      .nullable()
      .describe('mg/ml, 2 decimals; null without a calculation in mg'),
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
  calculateCall,
  findLadderCall,
  getSavedCalculation,
  removeCalculation,
  calculationSummary,
];

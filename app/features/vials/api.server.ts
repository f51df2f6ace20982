import { FORMS, SUBSTANCE_UNITS } from '#app/domain/calculator/calculation.ts';
import * as z from 'zod';
import { compoundView } from '#app/domain/vials/compound-view.ts';
import { contentsOf } from '#app/domain/vials/contents.ts';
import { VIAL_STATUSES, type Vial } from '#app/domain/vials/vial.ts';
import {
  day,
  dayShapes,
  instant,
  named,
  idParams,
  numberOfText,
  numberShapes,
  decimal,
  pageQuery,
  cursorPageShape,
  cursorQuery,
  updatedQuery,
  supplyShape,
  textShapes,
  textUpTo,
  warningsOf,
} from '#app/platform/api/shapes.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { MAX_SEARCH_LENGTH } from '#app/domain/calculator/history.ts';
import {
  remainingSchema,
  vialCallSchema,
  vialChangesSchema,
  vialFields,
  futureDayWarning,
  VIAL_WARNINGS,
  type RemainingInput,
} from '#app/domain/vials/vial-schema.ts';
import {
  amountFields,
  dayFields,
  detailsOf,
  MAX_NAME,
  MAX_REASON,
  MAX_VIAL_MG,
  noteFields,
} from '#app/domain/vials/vial-fields.ts';
import { stockView } from '#app/domain/vials/stock-view.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { VIAL_FILTERS, VIAL_PAGE_SIZE, VIAL_SORTS } from '#app/domain/vials/vial-list-schema.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { correctRemaining, addVial, deleteVial, getVial, updateVial, pageOfVials } from './vials.server.ts';
import { stockReport } from './stock-forecast.server.ts';
import { getVialCard } from './vial-card.server.ts';
import { operation } from '#app/platform/api/operation.ts';

/** A vial in a response. Amounts are in its unit. */
const compoundShape = named(
  'Compound',
  z.object({
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    form: z.enum(FORMS),
    amountUnit: z.enum(SUBSTANCE_UNITS).describe('The unit of its amounts, and per ml of the concentration'),
    ...textShapes(noteFields),
    ...numberShapes(amountFields),
    ...dayShapes(dayFields),
    concentration: z
      .number()
      .nullable()
      .describe('Per ml (per capsule), the nearest double; null while unknown'),
    concentrationText: z.string().nullable().describe('As shown, 2 decimals'),
    totalAmount: z.number().describe('In the full vial; for a blend, of the first component'),
    remainingAmount: z.number().describe('Never below 0; for a blend, of the first component'),
    components: z
      .array(
        z.object({
          name: z.string(),
          amount: z.number().describe('In the full vial'),
          remainingAmount: z.number().describe('Never below 0'),
          concentration: z
            .number()
            .nullable()
            .describe('Per ml (per capsule), the nearest double; null while unknown'),
          concentrationText: z.string().nullable().describe('As shown, 2 decimals'),
        }),
      )
      .describe('Contents in the order of the label; a single peptide is listed as one component'),
    overdrawnAmount: z.number().describe('Drawn beyond the recorded amount'),
    amountMg: z.number(),
    displacement: z.number().describe('µl that one mg of powder takes up'),
    expirationDate: day.nullable().describe('As stored'),
    beyondUseDate: day.nullable().describe('Last day of use: as stored, or 28 days after reconstitution'),
    openedAt: instant.nullable().describe('When the first dose was drawn'),
    status: z.enum(VIAL_STATUSES),
    isActive: z.boolean().describe('Neither empty nor discarded'),
    isExpired: z.boolean(),
    isLow: z.boolean(),
    lotId: z.string().nullable().describe('The lot with that number'),
    createdAt: instant,
    updatedAt: instant,
  }),
);

/** A ledger entry in a response. */
const ledgerShape = named(
  'LedgerEntry',
  z.object({
    kind: z.enum(['dose', 'correction', 'spill', 'discard', 'import']),
    amount: z.number().describe('Negative when taken out'),
    component: z
      .string()
      .describe('The component that `amount` counts; the others in a blend change in proportion'),
    reason: z.string().nullable(),
    at: instant,
  }),
);

const EXAMPLE_COMPOUND = {
  id: 'vial_6740f1a29c1b2d3e4f506172',
  userId: '6740f1a29c1b2d3e4f506170',
  name: 'BPC-157',
  ...detailsOf({ storageTemp: '2–8 °C', lot: 'A-1027', currency: 'USD' }),
  form: 'powder',
  amountUnit: 'mg',
  concentration: 2.5,
  concentrationText: '2.50',
  totalAmount: 5,
  remainingAmount: 4.75,
  components: [
    {
      name: 'BPC-157',
      amount: 5,
      remainingAmount: 4.75,
      concentration: 2.5,
      concentrationText: '2.50',
    },
  ],
  overdrawnAmount: 0,
  amountMg: 5,
  waterMl: 2,
  displacement: 0,
  reconstitutionDate: '2026-11-20',
  beyondUseDate: '2026-12-18',
  openedAt: '2026-11-21T08:00:00.000Z',
  status: 'in_use',
  isActive: true,
  isExpired: false,
  isLow: false,
  lotId: 'lot_6740f1a29c1b2d3e4f506173',
  cost: 39.9,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-21T08:00:00.000Z',
};

const tag = 'Compounds';
const today = (ctx: Ctx): string => calendarDay(ctx.now(), ctx.timeZone);

const componentsBody = z
  .array(z.object({ name: textUpTo(MAX_NAME), amount: decimal({ above: 0, most: MAX_VIAL_MG }) }))
  .nullable()
  .describe('The components of a blend, in the order of the label');

const one = z.object({ compound: compoundShape });
const oneExample = { data: { compound: EXAMPLE_COMPOUND } };

const written = z.object({
  compound: compoundShape,
  warnings: warningsOf(VIAL_WARNINGS),
});
const writtenExample = { data: { compound: EXAMPLE_COMPOUND, warnings: [] } };

/** @param sent the reconstitution date in the request; warned about only if it was sent */
function writtenAnswer(ctx: Ctx, vial: Vial, sent: unknown) {
  const { reconstitutionDate: day } = vial;
  const isToCome = sent != null && day !== null && day > today(ctx);
  return {
    compound: compoundView(vial, today(ctx)),
    warnings: isToCome ? [futureDayWarning(day)] : [],
  };
}

const listCompounds = operation({
  id: 'listCompounds',
  method: 'GET',
  path: '/api/compounds',
  tag,
  summary: 'Your vials',
  description: 'Newest first by default.',
  access: 'user',
  isList: true,
  query: z.object({
    ...pageQuery(VIAL_PAGE_SIZE),
    ...cursorQuery,
    ...updatedQuery,
    search: z
      .string()
      .max(MAX_SEARCH_LENGTH)
      .optional()
      .describe('Part of the name, a component, the lot or the notes'),
    filter: z.enum(VIAL_FILTERS).optional().describe('"active" means neither empty nor discarded'),
    sort: z.enum(VIAL_SORTS).optional().describe('As added by default'),
  }),
  response: z.object({ compounds: z.array(compoundShape), ...cursorPageShape }),
  example: {
    query: { filter: 'active' },
    data: { compounds: [EXAMPLE_COMPOUND], page: 1, limit: 20, total: 1, next: null },
  },
  async run(ctx, { query }) {
    const { id } = authoriseUser(ctx.actor, 'vial.read');
    const { items, day, paging } = await pageOfVials(ctx, id, query);
    return { compounds: items.map((vial) => compoundView(vial, day)), ...paging };
  },
});

const getCompound = operation({
  id: 'getCompound',
  method: 'GET',
  path: '/api/compounds/{id}',
  tag,
  summary: 'One vial with its ledger',
  description:
    'Amounts are in the vial’s unit. The ledger lists every change to the remaining amount, oldest first.',
  access: 'user',
  params: idParams,
  response: z.object({ compound: compoundShape, ledger: z.array(ledgerShape) }),
  example: {
    data: {
      compound: EXAMPLE_COMPOUND,
      ledger: [
        {
          kind: 'dose',
          amount: -0.25,
          component: 'BPC-157',
          reason: null,
          at: '2026-11-21T08:00:00.000Z',
        },
      ],
    },
  },
  async run(ctx, { params }) {
    const vial = await getVial(ctx, params.id);
    const contents = contentsOf(vial);
    const ledger = vial.ledger.map(({ kind, mg, component = 0, reason, at }) => ({
      kind,
      amount: Number(mg),
      component: contents[component]?.name ?? vial.name,
      reason,
      at,
    }));
    return { compound: compoundView(vial, today(ctx)), ledger };
  },
});

const addCompound = operation({
  id: 'addCompound',
  method: 'POST',
  path: '/api/compounds',
  tag,
  summary: 'Add a vial',
  description:
    'Amounts are in `amountUnit`, mg by default, as JSON numbers or decimal strings. You can send `amountMg` and `waterMl` in place of `totalAmount` ' +
    'and `concentration`; if you send both, they must match. For a blend, send 2 to 6 `components` in place of the amount; ' +
    'its concentration, total and remaining amount are those of the first. A free account can have three active vials.',
  access: 'user',
  creates: '/api/compounds/{compound.id}',
  body: vialFields.extend({ components: componentsBody.optional() }),
  needsBody: true,
  checkValues: (body) => void parseInput(vialCallSchema, body),
  response: written,
  errors: ['PLAN_LIMIT'],
  example: {
    body: { name: 'BPC-157', concentration: 2.5, totalAmount: 5, reconstitutionDate: '2026-11-20' },
    ...writtenExample,
  },
  async run(ctx, { body }) {
    const vial = await addVial(ctx, body, { strict: true });
    return writtenAnswer(ctx, vial, body.reconstitutionDate);
  },
});

const changeCompound = operation({
  id: 'changeCompound',
  method: 'PUT',
  path: '/api/compounds/{id}',
  tag,
  summary: 'Change a vial',
  description: 'Only the fields you send change; null clears a value.',
  access: 'user',
  params: idParams,
  body: vialChangesSchema.extend({
    components: componentsBody
      .optional()
      .describe(
        'Once the vial was drawn from, only names and amounts can change; null makes it a single peptide',
      ),
  }),
  checkValues: (body) => void parseInput(vialChangesSchema, body),
  response: written,
  errors: ['PLAN_LIMIT'],
  example: { body: { notes: 'Second shelf' }, ...writtenExample },
  async run(ctx, { params, body }) {
    const vial = await updateVial(ctx, params.id, body);
    return writtenAnswer(ctx, vial, body.reconstitutionDate);
  },
});

const removeCompound = operation({
  id: 'deleteCompound',
  method: 'DELETE',
  path: '/api/compounds/{id}',
  tag,
  summary: 'Delete a vial with its ledger',
  description: 'Doses drawn from it are kept.',
  access: 'user',
  params: idParams,
  response: one,
  example: oneExample,
  async run(ctx, { params }) {
    const vial = await getVial(ctx, params.id);
    await deleteVial(ctx, params.id);
    return { compound: compoundView(vial, today(ctx)) };
  },
});

const correctCompound = operation({
  id: 'correctRemaining',
  method: 'PATCH',
  path: '/api/compounds/{id}/remaining',
  tag,
  summary: 'Correct the remaining amount',
  description: 'Adds a correction to the ledger. The amount must be between 0 and the total.',
  access: 'user',
  params: idParams,
  body: z.object({
    remainingAmount: decimal({ from: 0, most: MAX_VIAL_MG }),
    reason: textUpTo(MAX_REASON).nullish(),
  }),
  checkValues: (body) => void parseInput(remainingSchema, body),
  response: one,
  errors: ['PLAN_LIMIT', 'VIAL_DISCARDED'],
  example: { body: { remainingAmount: 4.75, reason: 'counted' }, ...oneExample },
  async run(ctx, { params, body }) {
    const vial = await correctRemaining(ctx, params.id, body as RemainingInput);
    return { compound: compoundView(vial, today(ctx)) };
  },
});

const syringePictureShape = z.object({
  syringe: z.object({
    id: z.string(),
    label: z.string(),
    barrelMl: numberOfText,
    scale: z.enum(['unit', 'ml']).describe('What its numbers count'),
    barrelUnits: z.number().describe('The barrel, in its numbers'),
    unitsPerMl: z.number(),
    marks: z.array(numberOfText).describe('Possible spacings of its marks'),
  }),
  mark: numberOfText.describe('Between two marks, in its numbers'),
  units: z.number().describe('Where the plunger is'),
  label: z.string(),
});

/** A dose card: what to draw for each of a few doses, in words. */
const cardShape = named(
  'DoseCard',
  z.object({
    name: z.string().nullable(),
    facts: z.array(z.array(z.string())).describe('Label and text of each'),
    rows: z.array(
      z.object({
        dose: z.string(),
        others: z.array(z.string()).describe('The other components of a blend'),
        drawTo: z.string().describe('The nearest mark'),
        exact: z.string().describe('What to draw exactly'),
        error: z.string().describe('How far the mark is off'),
        isMain: z.boolean().describe('Whether the card was made for it'),
      }),
    ),
    picture: syringePictureShape.nullable().describe('The syringe filled for the main dose'),
    notes: z.array(z.string()),
  }),
);

const cardCall = operation({
  id: 'getVialCard',
  method: 'GET',
  path: '/api/compounds/{id}/card',
  tag,
  summary: 'What to draw from a vial for the doses of its schedules',
  description: 'Without a schedule, for its last dose and multiples. `link` is the vial’s page.',
  access: 'user',
  params: idParams,
  response: z.object({ card: cardShape, link: z.string() }),
  example: {
    data: {
      card: {
        name: 'BPC-157',
        facts: [['Contents', '5 mg BPC-157']],
        rows: [
          {
            ...{ dose: '250 mcg', others: [], drawTo: '10 units', exact: '0.1 ml', error: 'exact' },
            isMain: true,
          },
        ],
        picture: null,
        notes: [],
      },
      link: 'https://example.org/dashboard/vials/vial_6740f1a29c1b2d3e4f506172',
    },
  },
  async run(ctx, { params }) {
    const { card, link } = await getVialCard(ctx, params.id);
    const { facts, rows, picture, notes } = card;
    return {
      card: {
        name: card.name,
        facts: facts.map((fact) => [...fact]),
        rows: rows.map((row) => ({ ...row, others: [...row.others] })),
        picture: picture && {
          ...picture,
          syringe: { ...picture.syringe, marks: [...picture.syringe.marks] },
        },
        notes: [...notes],
      },
      link,
    };
  },
});

const forecastShape = named(
  'StockForecast',
  z.object({
    name: z.string(),
    nameKey: z.string(),
    compoundIds: z.array(z.string()),
    level: z.enum(['unknown', 'ok', 'amber', 'red']),
    why: z.enum(['no-doses', 'no-vials', 'no-amount']).nullable(),
    amountsOf: z.string().optional(),
    measure: z.enum(SUBSTANCE_UNITS),
    stockMg: z.number().describe('In `measure`'),
    expiredMg: z.number(),
    runOutDay: day.nullable(),
    wasted: z.object({ vials: z.int(), lastDay: day, mg: z.number() }).nullable(),
    daysOfSupply: z.int().nullable(),
    reorderBy: day.nullable(),
    until: day.describe('Last day of the forecast'),
    deadSpaceMl: z.number().optional(),
    isEstimate: z.literal(true).optional(),
    text: z.string(),
  }),
);

const stockCall = operation({
  id: 'getStock',
  method: 'GET',
  path: '/api/stock',
  tag,
  summary: 'What is in stock and how long it lasts',
  description: 'Active vials, forecasts, supplies and alerts; `vialbook stock --json` prints the same.',
  access: 'user',
  response: z.object({
    day,
    compounds: z.array(compoundShape),
    forecasts: z.array(forecastShape),
    supplies: z.array(supplyShape),
    details: z
      .array(
        z.object({
          id: z.string(),
          text: z.string(),
          percent: z.number().optional().describe('Left in a vial'),
          expiry: z.string().nullish().describe('Of a vial'),
        }),
      )
      .describe('Of each vial and supply'),
    alerts: z.array(
      z.object({
        key: z.string(),
        kind: z.enum(['low', 'expiring', 'expired']),
        compoundId: z.string().nullable(),
        name: z.string(),
        lastDay: day.nullable(),
        message: z.string(),
      }),
    ),
  }),
  example: {
    data: { day: '2026-11-22', compounds: [], forecasts: [], supplies: [], details: [], alerts: [] },
  },
  async run(ctx) {
    const { id } = authoriseUser(ctx.actor, 'vial.read');
    return stockView(await stockReport(ctx, id));
  },
});

export const compoundOperations = [
  stockCall,
  listCompounds,
  addCompound,
  getCompound,
  cardCall,
  changeCompound,
  removeCompound,
  correctCompound,
];

import * as z from 'zod';
import { calendarDay } from '#app/domain/time/days.ts';
import { MAX_SEARCH_LENGTH } from '#app/domain/calculator/history.ts';
import type { RemainingInput, VialChangesInput, VialInput } from '#app/domain/vials/vial-schema.ts';
import { VIAL_FILTERS, VIAL_PAGE_SIZE, VIAL_SORTS } from '#app/domain/vials/vial-list-schema.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { correctRemaining } from './vial-amounts.server.ts';
import { countVials, listVials } from './vial-list.server.ts';
import { addVial, deleteVial, getVial, updateVial } from './vials.server.ts';
import { operation } from '#app/platform/api/operation.ts';
import { idParams, pageQuery, pageShape } from '#app/platform/api/shapes.ts';
import { compoundShape, compoundView, EXAMPLE_COMPOUND, ledgerShape } from './compound-shape.ts';

const tag = 'Compounds';
const decimal = z.union([z.number(), z.string()]);
const today = (ctx: Ctx): string => calendarDay(ctx.now(), ctx.timeZone);

const text = z.string().nullable().optional();
const optionalDecimal = decimal.nullable().optional();
const describedFields = {
  waterMl: optionalDecimal.describe('ml added; with the amount it gives the concentration'),
  displacement: optionalDecimal.describe('µl that one mg of powder takes up'),
  reconstitutionDate: text.describe('YYYY-MM-DD; with it the vial is reconstituted, else sealed'),
  expirationDate: text.describe('YYYY-MM-DD, last day of use; by default 28 days after reconstitution'),
  storageTemp: text,
  notes: text,
  lot: text,
  supplierId: text,
  cost: optionalDecimal.describe('What was paid for the vial'),
  currency: text.describe('Three letters'),
};

const one = z.object({ compound: compoundShape });
const oneExample = { data: { compound: EXAMPLE_COMPOUND } };

export const listCompounds = operation({
  id: 'listCompounds',
  method: 'GET',
  path: '/api/compounds',
  tag,
  summary: 'Your vials',
  description: 'All of them, the newest first, unless filtered and sorted otherwise.',
  access: 'user',
  isList: true,
  query: z.object({
    ...pageQuery(VIAL_PAGE_SIZE),
    search: z.string().max(MAX_SEARCH_LENGTH).optional().describe('Part of the name, the lot or the notes'),
    filter: z.enum(VIAL_FILTERS).optional().describe('"active" is neither empty nor discarded'),
    sort: z.enum(VIAL_SORTS).optional(),
  }),
  response: z.object({ compounds: z.array(compoundShape), ...pageShape }),
  example: {
    query: { filter: 'active' },
    data: { compounds: [EXAMPLE_COMPOUND], page: 1, limit: 20, total: 1 },
  },
  async run(ctx, { query }) {
    const { id } = authoriseUser(ctx.actor, 'vial.read');
    const asked = { filter: 'all' as const, sort: 'added' as const, ...query };
    const [{ items, day }, total] = await Promise.all([
      listVials(ctx, id, asked),
      countVials(ctx, id, asked),
    ]);
    const { page, limit } = query;
    return { compounds: items.map((vial) => compoundView(vial, day)), page, limit, total };
  },
});

export const getCompound = operation({
  id: 'getCompound',
  method: 'GET',
  path: '/api/compounds/{id}',
  tag,
  summary: 'One vial with its ledger',
  access: 'user',
  params: idParams,
  response: z.object({ compound: compoundShape, ledger: z.array(ledgerShape) }),
  example: {
    data: {
      compound: EXAMPLE_COMPOUND,
      ledger: [{ kind: 'dose', amount: -0.25, reason: null, at: '2026-11-21T08:00:00.000Z' }],
    },
  },
  async run(ctx, { params }) {
    const vial = await getVial(ctx, params.id);
    const ledger = vial.ledger.map(({ kind, mg, reason, at }) => ({ kind, amount: Number(mg), reason, at }));
    return { compound: compoundView(vial, today(ctx)), ledger };
  },
});

export const addCompound = operation({
  id: 'addCompound',
  method: 'POST',
  path: '/api/compounds',
  tag,
  summary: 'Add a vial',
  description:
    'Amounts are mg, as JSON numbers or as decimal strings. `amountMg` and `waterMl` may stand for `totalAmount` and ' +
    '`concentration`; sent together they must agree. A free account has room for three active vials.',
  access: 'user',
  creates: true,
  body: z.object({
    name: z.string(),
    concentration: optionalDecimal.describe('mg/ml; required unless waterMl is sent'),
    totalAmount: optionalDecimal.describe('mg; required unless amountMg is sent'),
    amountMg: optionalDecimal,
    ...describedFields,
  }),
  bodyIsCheckedByRun: true,
  response: one,
  errors: ['PLAN_LIMIT'],
  example: {
    body: { name: 'BPC-157', concentration: 2.5, totalAmount: 5, reconstitutionDate: '2026-11-20' },
    ...oneExample,
  },
  async run(ctx, { body }) {
    const vial = await addVial(ctx, body as VialInput, { strict: true });
    return { compound: compoundView(vial, today(ctx)) };
  },
});

export const changeCompound = operation({
  id: 'changeCompound',
  method: 'PUT',
  path: '/api/compounds/{id}',
  tag,
  summary: 'Change a vial',
  description: 'Only the fields that are sent change; null takes a value out.',
  access: 'user',
  params: idParams,
  body: z.object({
    name: z.string().optional(),
    concentration: optionalDecimal.describe('mg/ml; takes the place of waterMl'),
    totalAmount: decimal.optional().describe('mg; what is left changes with it'),
    amountMg: decimal.optional(),
    ...describedFields,
  }),
  bodyIsCheckedByRun: true,
  response: one,
  errors: ['PLAN_LIMIT', 'CONFLICT'],
  example: { body: { notes: 'Second shelf' }, ...oneExample },
  async run(ctx, { params, body }) {
    const vial = await updateVial(ctx, params.id, body as VialChangesInput);
    return { compound: compoundView(vial, today(ctx)) };
  },
});

export const removeCompound = operation({
  id: 'deleteCompound',
  method: 'DELETE',
  path: '/api/compounds/{id}',
  tag,
  summary: 'Delete a vial with its ledger',
  description: 'Doses that were drawn from it stay.',
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

export const correctCompound = operation({
  id: 'correctRemaining',
  method: 'PATCH',
  path: '/api/compounds/{id}/remaining',
  tag,
  summary: 'Correct the remaining amount',
  description: 'Writes a correction into the ledger. From 0 to the total amount.',
  access: 'user',
  params: idParams,
  body: z.object({ remainingAmount: decimal.describe('mg'), reason: text }),
  bodyIsCheckedByRun: true,
  response: one,
  errors: ['PLAN_LIMIT', 'CONFLICT'],
  example: { body: { remainingAmount: 4.75, reason: 'counted' }, ...oneExample },
  async run(ctx, { params, body }) {
    const vial = await correctRemaining(ctx, params.id, body as RemainingInput);
    return { compound: compoundView(vial, today(ctx)) };
  },
});

export const compoundOperations = [
  listCompounds,
  addCompound,
  getCompound,
  changeCompound,
  removeCompound,
  correctCompound,
];

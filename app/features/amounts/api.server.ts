import { DOSE_UNITS } from '#app/domain/calculator/calculation.ts';
import * as z from 'zod';
import { MAX_NAME_LENGTH } from '#app/domain/forms/text-fields.ts';
import { CEILING_MESSAGES, ceilingSchema, MAX_CEILING } from '#app/domain/doses/ceiling-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  cursorPageShape,
  cursorQuery,
  decimal,
  MAX_PAGE_SIZE,
  named,
  pageQuery,
  textUpTo,
} from '#app/platform/api/shapes.ts';
import { pageOfAll } from '#app/platform/pagination.server.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { findCeiling, listCeilings, setCeiling } from './amounts.server.ts';

type Ceiling = Awaited<ReturnType<typeof listCeilings>>[number];

const ceilingShape = named(
  'Ceiling',
  z.object({
    name: z.string().describe('Name of the compound'),
    unit: z.enum(DOSE_UNITS).describe('Unit of the three figures'),
    perDose: z.number().nullable().describe('Maximum per dose; null for no ceiling'),
    perDay: z.number().nullable().describe('Maximum per day, in your time zone'),
    per7Days: z.number().nullable().describe('Maximum in any 7 consecutive days'),
  }),
);

const toNumber = (text: string | null): number | null => (text === null ? null : Number(text));

const toCeilingResponse = ({ name, unit, perDose, perDay, per7Days }: Ceiling) => ({
  name,
  unit,
  perDose: toNumber(perDose),
  perDay: toNumber(perDay),
  per7Days: toNumber(per7Days),
});

const ceilingAnswer = z.object({ ceiling: ceilingShape.nullable() });

const tag = 'Ceilings';
const EXAMPLE = { name: 'BPC-157', unit: 'mcg' as const, perDose: 500, perDay: 1000, per7Days: null };

const listCeilingsCall = operation({
  id: 'listCeilings',
  method: 'GET',
  path: '/api/ceilings',
  tag,
  summary: 'Your ceilings by compound',
  description:
    'The maximum you want to take of a compound. A dose or schedule above it returns CONFIRM_DOSE.',
  access: 'user',
  isList: true,
  query: z.object({ ...pageQuery(MAX_PAGE_SIZE), ...cursorQuery }),
  response: z.object({ ceilings: z.array(ceilingShape), ...cursorPageShape }),
  example: { data: { ceilings: [EXAMPLE], page: 1, limit: 100, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfAll(query, await listCeilings(ctx), {
      name: 'ceilings',
      kinds: ['text'],
      placeOf: ({ name }) => [vialNameKey(name)],
      order: 1,
    });
    return { ceilings: items.map(toCeilingResponse), ...paging };
  },
});

const figure = decimal({ above: 0, most: MAX_CEILING }).nullable().optional();

const setCeilingCall = operation({
  id: 'setCeiling',
  method: 'PUT',
  path: '/api/ceilings',
  tag,
  summary: 'Set the ceilings of a compound',
  description:
    'Only the given fields change; null removes a ceiling. `ceiling` is null when the compound has none left.',
  access: 'user',
  body: z.object({
    name: textUpTo(MAX_NAME_LENGTH).describe(
      'Name of the compound; capital letters and spaces make no difference',
    ),
    unit: z.enum(DOSE_UNITS).optional().describe('Defaults to "mg" for a new one'),
    perDose: figure,
    perDay: figure,
    per7Days: figure,
  }),
  checkValues: (body) => void parseInput(ceilingSchema, body),
  response: ceilingAnswer,
  current: {
    shape: ceilingAnswer,
    async read(ctx, { body }) {
      const ceiling = await findCeiling(ctx, parseInput(ceilingSchema, body).name);
      return { ceiling: ceiling === null ? null : toCeilingResponse(ceiling) };
    },
  },
  example: {
    body: { name: 'BPC-157', unit: 'mcg', perDose: 500, perDay: 1000 },
    data: { ceiling: EXAMPLE },
  },
  async run(ctx, { body }) {
    const ceiling = await setCeiling(ctx, body);
    const message = ceiling === null ? CEILING_MESSAGES.removed : CEILING_MESSAGES.saved;
    return new Reply({ ceiling: ceiling === null ? null : toCeilingResponse(ceiling) }, { message });
  },
});

export const ceilingOperations = [listCeilingsCall, setCeilingCall];

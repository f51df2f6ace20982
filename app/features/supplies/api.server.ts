import * as z from 'zod';
import { supplyChangesSchema, supplySchema } from '#app/domain/supplies/supply-schema.ts';
import { supplyView } from '#app/domain/supplies/supply.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { cursorPageShape, cursorQuery, idParams, pageQuery, supplyShape } from '#app/platform/api/shapes.ts';
import { pageOfAll } from '#app/platform/pagination.server.ts';
import { addSupply, deleteSupply, getSupply, listSupplies, updateSupply } from './supplies.server.ts';

const tag = 'Supplies';

const EXAMPLE_SUPPLY = {
  id: 'supply_6740f1a29c1b2d3e4f506173',
  kind: 'syringe' as const,
  name: 'Insulin syringes 0.5 ml',
  left: 87,
  count: 100,
  countedAt: '2026-11-10T08:00:00.000Z',
  perInjection: 1,
  version: 0,
  createdAt: '2026-11-10T08:00:00.000Z',
  level: 'ok' as const,
  runOutDay: '2027-02-18',
  daysOfSupply: 87,
  reorderBy: '2027-02-04',
};

const answer = z.object({ supply: supplyShape });
const example = { supply: EXAMPLE_SUPPLY };

const listSuppliesCall = operation({
  id: 'listSupplies',
  method: 'GET',
  path: '/api/supplies',
  tag,
  summary: 'Your syringes, needles and swabs, with what is left',
  description:
    'In the order they were added. Each dose taken uses `perInjection` pieces of each; undoing it returns them.',
  access: 'user',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery }),
  response: z.object({ supplies: z.array(supplyShape), ...cursorPageShape }),
  example: { data: { supplies: [EXAMPLE_SUPPLY], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfAll(query, await listSupplies(ctx), {
      name: 'supplies',
      kinds: ['instant', 'text'],
      placeOf: ({ supply }) => [supply.createdAt, supply.id],
      order: 1,
    });
    return { supplies: items.map(supplyView), ...paging };
  },
});

const addSupplyCall = operation({
  id: 'addSupply',
  method: 'POST',
  path: '/api/supplies',
  tag,
  summary: 'Add a supply',
  description: 'You can keep at most 20.',
  access: 'user',
  creates: '/api/supplies/{supply.id}',
  errors: ['LIMIT_REACHED', 'PLAN_LIMIT'],
  body: supplySchema,
  response: answer,
  example: { body: { kind: 'syringe', name: 'Insulin syringes 0.5 ml', count: 100 }, data: example },
  run: async (ctx, { body }) => ({ supply: supplyView(await addSupply(ctx, body)) }),
});

const getSupplyCall = operation({
  id: 'getSupply',
  method: 'GET',
  path: '/api/supplies/{id}',
  tag,
  summary: 'One supply',
  description: 'Includes what is left and how long it lasts.',
  access: 'user',
  params: idParams,
  response: answer,
  example: { data: example },
  run: async (ctx, { params }) => ({ supply: supplyView(await getSupply(ctx, params.id)) }),
});

const changeSupplyCall = operation({
  id: 'changeSupply',
  method: 'PUT',
  path: '/api/supplies/{id}',
  tag,
  summary: 'Count, restock or change a supply',
  description: 'Only the fields you send change. A new count or `perInjection` applies from now on.',
  access: 'user',
  errors: ['CHANGED_MEANWHILE'],
  params: idParams,
  body: supplyChangesSchema,
  response: answer,
  example: {
    body: { received: 100, version: 0 },
    data: { supply: { ...EXAMPLE_SUPPLY, left: 187, count: 200, version: 1 } },
  },
  run: async (ctx, { params, body }) => ({ supply: supplyView(await updateSupply(ctx, params.id, body)) }),
});

const deleteSupplyCall = operation({
  id: 'deleteSupply',
  method: 'DELETE',
  path: '/api/supplies/{id}',
  tag,
  summary: 'Delete a supply',
  description: 'This cannot be undone.',
  access: 'user',
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteSupply(ctx, params.id);
    return new Reply({}, { message: 'Supply deleted' });
  },
});

export const supplyOperations = [
  listSuppliesCall,
  addSupplyCall,
  getSupplyCall,
  changeSupplyCall,
  deleteSupplyCall,
];

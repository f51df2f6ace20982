import * as z from 'zod';
import { orderSchema, receivedLineSchema } from '#app/domain/vendors/order-schema.ts';
import { receiveOrder } from './order-receipt.server.ts';
import { addOrder, deleteOrder, getOrder, pageOfOrders, stepOrder } from './orders.server.ts';
import { suggestReorders } from './reorder.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { idParams, pageQuery, pageShape } from '#app/platform/api/shapes.ts';
import { EXAMPLE_SUGGESTION, suggestionAnswer, suggestionShape } from './suggestion-shape.ts';
import { EXAMPLE_ORDER, orderAnswer, orderShape } from './vendor-shape.ts';

const tag = 'Vendors';

const response = z.object({ order: orderShape });

export const listOrdersCall = operation({
  id: 'listOrders',
  method: 'GET',
  path: '/api/orders',
  tag,
  summary: 'Your orders, the newest first',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery() }),
  response: z.object({ orders: z.array(orderShape), ...pageShape }),
  example: { data: { orders: [EXAMPLE_ORDER], page: 1, limit: 20, total: 1 } },
  async run(ctx, { query }) {
    const { orders, total } = await pageOfOrders(ctx, query);
    return { orders: orders.map(orderAnswer), page: query.page, limit: query.limit, total };
  },
});

export const addOrderCall = operation({
  id: 'addOrder',
  method: 'POST',
  path: '/api/orders',
  tag,
  summary: 'Write an order as a draft',
  access: 'premium',
  creates: true,
  body: orderSchema,
  response,
  example: {
    body: {
      supplierId: EXAMPLE_ORDER.supplierId,
      lines: [{ name: 'BPC-157', mgPerVial: 5, price: 29.9, currency: 'USD', quantity: 2 }],
    },
    data: { order: EXAMPLE_ORDER },
  },
  run: async (ctx, { body }) => ({ order: orderAnswer(await addOrder(ctx, body)) }),
});

export const getOrderCall = operation({
  id: 'getOrder',
  method: 'GET',
  path: '/api/orders/{id}',
  tag,
  summary: 'One order',
  access: 'premium',
  params: idParams,
  response,
  example: { data: { order: EXAMPLE_ORDER } },
  run: async (ctx, { params }) => ({ order: orderAnswer(await getOrder(ctx, params.id)) }),
});

export const stepOrderCall = operation({
  id: 'stepOrder',
  method: 'PATCH',
  path: '/api/orders/{id}/state',
  tag,
  summary: 'Mark an order as sent, confirmed or cancelled',
  access: 'premium',
  errors: ['CONFLICT'],
  params: idParams,
  body: z.object({ state: z.enum(['sent', 'confirmed', 'cancelled']) }),
  response,
  example: { body: { state: 'sent' }, data: { order: { ...EXAMPLE_ORDER, state: 'sent' } } },
  async run(ctx, { params, body }) {
    await stepOrder(ctx, params.id, body.state);
    return { order: orderAnswer(await getOrder(ctx, params.id)) };
  },
});

export const receiveOrderCall = operation({
  id: 'receiveOrder',
  method: 'POST',
  path: '/api/orders/{id}/receipt',
  tag,
  summary: 'Receive an order: each vial of it becomes a sealed vial',
  description:
    '`lines` says lot and expiry of each line, in the order’s own order; what is left out is unknown.',
  access: 'premium',
  creates: true,
  errors: ['CONFLICT'],
  params: idParams,
  body: z.object({ lines: z.array(receivedLineSchema).max(20).optional() }),
  response: z.object({ order: orderShape, vials: z.int() }),
  example: {
    body: { lines: [{ lot: 'L-2207', expirationDate: '2028-05-31' }] },
    data: { order: { ...EXAMPLE_ORDER, state: 'received', next: [] }, vials: 2 },
  },
  async run(ctx, { params, body }) {
    const vials = await receiveOrder(ctx, params.id, body.lines ?? []);
    return { order: orderAnswer(await getOrder(ctx, params.id)), vials };
  },
});

export const deleteOrderCall = operation({
  id: 'deleteOrder',
  method: 'DELETE',
  path: '/api/orders/{id}',
  tag,
  summary: 'Delete a draft or a cancelled order',
  access: 'premium',
  errors: ['CONFLICT'],
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteOrder(ctx, params.id);
    return new Reply({}, { message: 'Order deleted' });
  },
});

export const reorderSuggestionsCall = operation({
  id: 'reorderSuggestions',
  method: 'GET',
  path: '/api/orders/suggestions',
  tag,
  summary: 'What to order soon, by the forecast of your stock',
  description: 'With the cheapest milligram among your suppliers’ products, one offer for each currency.',
  access: 'premium',
  response: z.object({ suggestions: z.array(suggestionShape) }),
  example: { data: { suggestions: [EXAMPLE_SUGGESTION] } },
  run: async (ctx) => ({ suggestions: (await suggestReorders(ctx)).map(suggestionAnswer) }),
});

export const orderOperations = [
  listOrdersCall,
  reorderSuggestionsCall,
  addOrderCall,
  getOrderCall,
  stepOrderCall,
  receiveOrderCall,
  deleteOrderCall,
];

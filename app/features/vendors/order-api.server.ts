import * as z from 'zod';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  addOrderDocument,
  deleteOrderDocument,
  readOrderDocument,
  suggestReorders,
  receiveOrder,
  addOrder,
  deleteOrder,
  getOrder,
  pageOfOrders,
  stepOrder,
} from './orders.server.ts';
import { pageOfAll } from '#app/platform/pagination.server.ts';
import { FileReply, operation, Reply } from '#app/platform/api/operation.ts';
import {
  idParams,
  day,
  named,
  pageQuery,
  cursorPageShape,
  cursorQuery,
  periodQuery,
  updatedQuery,
} from '#app/platform/api/shapes.ts';
import {
  EXAMPLE_DOCUMENT,
  documentShape,
  EXAMPLE_PRODUCT,
  EXAMPLE_SUPPLIER,
  productAnswer,
  productShape,
  EXAMPLE_ORDER,
  orderAnswer,
  orderShape,
} from './vendor-shape.server.ts';
import { orderSchema, receivedLineSchema } from '#app/domain/vendors/order-schema.ts';

const tag = 'Vendors';

const response = z.object({ order: orderShape });

const listOrdersCall = operation({
  id: 'listOrders',
  method: 'GET',
  path: '/api/orders',
  tag,
  summary: 'Your orders, newest first',
  description: 'Orders in every status. `next` lists the statuses an order can move to.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery, ...periodQuery, ...updatedQuery }),
  response: z.object({ orders: z.array(orderShape), ...cursorPageShape }),
  example: { data: { orders: [EXAMPLE_ORDER], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfOrders(ctx, query);
    return { orders: items.map(orderAnswer), ...paging };
  },
});

const addOrderCall = operation({
  id: 'addOrder',
  method: 'POST',
  path: '/api/orders',
  tag,
  summary: 'Create an order as a draft',
  description:
    'You can change it until it is sent. The supplier must be one of yours. For a blend, `components` lists what each vial holds.',
  access: 'premium',
  creates: '/api/orders/{order.id}',
  body: orderSchema,
  response,
  example: {
    body: {
      supplierId: EXAMPLE_ORDER.supplierId,
      lines: [{ name: 'BPC-157', mgPerVial: 5, price: 29.9, currency: 'USD', quantity: 2 }],
    },
    data: { order: EXAMPLE_ORDER },
  },
  errors: ['PLAN_LIMIT'],
  run: async (ctx, { body }) => ({ order: orderAnswer(await addOrder(ctx, body)) }),
});

const getOrderCall = operation({
  id: 'getOrder',
  method: 'GET',
  path: '/api/orders/{id}',
  tag,
  summary: 'One order',
  description: 'Includes its lines, documents and the time of each step.',
  access: 'premium',
  params: idParams,
  response,
  example: { data: { order: EXAMPLE_ORDER } },
  run: async (ctx, { params }) => ({ order: orderAnswer(await getOrder(ctx, params.id)) }),
});

const stepOrderCall = operation({
  id: 'stepOrder',
  method: 'PATCH',
  path: '/api/orders/{id}/state',
  tag,
  summary: 'Mark an order as sent, confirmed or cancelled',
  description: 'To receive an order, use `POST /api/orders/{id}/receipt`, which also adds its vials.',
  access: 'premium',
  errors: ['WRONG_STATE'],
  params: idParams,
  body: z.object({ state: z.enum(['sent', 'confirmed', 'cancelled']) }),
  response,
  example: { body: { state: 'sent' }, data: { order: { ...EXAMPLE_ORDER, state: 'sent' } } },
  async run(ctx, { params, body }) {
    await stepOrder(ctx, params.id, body.state);
    return { order: orderAnswer(await getOrder(ctx, params.id)) };
  },
});

const receiveOrderCall = operation({
  id: 'receiveOrder',
  method: 'POST',
  path: '/api/orders/{id}/receipt',
  tag,
  summary: 'Receive an order and add its vials as sealed',
  description:
    '`lines` gives the lot, the expiry and, for a blend, the components of each order line, in the same order. Components are as ordered by default; other omitted values are unknown.',
  access: 'premium',
  creates: '/api/orders/{id}',
  errors: ['WRONG_STATE', 'PLAN_LIMIT'],
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

const deleteOrderCall = operation({
  id: 'deleteOrder',
  method: 'DELETE',
  path: '/api/orders/{id}',
  tag,
  summary: 'Delete a draft or a cancelled order',
  description: 'Its documents are deleted too. An order with any other status cannot be deleted.',
  access: 'premium',
  errors: ['WRONG_STATE'],
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteOrder(ctx, params.id);
    return new Reply({}, { message: 'Order deleted' });
  },
});

const documentParams = z.object({ ...idParams.shape, paperId: z.string().min(1).max(200) });

const addOrderDocumentCall = operation({
  id: 'addOrderPaper',
  method: 'POST',
  path: '/api/orders/{id}/papers',
  tag: 'Vendors',
  summary: 'Add a certificate of analysis or another document to an order',
  description: 'PDFs are stored unchanged; pictures are re-encoded. At most 10 per order and 200 in total.',
  access: 'premium',
  creates: '/api/orders/{id}/papers/{paper.id}',
  errors: ['LIMIT_REACHED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  upload: { field: 'paper', description: 'PDF, JPEG, PNG or WebP, at most 5 MB' },
  params: idParams,
  response: z.object({ paper: documentShape }),
  example: { data: { paper: EXAMPLE_DOCUMENT } },
  async run(ctx, { params, file }) {
    const sent = file ?? new File([], '');
    const bytes = new Uint8Array(await sent.arrayBuffer());
    return { paper: await addOrderDocument(ctx, params.id, { fileName: sent.name, bytes }) };
  },
});

const getOrderDocumentCall = operation({
  id: 'getOrderPaper',
  method: 'GET',
  path: '/api/orders/{id}/papers/{paperId}',
  tag: 'Vendors',
  summary: 'A document of an order',
  description: 'PDFs are unchanged; pictures are re-encoded.',
  access: 'premium',
  params: documentParams,
  files: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'],
  example: { params: { id: EXAMPLE_ORDER.id, paperId: EXAMPLE_DOCUMENT.id } },
  async run(ctx, { params }) {
    const { bytes, contentType, fileName } = await readOrderDocument(ctx, params.id, params.paperId);
    return new FileReply(contentType, fileName, () => Readable.from([bytes]));
  },
});

const deleteOrderDocumentCall = operation({
  id: 'deleteOrderPaper',
  method: 'DELETE',
  path: '/api/orders/{id}/papers/{paperId}',
  tag: 'Vendors',
  summary: 'Delete a document of an order',
  description: 'This cannot be undone. Its space is freed immediately.',
  access: 'premium',
  params: documentParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteOrderDocument(ctx, params.id, params.paperId);
    return new Reply({}, { message: 'Document deleted' });
  },
});

export const orderDocumentOperations = [addOrderDocumentCall, getOrderDocumentCall, deleteOrderDocumentCall];

/** A compound to reorder, in a response. */
const suggestionShape = named(
  'ReorderSuggestion',
  z.object({
    name: z.string(),
    runOutDay: day.describe('First day whose doses the stock does not cover'),
    reorderBy: day.describe('14 days before; may be in the past'),
    isDue: z.boolean(),
    offers: z
      .array(z.object({ ...productShape.shape, supplierName: z.string() }))
      .describe('Lowest price per mg, one per currency'),
    onTheWay: z.array(z.object({ orderId: z.string(), vials: z.int() })).describe('Vials in open orders'),
  }),
);

type Suggestion = Awaited<ReturnType<typeof suggestReorders>>[number];

function suggestionAnswer({ name, runOutDay, reorderBy, isDue, offers, onTheWay }: Suggestion) {
  const products = offers.map(({ product }) => productAnswer(product));
  return { name, runOutDay, reorderBy, isDue, offers: products, onTheWay };
}

const EXAMPLE_SUGGESTION = {
  name: EXAMPLE_PRODUCT.name,
  runOutDay: '2026-12-03',
  reorderBy: '2026-11-19',
  isDue: true,
  offers: [{ ...EXAMPLE_PRODUCT, supplierName: EXAMPLE_SUPPLIER.name }],
  onTheWay: [],
};

/** A key of any length as one that fits into a cursor. */
const shortened = (key: string): string => createHash('sha256').update(key).digest('base64url');

const reorderSuggestionsCall = operation({
  id: 'reorderSuggestions',
  method: 'GET',
  path: '/api/orders/suggestions',
  tag,
  summary: 'What to order soon, based on your stock forecast',
  description: 'Includes the lowest price per mg among your suppliers’ products, one offer per currency.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery }),
  response: z.object({ suggestions: z.array(suggestionShape), ...cursorPageShape }),
  example: { data: { suggestions: [EXAMPLE_SUGGESTION], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfAll(query, await suggestReorders(ctx), {
      name: 'suggestions',
      kinds: ['text', 'text', 'text'],
      placeOf: ({ reorderBy, name, stockKey }) => [reorderBy, name, shortened(stockKey)],
      order: 1,
    });
    return { suggestions: items.map(suggestionAnswer), ...paging };
  },
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

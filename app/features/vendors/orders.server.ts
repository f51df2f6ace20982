import type { Period } from '#app/domain/forms/paging.ts';
import { instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { AppError, type FieldErrors, conflict, fieldError } from '#app/domain/errors.ts';
import {
  componentsProblem,
  ORDER_MESSAGES,
  orderDetailsOf,
  orderSchema,
  receivedDetailsOf,
  type OrderFields,
  type OrderInput,
  receivedLineSchema,
  type ReceivedLine,
  type ReceivedLineInput,
} from '#app/domain/vendors/order-schema.ts';
import { undrawn } from '#app/domain/vials/describe-vial.ts';
import { parseInput, fieldErrors } from '#app/domain/forms/fields.ts';
import { mayBecome, type OrderState } from '#app/domain/vendors/order-states.ts';
import type { OrderRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import { pageFrom, type Changes, type PageRequest } from '#app/platform/pagination.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { takeRows } from '#app/platform/access/row-quota.server.ts';
import { documentStorage, releaseFilesOf } from '#app/platform/files/storage-quota.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import { detailsOf } from '#app/domain/vials/vial-fields.ts';
import { insertVials, stockForecast } from '#app/features/vials/index.server.ts';
import { lotKeys, lotOfVial } from '#app/domain/lots/lot.ts';
import { CERTIFICATE_FIELDS } from '#app/domain/lots/lot-schema.ts';
import { linkLot, updateLot } from '#app/features/lots/index.server.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { reorderSuggestions, type ReorderSuggestion } from '#app/domain/vendors/reorder.ts';
import { listProducts, type OfferedProduct } from './suppliers.server.ts';
import type { OrderDocument } from '#app/domain/vendors/document-schema.ts';
import {
  addDocument,
  deleteDocument,
  readStoredDocument,
  type SentDocument,
  type StoredDocument,
} from '#app/platform/files/documents.server.ts';
import { repos } from './repositories.server.ts';

const PAGE = 20;

/** A page of orders, newest first. */
interface OrderPage {
  orders: OrderRecord[];
  /** Id to request the next page with; null on the last page. */
  next: string | null;
}

/**
 * The signed-in user's orders.
 * @param after id of the last order on the previous page
 * @throws AppError PREMIUM_REQUIRED
 */
export async function listOrders(ctx: Ctx, after?: string): Promise<OrderPage> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const last = after === undefined ? null : await repos(ctx).orders.find(user.id, after);
  const rows = await repos(ctx).orders.list(user.id, PAGE + 1, last ?? undefined);
  const orders = rows.slice(0, PAGE);
  return { orders, next: rows.length > PAGE ? (orders.at(-1)?.id ?? null) : null };
}

/** The orders of a period for the API, newest first. @throws AppError PREMIUM_REQUIRED, INVALID_INPUT */
export async function pageOfOrders(
  ctx: Ctx,
  { start, end, updatedSince, ...request }: PageRequest & Period & Changes,
) {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const selection = { ...instantsOfDays(start ?? null, end ?? null, user.timeZone), updatedSince };
  return pageFrom<OrderRecord>(request, {
    name: 'orders',
    kinds: ['instant', 'text'],
    placeOf: ({ createdAt, id }) => [createdAt, id],
    read: (slice) => repos(ctx).orders.page(user.id, selection, slice),
    count: () => repos(ctx).orders.count(user.id, selection),
  });
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function getOrder(ctx: Ctx, id: string): Promise<OrderRecord> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const order = await repos(ctx).orders.find(user.id, id);
  if (order === null) throw new AppError('NOT_FOUND', 'Order not found.');
  return order;
}

async function content(ctx: Ctx, ownerId: string, { supplierId, lines, ...details }: OrderFields) {
  const supplier = await repos(ctx).suppliers.find(ownerId, supplierId);
  if (supplier === null) throw fieldError('supplierId', ORDER_MESSAGES.supplierId);
  return {
    supplierId,
    supplierName: supplier.name,
    currency: lines[0]?.currency ?? 'USD',
    lines: lines.map(({ currency: _currency, components, ...line }) => ({
      ...line,
      ...receivedDetailsOf({}),
      components: components?.map((component) => ({ ...component })) ?? null,
    })),
    ...orderDetailsOf(details),
  };
}

/**
 * Adds an order as a draft.
 * @param idempotencyKey identifies one rendering of the form: submitted twice, it adds one order
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, PLAN_LIMIT if the account is full
 */
export async function addOrder(ctx: Ctx, input: OrderInput, idempotencyKey?: string): Promise<OrderRecord> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const fields = await content(ctx, user.id, parseInput(orderSchema, input));
  const now = ctx.now();
  const id = idFromKey('ord', now, user.id, idempotencyKey);
  const order: Omit<OrderRecord, 'id'> = {
    ...fields,
    state: 'draft',
    steps: [{ state: 'draft', at: now }],
    papers: [],
    vialsMade: false,
    createdAt: now,
  };
  await takeRows(
    ctx,
    { id: user.id, isPremium: true },
    { findEarlier: () => repos(ctx).orders.find(user.id, id) },
  );
  await repos(ctx).orders.create({ _id: id, userId: user.id, ...order });
  return { id, ...order };
}

/**
 * Replaces the content of a draft.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, NOT_FOUND, CONFLICT if it is no longer a draft
 */
export async function updateOrder(ctx: Ctx, id: string, input: OrderInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const fields = await content(ctx, user.id, parseInput(orderSchema, input));
  if (await repos(ctx).orders.updateDraft(user.id, id, fields)) return;
  await getOrder(ctx, id);
  throw conflict('NOT_DRAFT', ORDER_MESSAGES.notDraft);
}

/**
 * Moves an order to the state sent, confirmed or cancelled. See `receiveOrder` for receiving.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, CONFLICT if the order cannot move to that state (any more)
 */
export async function stepOrder(
  ctx: Ctx,
  id: string,
  to: Exclude<OrderState, 'draft' | 'received'>,
): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const { state: from } = await getOrder(ctx, id);
  const step = { from, to, at: ctx.now() };
  if (!mayBecome(from, to) || !(await repos(ctx).orders.step(user.id, id, step)))
    throw conflict('WRONG_STATE', ORDER_MESSAGES.outOfSequence);
}

/**
 * Deletes a draft or a cancelled order with its documents.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, CONFLICT in any other state
 */
export async function deleteOrder(ctx: Ctx, id: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  await ctx.transaction(async () => {
    if (!(await repos(ctx).orders.delete(user.id, id))) {
      await getOrder(ctx, id);
      throw conflict('WRONG_STATE', 'Only a draft or a cancelled order can be deleted.');
    }
    await releaseFilesOf(documentStorage(ctx), user.id, id);
  });
}

/** What was delivered for each line, in the order of the lines. */
type ReceivedInput = readonly ReceivedLineInput[];

/** @throws AppError INVALID_INPUT with `fields['lot.0']` and so on */
function readLines(order: OrderRecord, input: ReceivedInput): ReceivedLine[] {
  const wrong: FieldErrors = {};
  const lines = order.lines.map((_, place) => {
    const parsed = receivedLineSchema.safeParse(input[place] ?? {});
    const messages = parsed.success
      ? wrongSum(parsed.data, order.lines[place]?.mgPerVial ?? '')
      : fieldErrors(parsed.error.issues);
    // All components share one field, so an error in any of them is shown there.
    for (const [name, found] of Object.entries(messages)) wrong[`${name.split('.')[0]}.${place}`] = found;
    return parsed.data ?? {};
  });
  const [first] = Object.values(wrong).flat();
  if (first !== undefined) throw new AppError('INVALID_INPUT', first, { fields: wrong });
  return lines;
}

function wrongSum({ components }: ReceivedLine, mgPerVial: string): FieldErrors {
  const message = componentsProblem(components ?? [], mgPerVial);
  return message === null ? {} : { components: [message] };
}

/** The components of a line's vials: as received, else as ordered. */
function receivedComponents(line: OrderRecord['lines'][number], { components }: ReceivedLine) {
  const contents = components === undefined ? line.components : components;
  return contents?.map(({ name, amount }) => ({ name, amount })) ?? null;
}

/** One sealed vial of a line. Its id is the same however often it is made. */
function vialOf(
  ctx: Ctx,
  ownerId: string,
  order: OrderRecord,
  place: number,
  number: number,
): VialWithLedger {
  const line = order.lines[place] as OrderRecord['lines'][number];
  const blend = line.components && line.components.length > 1 ? line.components : null;
  const totalAmount = blend?.[0]?.amount ?? line.mgPerVial;
  return {
    id: idFromKey('vial', ctx.now(), ownerId, `${order.id}:${place}:${number}`),
    userId: ownerId,
    name: line.name,
    status: 'sealed',
    totalAmount,
    remaining: totalAmount,
    ...(blend && { components: blend.map(undrawn) }),
    displacement: '0',
    openedAt: null,
    createdAt: ctx.now(),
    ...detailsOf({
      lot: line.lot,
      expirationDate: line.expirationDate,
      supplierId: order.supplierId,
      cost: line.price,
      currency: order.currency,
    }),
    ledger: [],
    foldedCount: 0,
    foldedMg: '0',
  };
}

/** Finds or creates the lot of an order's line. @returns null for a line without a lot */
function lotOf(ctx: Ctx, ownerId: string, order: OrderRecord, place: number): Promise<string | null> {
  const { name, lot, expirationDate } = order.lines[place] as OrderRecord['lines'][number];
  const mention = { name, lot, supplierId: order.supplierId };
  return linkLot(ctx, ownerId, mention, { orderId: order.id, expirationDate });
}

/**
 * The lots of a received order's lines, in the order of the lines.
 * @returns null for a line without a lot
 * @throws AppError PREMIUM_REQUIRED
 */
export async function lotsOfOrder(ctx: Ctx, order: OrderRecord): Promise<(string | null)[]> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  return Promise.all(
    order.lines.map(async ({ name, lot }) => {
      if (order.state !== 'received' || !lot) return null;
      const { numberKey, productKey } = lotKeys({ number: lot, product: name });
      const lots = await repos(ctx).lots.findByNumber(user.id, numberKey, productKey);
      return lotOfVial(lots, order.supplierId)?.id ?? null;
    }),
  );
}

/** Saves the certificates of the delivery with their lots. */
async function keepCertificates(
  ctx: Ctx,
  ownerId: string,
  order: OrderRecord,
  received: readonly ReceivedLine[],
): Promise<void> {
  for (const [place, line] of received.entries()) {
    const certificate = CERTIFICATE_FIELDS.filter((field) => line[field] != null);
    const id = certificate.length === 0 ? null : await lotOf(ctx, ownerId, order, place);
    if (id !== null)
      await updateLot(ctx, id, Object.fromEntries(certificate.map((field) => [field, line[field]])));
  }
}

/** The vials of an order that one act adds. */
const VIALS_AT_ONCE = 50;

/** Adds the vials of a received order that are still missing. @returns how many vials the order has */
async function makeVials(ctx: Ctx, ownerId: string, order: OrderRecord): Promise<number> {
  const vials: VialWithLedger[] = [];
  for (const [place, { quantity }] of order.lines.entries()) {
    const lotId = await lotOf(ctx, ownerId, order, place);
    for (let number = 0; number < quantity; number += 1)
      vials.push({ ...vialOf(ctx, ownerId, order, place, number), lotId });
  }
  for (let from = 0; from < vials.length; from += VIALS_AT_ONCE)
    await insertVials(ctx, ownerId, vials.slice(from, from + VIALS_AT_ONCE));
  await repos(ctx).orders.setVialsMade(ownerId, order.id);
  return vials.length;
}

/**
 * Receives an order: adds its vials as sealed with lot and cost, and saves the certificates with their lots. If it is
 * interrupted, call it again to finish; no vial is added twice.
 * @returns how many vials the order has
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, PLAN_LIMIT if the account is full, CONFLICT if the
 *   order cannot be received
 */
export async function receiveOrder(ctx: Ctx, id: string, input: ReceivedInput): Promise<number> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const order = await getOrder(ctx, id);
  if (order.state === 'received' && !order.vialsMade) return makeVials(ctx, user.id, order);
  if (!mayBecome(order.state, 'received')) throw conflict('WRONG_STATE', ORDER_MESSAGES.outOfSequence);
  const received = readLines(order, input);
  const lines = order.lines.map((line, place) => ({
    ...line,
    ...receivedDetailsOf(received[place] ?? {}),
    components: receivedComponents(line, received[place] ?? {}),
  }));
  const rows = lines.reduce((vials, { quantity }) => vials + quantity, 0);
  await takeRows(ctx, { id: user.id, isPremium: true }, { rows });
  const step = { from: order.state, to: 'received' as const, at: ctx.now(), lines };
  await ctx.transaction(async () => {
    await keepCertificates(ctx, user.id, { ...order, lines }, received);
    if (!(await repos(ctx).orders.step(user.id, id, step)))
      throw conflict('WRONG_STATE', ORDER_MESSAGES.outOfSequence);
  });
  // In acts of their own: there may be many vials, and what an interruption leaves out is added the next time.
  return makeVials(ctx, user.id, { ...order, lines });
}

/** The most open orders that are considered. */
const MAX_OPEN = 200;

/**
 * What the signed-in user should order soon, each with the cheapest matching products of their suppliers.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function suggestReorders(ctx: Ctx): Promise<ReorderSuggestion<OfferedProduct>[]> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const [forecasts, products, orders] = await Promise.all([
    stockForecast(ctx, user.id),
    listProducts(ctx),
    repos(ctx).orders.listOpen(user.id, MAX_OPEN),
  ]);
  return reorderSuggestions(forecasts, products, orders, calendarDay(ctx.now(), user.timeZone));
}

/**
 * Adds a certificate of analysis or another document to one of the signed-in user's orders.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_INPUT, CONFLICT if
 * there is no room for more, RATE_LIMITED
 */
export async function addOrderDocument(
  ctx: Ctx,
  orderId: string,
  sent: SentDocument,
): Promise<OrderDocument> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  return addDocument(ctx, user.id, repos(ctx).orderDocuments, await getOrder(ctx, orderId), sent);
}

/** A document of one of the signed-in user's orders. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function readOrderDocument(
  ctx: Ctx,
  orderId: string,
  documentId: string,
): Promise<StoredDocument> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  return readStoredDocument(ctx, user.id, await repos(ctx).orders.find(user.id, orderId), documentId);
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteOrderDocument(ctx: Ctx, orderId: string, documentId: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  await deleteDocument(ctx, user.id, repos(ctx).orderDocuments, orderId, documentId);
}

import { wasteNote } from '#app/domain/vials/forecast-texts.ts';
import { attachment } from '#app/platform/http/file-response.server.ts';
import { plural } from '#app/domain/text/plural.ts';
import { AppError, type FieldErrors } from '#app/domain/errors.ts';
import type { Component } from '#app/domain/calculator/calculation.ts';
import { componentsText } from '#app/domain/calculator/components.ts';
import { orderLineSchema, type OrderForm, type OrderInput } from '#app/domain/vendors/order-schema.ts';
import { MAX_DOCUMENTS_EACH, documentView } from '#app/domain/vendors/document-schema.ts';
import { calendarDay, shownInstant } from '#app/domain/time/zoned-time.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { nextStates } from '#app/domain/vendors/order-states.ts';
import {
  orderTotal,
  shownMoney,
  shownPrice,
  pricePerMg,
  type PriceGroup,
} from '#app/domain/vendors/price-per-mg.ts';
import type { ReorderSuggestion } from '#app/domain/vendors/reorder.ts';
import type { OfferedProduct, addProduct } from './suppliers.server.ts';
import { getOrder, lotsOfOrder, type addOrder } from './orders.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

type Order = Awaited<ReturnType<typeof addOrder>>;

type Product = Awaited<ReturnType<typeof addProduct>>;

interface Document {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** A document as a download that is not cached and, if it is opened in the browser, cannot run anything there. */
export function documentResponse({ fileName, contentType, bytes }: Document): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
      'Content-Disposition': attachment(fileName),
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
}

/** A product as text. */
export function productLine(product: Product, timeZone: string) {
  const { id, name, form, mgPerVial, price, currency, pricedAt } = product;
  return {
    id,
    name,
    form,
    amount: `${mgPerVial} mg`,
    price: shownPrice(price, currency),
    perMg: `${shownMoney(pricePerMg(product), currency)}/mg`,
    pricedOn: shownDay(calendarDay(pricedAt, timeZone)),
  };
}

/** A group of compared prices as text. */
export function priceGroupView({ name, currency, rows }: PriceGroup<OfferedProduct>) {
  return {
    name,
    currency,
    rows: rows.map(({ product, perMgText, dearerPercent, isCheapest }) => ({
      id: product.id,
      supplierId: product.supplierId,
      supplier: product.supplierName,
      amount: `${product.mgPerVial} mg`,
      price: shownPrice(product.price, currency),
      perMg: perMgText,
      difference: dearerPercent === '∞' ? 'Cheapest is free' : `${dearerPercent}% more`,
      isCheapest,
    })),
  };
}

/** A compound to reorder, as text. */
export function reorderRow(suggestion: ReorderSuggestion<OfferedProduct>) {
  const { name, isDue, runOutDay, reorderBy, offers, onTheWay } = suggestion;
  return {
    name,
    isDue,
    when: `Lasts until ${shownDay(runOutDay)}; order by ${shownDay(reorderBy)}.${wasteNote(suggestion)}`,
    offers: offers.map(({ product, perMgText }) => ({
      id: product.id,
      supplierId: product.supplierId,
      text: `${product.mgPerVial} mg from ${product.supplierName}: ${shownPrice(product.price, product.currency)}, ${perMgText}`,
    })),
    onTheWay: onTheWay.map(({ orderId, vials }) => ({
      orderId,
      text: `${plural(vials, 'vial')} in an open order`,
    })),
  };
}

const totalOf = ({ lines, currency }: Order): string => shownMoney(orderTotal(lines), currency);

/** An order in the list, as text. */
export function orderRow(order: Order, timeZone: string) {
  const vials = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const names = [...new Set(order.lines.map(({ name }) => name))].join(', ');
  return {
    id: order.id,
    supplier: order.supplierName,
    state: order.state,
    content: `${plural(vials, 'vial')} of ${names}`,
    total: totalOf(order),
    day: shownDay(calendarDay(order.createdAt, timeZone)),
  };
}

/** "BPC-157 5 mg + TB-500 10 mg". */
const componentWords = (components: readonly Component[]): string =>
  components.map(({ name, amount }) => `${name} ${amount} mg`).join(' + ');

/** An order as text. Lines are identified by their index. */
export function orderView(order: Order, timeZone: string) {
  const { id, state, notes, steps, currency } = order;
  return {
    id,
    state,
    next: nextStates(state),
    isUnfinished: state === 'received' && !order.vialsMade,
    lines: order.lines.map(
      ({ name, mgPerVial, quantity, price, lot, expirationDate, components }, place) => ({
        key: String(place),
        name,
        contents: components && components.length > 1 ? componentWords(components) : null,
        amount: `${mgPerVial} mg`,
        quantity,
        price: shownPrice(price, currency),
        lot,
        expires: expirationDate,
      }),
    ),
    total: totalOf(order),
    notes,
    papers: order.papers.map((document) => documentView(document, timeZone)),
    canAddDocument: order.papers.length < MAX_DOCUMENTS_EACH,
    steps: steps.map((step) => ({ state: step.state, at: shownInstant(step.at, timeZone) })),
  };
}

/** Data for the page of an order. @throws AppError NOT_FOUND */
export async function readOrderPage({ ctx, user, params }: UserPageArgs) {
  const order = await getOrder(ctx, params.id ?? '');
  const view = orderView(order, user.timeZone);
  const lots = await lotsOfOrder(ctx, order);
  const lines = view.lines.map((line, place) => {
    const id = lots[place] ?? null;
    return id === null ? line : { ...line, lotHref: `/dashboard/lots/${id}` };
  });
  return { title: `Order from ${order.supplierName}`, order: { ...view, lines } };
}

/** Initial values of the component fields, from an order's lines and their keys in the form. */
export function componentValues(
  lines: readonly (readonly [key: string, line: Pick<Order['lines'][number], 'components'>])[],
): Record<string, string> {
  return Object.fromEntries(
    lines.flatMap(([key, { components }]) =>
      components ? [[`components.${key}`, componentsText(components)] as const] : [],
    ),
  );
}

/**
 * A submitted order form: products with a quantity and, for blends, components, and what was noted.
 * @throws AppError INVALID_INPUT with a message at each invalid field
 */
export function orderOf(
  { quantity: quantities, components: contents, idempotencyKey, ...details }: OrderForm,
  supplierId: string,
  products: readonly Product[],
): OrderInput {
  const requests = products.flatMap(({ id, name, mgPerVial, price, currency }) => {
    const quantity = (quantities[id] ?? '').trim();
    if (quantity === '' || quantity === '0') return [];
    const components = contents[id] ?? '';
    return [{ id, line: { name, mgPerVial, price, currency, quantity, components } }];
  });
  const fields: FieldErrors = {};
  for (const { id, line } of requests)
    for (const { path, message } of orderLineSchema.safeParse(line).error?.issues ?? [])
      // All components share one field, so an error in any of them is shown there.
      fields[`${String(path[0])}.${id}`] ??= [message];
  const [first] = Object.values(fields).flat();
  if (first !== undefined) throw new AppError('INVALID_INPUT', first, { fields });
  return { supplierId, lines: requests.map(({ line }) => line), ...details };
}

import * as z from 'zod';
import { nearestDouble, ratio, Decimal } from '#app/domain/decimal/decimal.ts';
import { PRODUCT_FORMS, supplierDetails } from '#app/domain/vendors/vendor-schema.ts';
import { orderDetails, receivedDetails } from '#app/domain/vendors/order-schema.ts';
import { nextStates, ORDER_STATES } from '#app/domain/vendors/order-states.ts';
import type { getOrder } from './orders.server.ts';
import type { getSupplier } from './suppliers.server.ts';
import { day, instant, named, textShapes, updatedAtOf } from '#app/platform/api/shapes.ts';

const number = (text: string): number => nearestDouble(ratio(new Decimal(text)));

/** A supplier in a response. */
export const supplierShape = named(
  'Supplier',
  z.object({
    id: z.string(),
    name: z.string(),
    ...textShapes(supplierDetails),
    rating: z.int().nullable().describe('1 to 5'),
    createdAt: instant,
    updatedAt: instant,
  }),
);

/** A supplier as the API returns it. */
export const supplierAnswer = (supplier: Awaited<ReturnType<typeof getSupplier>>) => ({
  ...supplier,
  updatedAt: updatedAtOf(supplier),
});

/** A product of a supplier in a response. */
export const productShape = named(
  'Product',
  z.object({
    id: z.string(),
    supplierId: z.string(),
    name: z.string(),
    form: z.enum(PRODUCT_FORMS),
    mgPerVial: z.number(),
    price: z.number().describe('Per vial'),
    currency: z.string(),
    createdAt: instant,
    pricedAt: instant.describe('When the price was last set'),
  }),
);

interface ProductLike {
  mgPerVial: string;
  price: string;
}

/** A product with its decimal texts as numbers. */
export function productAnswer<P extends ProductLike>(product: P) {
  return { ...product, mgPerVial: number(product.mgPerVial), price: number(product.price) };
}

/** A document of an order in a response. */
export const documentShape = named(
  'OrderPaper',
  z.object({
    id: z.string(),
    fileName: z.string(),
    contentType: z.string(),
    bytes: z.int(),
    addedAt: instant,
  }),
);

/** An order in a response. */
export const orderShape = named(
  'Order',
  z.object({
    id: z.string(),
    supplierId: z.string(),
    supplierName: z.string(),
    state: z.enum(ORDER_STATES),
    next: z.array(z.enum(ORDER_STATES)).describe('Statuses the order can move to'),
    currency: z.string(),
    lines: z.array(
      z.object({
        name: z.string(),
        mgPerVial: z.number(),
        price: z.number(),
        quantity: z.int(),
        ...textShapes(receivedDetails),
        expirationDate: day.nullable(),
        components: z
          .array(z.object({ name: z.string(), amount: z.number() }))
          .describe('For a blend, in mg: as ordered, then as received; empty for a single peptide'),
      }),
    ),
    ...textShapes(orderDetails),
    papers: z.array(documentShape).describe('Certificates of analysis and other documents'),
    steps: z.array(z.object({ state: z.enum(ORDER_STATES), at: instant })),
    createdAt: instant,
    updatedAt: instant,
  }),
);

type OrderRow = Awaited<ReturnType<typeof getOrder>>;

export function orderAnswer({ lines, ...order }: OrderRow) {
  const shown = lines.map(({ components, ...line }) => ({
    ...productAnswer(line),
    components: (components ?? []).map(({ name, amount }) => ({ name, amount: Number(amount) })),
  }));
  return { ...order, updatedAt: updatedAtOf(order), next: [...nextStates(order.state)], lines: shown };
}

const AT = '2026-11-21T08:00:00.000Z';

export const EXAMPLE_SUPPLIER = {
  id: 'sup_0123456789abcdef01234567',
  name: 'Acme Peptides',
  site: 'https://acme.example',
  contact: null,
  rating: 4,
  notes: null,
  createdAt: AT,
  updatedAt: AT,
};

export const EXAMPLE_PRODUCT = {
  id: 'prod_0123456789abcdef01234567',
  supplierId: EXAMPLE_SUPPLIER.id,
  name: 'BPC-157',
  form: 'lyophilised' as const,
  mgPerVial: 5,
  price: 29.9,
  currency: 'USD',
  createdAt: AT,
  pricedAt: AT,
};

export const EXAMPLE_DOCUMENT = {
  id: 'paper_0123456789abcdef01234567',
  fileName: 'COA L-2207.pdf',
  contentType: 'application/pdf',
  bytes: 120_000,
  addedAt: AT,
};

export const EXAMPLE_ORDER = {
  id: 'ord_0123456789abcdef01234567',
  supplierId: EXAMPLE_SUPPLIER.id,
  supplierName: 'Acme Peptides',
  state: 'draft' as const,
  next: ['sent' as const, 'cancelled' as const],
  currency: 'USD',
  lines: [
    {
      name: 'BPC-157',
      mgPerVial: 5,
      price: 29.9,
      quantity: 2,
      lot: null,
      expirationDate: null,
      components: [],
    },
  ],
  notes: null,
  papers: [],
  steps: [{ state: 'draft' as const, at: AT }],
  createdAt: AT,
  updatedAt: AT,
};

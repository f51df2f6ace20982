import * as z from 'zod';
import type { suggestReorders } from './reorder.server.ts';
import { day, named } from '#app/platform/api/shapes.ts';
import { EXAMPLE_PRODUCT, EXAMPLE_SUPPLIER, productAnswer, productShape } from './vendor-shape.ts';

/** A compound that is to be ordered, in an answer. */
export const suggestionShape = named(
  'ReorderSuggestion',
  z.object({
    name: z.string(),
    runOutDay: day.describe('First day whose doses the stock does not cover'),
    reorderBy: day.describe('14 days before; may be past'),
    isDue: z.boolean(),
    offers: z
      .array(z.object({ ...productShape.shape, supplierName: z.string() }))
      .describe('The cheapest milligram, one for each currency'),
    onTheWay: z.array(z.object({ orderId: z.string(), vials: z.int() })).describe('In orders that are open'),
  }),
);

type Suggestion = Awaited<ReturnType<typeof suggestReorders>>[number];

/** The same for a suggestion of the service. */
export function suggestionAnswer({ name, runOutDay, reorderBy, isDue, offers, onTheWay }: Suggestion) {
  const products = offers.map(({ product }) => productAnswer(product));
  return { name, runOutDay, reorderBy, isDue, offers: products, onTheWay };
}

export const EXAMPLE_SUGGESTION = {
  name: EXAMPLE_PRODUCT.name,
  runOutDay: '2026-12-03',
  reorderBy: '2026-11-19',
  isDue: true,
  offers: [{ ...EXAMPLE_PRODUCT, supplierName: EXAMPLE_SUPPLIER.name }],
  onTheWay: [],
};

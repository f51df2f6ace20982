import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import { daysBetween } from '#app/domain/time/zoned-time.ts';
import { comparePrices, type PricedProduct, type PricedRow } from './price-per-mg.ts';

/** How many days before its `reorderBy` a reorder is suggested. */
export const SUGGESTED_AHEAD_DAYS = 14;

/** An order that has not arrived yet. */
export interface OpenOrder {
  id: string;
  lines: readonly { name: string; quantity: number }[];
}

/** A compound to reorder. */
export interface ReorderSuggestion<P extends PricedProduct> {
  name: string;
  /** The key of its stock, of which there is one suggestion. */
  stockKey: string;
  level: StockForecast['level'];
  runOutDay: string;
  /** The stock that will have expired by then, if that is why it runs out. */
  wasted: StockForecast['wasted'];
  measure: StockForecast['measure'];
  reorderBy: string;
  /** True if `reorderBy` is today or earlier. */
  isDue: boolean;
  /** The product with the lowest price per mg in each currency; currencies are never compared. */
  offers: PricedRow<P>[];
  /** Vials in open orders. */
  onTheWay: { orderId: string; vials: number }[];
}

function onTheWay(orders: readonly OpenOrder[], nameKey: string): { orderId: string; vials: number }[] {
  return orders.flatMap(({ id, lines }) => {
    const vials = lines
      .filter(({ name }) => vialNameKey(name) === nameKey)
      .reduce((sum, { quantity }) => sum + quantity, 0);
    return vials > 0 ? [{ orderId: id, vials }] : [];
  });
}

/**
 * Compounds to order soon: those whose `reorderBy` in the stock forecast has passed or is within the next two weeks, most
 * urgent first.
 * @param day today in the owner's zone
 */
export function reorderSuggestions<P extends PricedProduct>(
  forecasts: readonly StockForecast[],
  products: readonly P[],
  orders: readonly OpenOrder[],
  day: string,
): ReorderSuggestion<P>[] {
  return forecasts
    .flatMap(({ name, nameKey: stockKey, level, runOutDay, wasted, measure, reorderBy }) => {
      if (runOutDay === null || reorderBy === null) return [];
      if (daysBetween(day, reorderBy) > SUGGESTED_AHEAD_DAYS) return [];
      const nameKey = vialNameKey(name);
      const matching = products.filter((product) => vialNameKey(product.name) === nameKey);
      const offers = comparePrices(matching).flatMap(({ rows }) => rows.slice(0, 1));
      const isDue = reorderBy <= day;
      return [
        {
          ...{ name, stockKey, level, runOutDay, wasted, measure, reorderBy, isDue, offers },
          onTheWay: onTheWay(orders, nameKey),
        },
      ];
    })
    .sort((a, b) => (a.reorderBy < b.reorderBy ? -1 : a.reorderBy > b.reorderBy ? 1 : 0));
}

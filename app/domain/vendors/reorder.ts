import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { vialNameKey } from '#app/domain/vials/vial-name-key.ts';
import { daysBetween } from '#app/domain/time/days.ts';
import { comparePrices, type PricedProduct, type PricedRow } from './price-per-mg.ts';

/** Days before the day to reorder by from which it is suggested. */
export const SUGGESTED_AHEAD_DAYS = 14;

/** An order that has not come yet, of which this compound is a part. */
export interface OpenOrder {
  id: string;
  lines: readonly { name: string; quantity: number }[];
}

/** A compound that is to be ordered. */
export interface ReorderSuggestion<P extends PricedProduct> {
  name: string;
  level: StockForecast['level'];
  runOutDay: string;
  reorderBy: string;
  /** The day to order is today or past. */
  isDue: boolean;
  /** The cheapest milligram of this compound, one for each currency: prices of two currencies are not compared. */
  offers: PricedRow<P>[];
  /** Vials on their way; whoever has ordered need not order again. */
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
 * What is to be ordered soon: compounds whose day to reorder by, from the forecast of the stock, is past or within the
 * next two weeks. The most urgent first.
 * @param day the calendar day in the owner's zone
 */
export function reorderSuggestions<P extends PricedProduct>(
  forecasts: readonly StockForecast[],
  products: readonly P[],
  orders: readonly OpenOrder[],
  day: string,
): ReorderSuggestion<P>[] {
  return forecasts
    .flatMap(({ name, nameKey, level, runOutDay, reorderBy }) => {
      if (runOutDay === null || reorderBy === null) return [];
      if (daysBetween(day, reorderBy) > SUGGESTED_AHEAD_DAYS) return [];
      const matching = products.filter((product) => vialNameKey(product.name) === nameKey);
      const offers = comparePrices(matching).flatMap(({ rows }) => rows.slice(0, 1));
      const isDue = reorderBy <= day;
      return [{ name, level, runOutDay, reorderBy, isDue, offers, onTheWay: onTheWay(orders, nameKey) }];
    })
    .sort((a, b) => (a.reorderBy < b.reorderBy ? -1 : a.reorderBy > b.reorderBy ? 1 : 0));
}

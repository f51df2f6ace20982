import { compare, quotient, ratio, type Ratio } from '#app/domain/decimal/ratio.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { fixedText } from '#app/domain/decimal/rounded-text.ts';
import { vialNameKey } from '#app/domain/vials/vial-name-key.ts';
import { shownMoney } from './money.ts';

/** What is compared: one vial of a product. `mgPerVial` in mg and `price` are decimal text. */
export interface PricedProduct {
  id: string;
  name: string;
  mgPerVial: string;
  price: string;
  currency: string;
}

/** A product among the others of its name and currency. */
export interface PricedRow<P extends PricedProduct> {
  product: P;
  /** Exact price of one mg. */
  perMg: Ratio<'money'>;
  perMgText: string;
  /** By how much dearer than the cheapest, in whole percent, rounded half-up; "0" for the cheapest. */
  dearerPercent: string;
  isCheapest: boolean;
}

/** Products of one name in one currency, the cheapest milligram first. Prices of two currencies are not compared. */
export interface PriceGroup<P extends PricedProduct> {
  name: string;
  currency: string;
  rows: PricedRow<P>[];
}

/** Price ÷ mg, exact. */
export function pricePerMg({ price, mgPerVial }: Pick<PricedProduct, 'price' | 'mgPerVial'>): Ratio<'money'> {
  return ratio<'money'>(new Decimal(price), new Decimal(mgPerVial));
}

function percentAbove(perMg: Ratio<'money'>, cheapest: Ratio<'money'>): string {
  if (cheapest.n === 0n) return perMg.n === 0n ? '0' : '∞';
  const times = quotient<'share'>(perMg, cheapest);
  return fixedText({ n: (times.n - times.d) * 100n, d: times.d }, 0);
}

function groupOf<P extends PricedProduct>(products: readonly P[]): PriceGroup<P> {
  const priced = products
    .map((product) => ({ product, perMg: pricePerMg(product) }))
    .sort((a, b) => compare(a.perMg, b.perMg) || (a.product.id < b.product.id ? -1 : 1));
  const [first] = priced;
  if (first === undefined) throw new Error('a group has at least one product');
  const { name, currency } = first.product;
  const rows = priced.map(({ product, perMg }) => ({
    product,
    perMg,
    perMgText: `${shownMoney(perMg, currency)}/mg`,
    dearerPercent: percentAbove(perMg, first.perMg),
    isCheapest: compare(perMg, first.perMg) === 0,
  }));
  return { name, currency, rows };
}

/** Compares the price of a milligram among products of one name and currency, by name. */
export function comparePrices<P extends PricedProduct>(products: readonly P[]): PriceGroup<P>[] {
  const groups = new Map<string, P[]>();
  for (const product of products) {
    const key = `${vialNameKey(product.name)}\n${product.currency}`;
    groups.set(key, [...(groups.get(key) ?? []), product]);
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => groupOf(group));
}

import {
  fixedText,
  readableText,
  ratio,
  type Ratio,
  compare,
  quotient,
  Decimal,
} from '#app/domain/decimal/decimal.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';

/** A currency code in capitals ("usd" is "USD"); null unless it has three letters, as in ISO 4217. */
export function currencyCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** An amount of money with its currency: "49.90 USD". Two decimals, or more for amounts below 0.01. */
export function shownMoney(amount: Ratio<'money'>, currency: string): string {
  const tiny = amount.n > 0n && amount.n * 100n < amount.d;
  return `${tiny ? readableText(amount) : fixedText(amount, 2)} ${currency}`;
}

/** Like {@link shownMoney}, for an amount as decimal text. */
export function shownPrice(price: string, currency: string): string {
  return shownMoney(ratio<'money'>(new Decimal(price)), currency);
}

/** The exact sum of `quantity × price` over lines in one currency. */
export function orderTotal(lines: readonly { quantity: number; price: string }[]): Ratio<'money'> {
  const sum = lines.reduce(
    (total, { quantity, price }) => total.plus(new Decimal(price).times(quantity)),
    new Decimal(0),
  );
  return ratio<'money'>(sum);
}

/** One vial of a product to compare. `mgPerVial` (mg) and `price` are decimal text. */
export interface PricedProduct {
  id: string;
  name: string;
  mgPerVial: string;
  price: string;
  currency: string;
}

/** A product compared with others of the same name and currency. */
export interface PricedRow<P extends PricedProduct> {
  product: P;
  /** Exact price of one mg. */
  perMg: Ratio<'money'>;
  perMgText: string;
  /** Percent above the cheapest price per mg, a whole number rounded half-up; "0" for the cheapest, "∞" if that is free. */
  dearerPercent: string;
  isCheapest: boolean;
}

/** Products with one name and currency, lowest price per mg first. Prices in different currencies are never compared. */
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

/** Groups products by name and currency and compares their prices per mg. Groups are sorted by name. */
export function comparePrices<P extends PricedProduct>(products: readonly P[]): PriceGroup<P>[] {
  const groups = new Map<string, P[]>();
  for (const product of products) {
    const key = `${vialNameKey(product.name)}\n${product.currency}`;
    groups.set(key, [...(groups.get(key) ?? []), product]);
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => groupOf(group));
}

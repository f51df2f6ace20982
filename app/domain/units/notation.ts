import {
  Decimal,
  product,
  quotient,
  ratio,
  readableText,
  shortText,
  type Ratio,
} from '#app/domain/decimal/decimal.ts';

/**
 * A figure as the list of error-prone dose notations of the Institute for Safe Medication Practices asks: no zeros after
 * the last digit that counts ("2.5", not "2.50"), a zero before the point ("0.5", not ".5"), and thousands separated
 * ("2,500"), so that a misplaced point or a lost zero is seen.
 * @param text decimal text
 */
export function figureText(text: string): string {
  const [whole = '0', fraction] = new Decimal(text).toFixed().split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** An exact quotient as a figure: at most 3 decimals, never fewer than 3 digits that count. */
export function ratioFigure(value: Ratio<string>): string {
  return figureText(readableText(value));
}

/** "1 unit", "2.5 units": the word in full, never "U" or "IU", which are read as a zero or as "IV". */
export function unitsText(units: string): string {
  return `${figureText(units)} ${new Decimal(units).eq(1) ? 'unit' : 'units'}`;
}

const UNITS_PER_ML = ratio<'units'>(new Decimal(100));

/** Units of a U-100 syringe that hold an amount in mg, as decimal text with at most 2 decimals. */
export function unitsOf(mg: Decimal, strength: Ratio<'mg/ml'>): string {
  return shortText(product<'units'>(quotient<'ml'>(ratio(mg), strength), UNITS_PER_ML), 2);
}

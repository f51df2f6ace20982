import { DEFAULT_SYRINGE, SYRINGES, type SyringeId } from '#app/domain/calculator/calculation.ts';
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

const scaleOf = (syringe: SyringeId): number => SYRINGES[syringe].unitsPerMl;

/** Whether two syringes have the same scale, so that the same number of units is the same volume. */
export const haveSameScale = (a: SyringeId, b: SyringeId): boolean => scaleOf(a) === scaleOf(b);

/**
 * "1 unit", "2.5 units": the word in full, never "U" or "IU", which are read as a zero or as "IV". Those of the usual
 * U-100 scale stand alone, those of another are named: "4 U-40 units".
 */
export function unitsText(units: string, syringe: SyringeId = DEFAULT_SYRINGE): string {
  const scale = haveSameScale(syringe, DEFAULT_SYRINGE) ? '' : `U-${scaleOf(syringe)} `;
  return `${figureText(units)} ${scale}${new Decimal(units).eq(1) ? 'unit' : 'units'}`;
}

/** Units of a syringe's scale that hold an amount in mg, as decimal text with at most 2 decimals. */
export function unitsOf(mg: Decimal, strength: Ratio<'mg/ml'>, syringe: SyringeId = DEFAULT_SYRINGE): string {
  const perMl = ratio<'units'>(new Decimal(scaleOf(syringe)));
  return shortText(product<'units'>(quotient<'ml'>(ratio(mg), strength), perMl), 2);
}

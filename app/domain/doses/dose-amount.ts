import { Decimal } from '#app/domain/decimal/decimal.ts';
import { massInMg } from '#app/domain/units/quantity.ts';

/** The most a vial of this product can hold, and so the largest dose, in mg. */
const MAX_DOSE_MG = 100;

/** True for a dose above zero and no larger than what a vial can hold. @param text decimal text in `unit` */
export function isDoseAmount(text: string, unit: 'mg' | 'mcg'): boolean {
  const mg = massInMg(text, unit);
  return mg.gt(0) && mg.lte(new Decimal(MAX_DOSE_MG));
}

/** A dose in mg as decimal text, for the stock. */
export function doseInMg(text: string, unit: 'mg' | 'mcg'): string {
  return massInMg(text, unit).toFixed();
}

/** A dose with its unit: "250 mcg". */
export function doseText(text: string, unit: 'mg' | 'mcg'): string {
  return `${new Decimal(text).toFixed()} ${unit}`;
}

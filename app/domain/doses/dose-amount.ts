import { Decimal } from '#app/domain/decimal/decimal.ts';
import { massInMg } from '#app/domain/units/mass.ts';

/** The most that a vial of this product can hold (specification, section 5), and so the most that a dose can be. */
const MAX_DOSE_MG = 100;

/** True for a dose above zero and at most what a vial can hold. @param text decimal text in `unit` */
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

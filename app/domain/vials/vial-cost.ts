import { Decimal } from '#app/domain/decimal/decimal.ts';
import { fixedText, readableText } from '#app/domain/decimal/rounded-text.ts';
import { ratio } from '#app/domain/decimal/ratio.ts';
import type { Vial } from './vial.ts';

/**
 * What a dose cost: what was paid × dose ÷ what the vial held. Two decimals, more when that would show nothing.
 * @param doseMg decimal text, mg
 * @returns null when it is not known what was paid
 */
export function costOfDose(vial: Pick<Vial, 'cost' | 'totalAmount'>, doseMg: string): string | null {
  if (vial.cost === null) return null;
  const paid = ratio(new Decimal(vial.cost).times(doseMg), new Decimal(vial.totalAmount));
  return paid.n > 0n && paid.n * 100n < paid.d ? readableText(paid) : fixedText(paid, 2);
}

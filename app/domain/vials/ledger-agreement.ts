import { Decimal } from '#app/domain/decimal/decimal.ts';
import { fixedText } from '#app/domain/decimal/rounded-text.ts';
import { nearestDouble } from '#app/domain/decimal/to-double.ts';
import { ratio } from '#app/domain/decimal/ratio.ts';
import { strengthOf } from './concentration.ts';

/** A concentration that differs by more than this from the exact one was not merely rounded. */
const TOLERATED = new Decimal('0.01');

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/**
 * True when a concentration is what amount and water give: exactly, as the nearest double, or rounded half-up to the
 * digits that were given (at least two) and within one percent.
 * @param concentration decimal text, mg/ml
 */
export function agrees(
  concentration: string,
  contents: { totalAmount: string; waterMl: string; displacement: string },
): boolean {
  const exact = strengthOf({ ...contents, concentration: null });
  if (exact === null) return false;
  const given = new Decimal(concentration);
  if (nearestDouble(exact) === nearestDouble(ratio(given))) return true;
  const decimals = Math.max(2, decimalsOf(concentration));
  if (!given.eq(fixedText(exact, decimals))) return false;
  const wanted = new Decimal(String(exact.n)).div(String(exact.d));
  return given.minus(wanted).abs().lte(wanted.times(TOLERATED));
}

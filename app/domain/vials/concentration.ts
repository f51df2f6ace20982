import {
  Decimal,
  ratio,
  type Ratio,
  fixedText,
  readableText,
  nearestDouble,
} from '#app/domain/decimal/decimal.ts';
import type { Vial } from './vial.ts';
import { drawForDose, type Draw } from '#app/domain/calculator/calculate.ts';
import { SYRINGES, type SyringeId } from '#app/domain/calculator/calculation.ts';

type Contents = Pick<Vial, 'totalAmount' | 'waterMl' | 'concentration' | 'displacement'>;

/**
 * mg in one ml, exactly: amount ÷ solution when the water is known, else the concentration as given.
 * @returns null when it is unknown, as for a vial that still holds dry powder
 */
export function strengthOf(vial: Contents): Ratio<'mg/ml'> | null {
  const { totalAmount, waterMl, concentration } = vial;
  if (waterMl !== null) return ratio(new Decimal(totalAmount), solutionMl({ ...vial, waterMl }));
  return concentration === null ? null : ratio(new Decimal(concentration));
}

const ML_PER_UL = new Decimal('0.001');

/** ml of solution: the water, and what the powder takes up in it. */
function solutionMl({ totalAmount, waterMl, displacement }: Contents & { waterMl: string }): Decimal {
  return new Decimal(waterMl).plus(new Decimal(totalAmount).times(displacement).times(ML_PER_UL));
}

/**
 * What to draw from a vial for a dose: ml with 3 decimals, and units of a syringe's scale with at most 2.
 * @param doseMg decimal text, mg
 * @returns null when the vial's strength is not known
 */
export function drawOf(vial: Vial, doseMg: string, syringe: SyringeId = 'u100-1ml'): Draw | null {
  const strength = strengthOf(vial);
  if (strength === null) return null;
  const exactConcentration = { mg: String(strength.n), ml: String(strength.d) };
  return drawForDose({ exactConcentration, syringe: SYRINGES[syringe] }, doseMg);
}

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

/** A concentration that differs by more than this from the exact one was not merely rounded. */
const TOLERATED = new Decimal('0.01');

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/**
 * True when a concentration is what amount and water give: exactly, as the nearest double, or rounded half-up to the
 * digits that were given (at least two) and within one percent.
 * @param concentration decimal text, mg/ml
 */
export function concentrationMatches(
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

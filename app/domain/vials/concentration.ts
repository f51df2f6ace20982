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
import { SYRINGES, type Component, type SyringeId } from '#app/domain/calculator/calculation.ts';

type Contents = Pick<Vial, 'totalAmount' | 'waterMl' | 'concentration' | 'displacement'> & {
  readonly components?: readonly Component[] | undefined;
};

/**
 * mg of one component in one ml, exactly: amount ÷ solution when the water is known, else the concentration as given, which is
 * that of the first.
 * @param at the component's place; the first, which is the only one of a single peptide, unless given
 * @returns null when it is unknown, as for a vial that still holds dry powder
 */
export function strengthOf(vial: Contents, at = 0): Ratio<'mg/ml'> | null {
  const { totalAmount, waterMl, concentration, components = [{ amount: totalAmount }] } = vial;
  const amount = new Decimal(components[at]?.amount ?? totalAmount);
  if (waterMl !== null) return ratio(amount, solutionMl({ ...vial, waterMl }));
  if (concentration === null) return null;
  return at === 0
    ? ratio(new Decimal(concentration))
    : ratio(new Decimal(concentration).times(amount), new Decimal(totalAmount));
}

const ML_PER_UL = new Decimal('0.001');

/** ml of solution: the water, and what all the powder takes up in it. */
function solutionMl(vial: Contents & { waterMl: string }): Decimal {
  const { totalAmount, waterMl, displacement, components = [{ amount: totalAmount }] } = vial;
  const powder = components.reduce((mg, { amount }) => mg.plus(amount), new Decimal(0));
  return new Decimal(waterMl).plus(powder.times(displacement).times(ML_PER_UL));
}

/**
 * What to draw from a vial for a dose: ml with 3 decimals, and units of a syringe's scale with at most 2.
 * @param doseMg decimal text, mg
 * @param at the component that the dose is of
 * @returns null when the vial's strength is not known
 */
export function drawOf(vial: Vial, doseMg: string, syringe: SyringeId = 'u100-1ml', at = 0): Draw | null {
  const strength = strengthOf(vial, at);
  if (strength === null) return null;
  const exactConcentration = { mg: String(strength.n), ml: String(strength.d) };
  return drawForDose({ exactConcentration, syringe: SYRINGES[syringe] }, doseMg);
}

/**
 * What a dose cost: what was paid × dose ÷ what the vial held of the component that the dose is of. A vial has one price,
 * whatever it holds. Two decimals, more when that would show nothing.
 * @param doseMg decimal text, mg
 * @returns null when it is not known what was paid
 */
export function costOfDose(
  vial: Pick<Vial, 'cost' | 'totalAmount' | 'components'>,
  doseMg: string,
  at = 0,
): string | null {
  if (vial.cost === null) return null;
  const held = vial.components?.[at]?.amount ?? vial.totalAmount;
  const paid = ratio(new Decimal(vial.cost).times(doseMg), new Decimal(held));
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
  contents: Pick<Contents, 'totalAmount' | 'displacement' | 'components'> & { waterMl: string },
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

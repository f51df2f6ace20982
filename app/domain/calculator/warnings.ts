import { ceil, compare, quotient, ratio, type Ratio } from '#app/domain/decimal/ratio.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { isFarOff, nearestUnits, unitsOf } from './syringe-draw.ts';
import type { Solution } from './solve.ts';
import type { MarkUnits, Syringe } from './syringes.ts';
import type { WarningCode } from './calculation.ts';

/** The specification's thresholds (section 5). */
const SMALL_VOLUME: Ratio<'ml'> = ratio(new Decimal('0.1'));
const LARGE_VOLUME: Ratio<'ml'> = ratio(new Decimal(1));
const HIGH_CONCENTRATION: Ratio<'mg/ml'> = ratio(new Decimal(10));

const barrel = (syringe: Syringe): Ratio<'ml'> => ({
  n: BigInt(syringe.barrelUnits),
  d: BigInt(syringe.unitsPerMl),
});

/** True when one draw of this barrel holds the volume. */
export function fitsBarrel(exact: Solution, syringe: Syringe): boolean {
  return compare(exact.volume, barrel(syringe)) <= 0;
}

/** How many draws of this barrel the volume takes. */
export function countDraws(exact: Solution, syringe: Syringe): number {
  return Number(ceil(quotient(exact.volume, barrel(syringe))));
}

/** Codes of the warnings that apply, in the order they are shown. Exact values are compared, never rounded ones. */
export function warningCodes(exact: Solution, syringe: Syringe, mark: MarkUnits): WarningCode[] {
  const codes: WarningCode[] = [];
  if (compare(exact.volume, SMALL_VOLUME) < 0) codes.push('SMALL_VOLUME');
  if (compare(exact.volume, LARGE_VOLUME) > 0) codes.push('LARGE_VOLUME');
  if (compare(exact.concentration, HIGH_CONCENTRATION) > 0) codes.push('HIGH_CONCENTRATION');
  if (!fitsBarrel(exact, syringe)) codes.push('SEVERAL_DRAWS');
  const drawn = unitsOf(exact.volume, syringe);
  const units = nearestUnits(drawn, mark);
  if (units.n === 0n) codes.push('BELOW_FIRST_MARK');
  else if (isFarOff(units, drawn)) codes.push('MARK_ERROR');
  return codes;
}

/** The text of a warning. The first three are the specification's. */
export function warningMessage(code: WarningCode, syringe: Syringe, draws: number): string {
  switch (code) {
    case 'SMALL_VOLUME':
      return 'Very small injection volume - consider using less water for reconstitution';
    case 'LARGE_VOLUME':
      return 'Large injection volume - consider using more water for reconstitution';
    case 'HIGH_CONCENTRATION':
      return 'High concentration - ensure proper mixing and sterility';
    case 'SEVERAL_DRAWS':
      return `This draw does not fit a ${syringe.label} syringe: it takes ${draws} draws`;
    case 'BELOW_FIRST_MARK':
      return `This draw is half a mark of a ${syringe.label} syringe or less and cannot be measured with it`;
    case 'MARK_ERROR':
      return `The nearest mark of a ${syringe.label} syringe is more than 5 % off the desired dose`;
  }
}

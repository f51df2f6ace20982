import { ceil, compareTo, Decimal, ratio } from '../decimal/index.ts';
import { markIsFarOff, marksToDraw } from './nearest-mark.ts';
import { type Solution } from './solve.ts';
import { type MarkUnits, type Syringe } from './syringes.ts';
import { type WarningCode } from './types.ts';

/** The specification's thresholds (section 5): ml, ml, mg/ml. */
const SMALL_VOLUME_ML = new Decimal('0.1');
const LARGE_VOLUME_ML = new Decimal(1);
const HIGH_CONCENTRATION_MG_PER_ML = new Decimal(10);

/** How many draws of this barrel the volume takes. */
export function countDraws(solution: Solution, syringe: Syringe): number {
  return Number(ceil(ratio(solution.volume.n, solution.volume.d.times(syringe.barrelMl))));
}

/** Codes of the warnings that apply, in the order they are shown. Exact values are compared, never rounded ones. */
export function warningCodes(solution: Solution, syringe: Syringe, mark: MarkUnits): WarningCode[] {
  const codes: WarningCode[] = [];
  const fromLarge = compareTo(solution.volume, LARGE_VOLUME_ML);
  if (compareTo(solution.volume, SMALL_VOLUME_ML) < 0) codes.push('SMALL_VOLUME');
  if (fromLarge > 0) codes.push('LARGE_VOLUME');
  if (compareTo(solution.concentration, HIGH_CONCENTRATION_MG_PER_ML) > 0) codes.push('HIGH_CONCENTRATION');
  if (compareTo(solution.volume, new Decimal(syringe.barrelMl)) > 0) codes.push('SEVERAL_DRAWS');
  const marks = marksToDraw(solution, syringe, mark);
  if (marks.eq(0)) codes.push('BELOW_FIRST_MARK');
  else if (markIsFarOff(solution, syringe, marks.times(mark))) codes.push('MARK_ERROR');
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

import {
  ceil,
  compare,
  difference,
  product,
  quotient,
  ratio,
  type Ratio,
} from '#app/domain/decimal/ratio.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { fixedText, readableText, shortText } from '#app/domain/decimal/rounded-text.ts';
import { nearestDouble } from '#app/domain/decimal/to-double.ts';
import type { Solution } from './solve.ts';
import type { MarkUnits, Syringe } from './syringes.ts';
import type { DoseUnit, NearestMark } from './calculation.ts';

const HALF: Ratio<'marks'> = { n: 1n, d: 2n };
const HUNDRED_PERCENT: Ratio<'percent'> = { n: 100n, d: 1n };
/** A rounding error above this is a warning. */
const TOLERATED_PERCENT: Ratio<'percent'> = { n: 5n, d: 1n };
const MCG_PER_MG: Ratio<'mcg/mg'> = { n: 1000n, d: 1n };

const MARKS: Readonly<Record<MarkUnits, Ratio<'units'>>> = {
  '0.5': ratio(new Decimal('0.5')),
  '1': ratio(new Decimal(1)),
  '2': ratio(new Decimal(2)),
};

/** The draw on the scale of a syringe. */
export function unitsOf(volume: Ratio<'ml'>, syringe: Syringe): Ratio<'units'> {
  return { n: volume.n * BigInt(syringe.unitsPerMl), d: volume.d };
}

/** The mark nearest to a draw, in units; a tie goes to the lower mark. */
export function nearestUnits(drawn: Ratio<'units'>, mark: MarkUnits): Ratio<'units'> {
  // draw ÷ mark − ½, rounded up: exactly half way between two marks this is the lower one
  const marks = difference(quotient<'marks'>(drawn, MARKS[mark]), HALF);
  return marks.n <= 0n ? { n: 0n, d: 1n } : product({ n: ceil(marks), d: 1n }, MARKS[mark]);
}

/** (mark − draw) ÷ draw in percent, exactly. */
function errorPercent(mark: Ratio<'units'>, drawn: Ratio<'units'>): Ratio<'percent'> {
  return product(quotient(difference(mark, drawn), drawn), HUNDRED_PERCENT);
}

/** True when the mark is off the draw by more than 5 %. */
export function isFarOff(mark: Ratio<'units'>, drawn: Ratio<'units'>): boolean {
  const { n, d } = errorPercent(mark, drawn);
  return compare({ n: n < 0n ? -n : n, d }, TOLERATED_PERCENT) > 0;
}

/** A dose in mg as text in the unit it was entered in. */
export function doseWithUnit(dose: Ratio<'mg'>, unit: DoseUnit): string {
  return `${readableText(unit === 'mcg' ? product(dose, MCG_PER_MG) : dose)} ${unit}`;
}

/** The nearest mark of the scale, what it delivers, and how far that is from what was wanted. */
export function nearestMark(exact: Solution, syringe: Syringe, mark: MarkUnits, unit: DoseUnit): NearestMark {
  const drawn = unitsOf(exact.volume, syringe);
  const units = nearestUnits(drawn, mark);
  const volume = product<'ml'>(units, { n: 1n, d: BigInt(syringe.unitsPerMl) });
  const delivered = product<'mg'>(volume, exact.concentration);
  return {
    units: nearestDouble(units),
    unitsText: shortText(units, 1),
    volumeText: fixedText(volume, 3),
    deliveredDose: nearestDouble(delivered),
    deliveredDoseText: readableText(delivered),
    deliveredDoseWithUnit: doseWithUnit(delivered, unit),
    errorPercentText: shortText(errorPercent(units, drawn), 2),
    exceedsFivePercent: isFarOff(units, drawn),
  };
}

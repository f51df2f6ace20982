import { ceil, Decimal, nearestDouble, ratio, readableText, shortText, fixedText } from '../decimal/index.ts';
import { type Solution } from './solve.ts';
import { type MarkUnits, type Syringe } from './syringes.ts';
import { type DoseUnit, type NearestMark } from './types.ts';

const TWO = new Decimal(2);
const HUNDRED = new Decimal(100);
/** A rounding error above this share of the dose is a warning (5 %). */
const TOLERATED_SHARE = new Decimal('0.05');

/** How many marks from zero to the one nearest the draw; a tie goes to the lower mark. */
export function marksToDraw(solution: Solution, syringe: Syringe, mark: MarkUnits): Decimal {
  const { n, d } = solution.volume;
  // units ÷ mark − ½, rounded up: at exactly half way this is the lower mark.
  const twiceUnits = n.times(syringe.unitsPerMl).times(TWO);
  const halfMarkLess = twiceUnits.minus(d.times(mark));
  if (halfMarkLess.lte(0)) return new Decimal(0);
  return new Decimal(String(ceil(ratio(halfMarkLess, d.times(mark).times(TWO)))));
}

/** True when the mark is off the wanted draw by more than 5 %, by exact comparison. */
export function markIsFarOff(solution: Solution, syringe: Syringe, markUnits: Decimal): boolean {
  const { n, d } = solution.volume;
  const wanted = n.times(syringe.unitsPerMl);
  return markUnits.times(d).minus(wanted).abs().gt(wanted.times(TOLERATED_SHARE));
}

/** A dose in mg as text in the unit it was entered in. */
export function doseWithUnit(n: Decimal, d: Decimal, unit: DoseUnit): string {
  return `${readableText(ratio(unit === 'mcg' ? n.times(1000) : n, d))} ${unit}`;
}

/** The nearest mark of the scale, what it delivers, and how far that is from what was wanted. */
export function nearestMark(
  solution: Solution,
  syringe: Syringe,
  mark: MarkUnits,
  unit: DoseUnit,
): NearestMark {
  const units = marksToDraw(solution, syringe, mark).times(mark);
  const perMl = new Decimal(syringe.unitsPerMl);
  // delivered mg = units ÷ units per ml × concentration
  const deliveredN = units.times(solution.concentration.n);
  const deliveredD = perMl.times(solution.concentration.d);
  const wanted = solution.volume.n.times(perMl);
  const off = units.times(solution.volume.d).minus(wanted).times(HUNDRED);
  return {
    units: Number(units),
    unitsText: units.toFixed(),
    volumeText: fixedText(ratio(units, perMl), 3),
    deliveredDose: nearestDouble(ratio(deliveredN, deliveredD)),
    deliveredDoseText: readableText(ratio(deliveredN, deliveredD)),
    deliveredDoseWithUnit: doseWithUnit(deliveredN, deliveredD, unit),
    errorPercentText: shortText(ratio(off, wanted), 2),
    exceedsFivePercent: markIsFarOff(solution, syringe, units),
  };
}

import {
  ceil,
  compare,
  Decimal,
  difference,
  fixedText,
  floor,
  nearestDouble,
  product,
  quotient,
  ratio,
  readableText,
  shortText,
  type Ratio,
} from '#app/domain/decimal/decimal.ts';
import type { CalculationDraft, DoseUnit, HandNoun, MarkUnits, NearestMark, Syringe } from './calculation.ts';
import { aSyringe, defaultMark, syringeOf } from './calculation.ts';

const HALF: Ratio<'marks'> = { n: 1n, d: 2n };
const ONE: Ratio<'units'> = { n: 1n, d: 1n };
const HUNDRED_PERCENT: Ratio<'percent'> = { n: 100n, d: 1n };
/** A larger rounding error gives a warning. */
const TOLERATED_PERCENT: Ratio<'percent'> = { n: 5n, d: 1n };
const MCG_PER_MG: Ratio<'mcg/mg'> = { n: 1000n, d: 1n };

/**
 * What the hand can do: it counts steps, whatever they are. A syringe counts to a mark, a pen clicks, a bottle sprays, and of
 * capsules there are whole ones. One rule finds the nearest step for all of them.
 */
export interface Scale {
  readonly noun: HandNoun;
  /** "a U-100 1 ml syringe", "a pen with 0.01 ml a click". */
  readonly label: string;
  /** Numbers of the scale in 1 ml; in one capsule for capsules, whose "volume" is their count. */
  readonly perMl: Ratio<'units/ml'>;
  /** The smallest step, in the numbers of the scale. */
  readonly step: Ratio<'units'>;
  /** What one draw can hold; null where nothing is drawn. */
  readonly barrel: Ratio<'units'> | null;
}

const wholes = (noun: HandNoun, label: string, ml: string): Scale => ({
  noun,
  label,
  perMl: ratio(new Decimal(1), new Decimal(ml)),
  step: ONE,
  barrel: null,
});

/** The scale of a syringe. @param mark its default if absent */
export const syringeScale = (syringe: Syringe, mark: MarkUnits = defaultMark(syringe)): Scale => ({
  noun: syringe.scale,
  label: aSyringe(syringe),
  perMl: ratio(new Decimal(String(syringe.unitsPerMl))),
  step: ratio(new Decimal(mark)),
  barrel: ratio(new Decimal(String(syringe.barrelUnits))),
});

/** What decides what the hand counts: the container's form, and the ml of one click or spray. */
export type Container = Partial<Pick<CalculationDraft, 'form' | 'clickMl' | 'sprayMl'>>;

/** The scale that a dose is measured on. */
export function scaleOf({
  form,
  syringe,
  mark,
  clickMl = '1',
  sprayMl = '1',
}: Container & Pick<CalculationDraft, 'syringe' | 'mark'>): Scale {
  switch (form) {
    case 'pen':
      return wholes('click', `a pen with ${clickMl} ml a click`, clickMl);
    case 'spray':
      return wholes('spray', `a bottle with ${sprayMl} ml a spray`, sprayMl);
    case 'capsule':
      return wholes('capsule', 'a capsule', '1');
    default:
      return syringeScale(syringeOf(syringe), mark);
  }
}

/** A volume in the numbers of a scale. */
export const unitsOfVolume = (volume: Ratio<'ml'>, { perMl }: Pick<Scale, 'perMl'>): Ratio<'units'> =>
  product(volume, perMl);

/** Numbers of a scale as text: with at most 2 decimals, 3 in ml. */
export const scaleText = (units: Ratio<'units'>, { noun }: Pick<Scale, 'noun'>): string =>
  shortText(units, noun === 'ml' ? 3 : 2);

/** The step nearest to a draw, in the numbers of the scale; a tie goes to the lower one. */
export function nearestUnits(drawn: Ratio<'units'>, { step }: Pick<Scale, 'step'>): Ratio<'units'> {
  // draw ÷ step − ½, rounded up: exactly half way between two steps this is the lower one
  const steps = difference(quotient<'marks'>(drawn, step), HALF);
  return steps.n <= 0n ? { n: 0n, d: 1n } : product({ n: ceil(steps), d: 1n }, step);
}

/** (mark − draw) ÷ draw in percent, exactly. */
export function errorPercent(mark: Ratio<'units'>, drawn: Ratio<'units'>): Ratio<'percent'> {
  return product(quotient(difference(mark, drawn), drawn), HUNDRED_PERCENT);
}

/** True when the mark is off the draw by more than 5%. */
export function isFarOff(mark: Ratio<'units'>, drawn: Ratio<'units'>): boolean {
  const { n, d } = errorPercent(mark, drawn);
  return compare({ n: n < 0n ? -n : n, d }, TOLERATED_PERCENT) > 0;
}

/** A dose in mg as text in the unit it was entered in. */
export function doseWithUnit(dose: Ratio<'mg'>, unit: DoseUnit): string {
  return `${readableText(unit === 'mcg' ? product(dose, MCG_PER_MG) : dose)} ${unit}`;
}

/**
 * What the hand does to get to a number of units that may be more than the barrel holds: whole barrels, then the rest. A barrel
 * ends on a mark, so the rest is on one, too.
 * @returns "10", "100 + 96", "4 × 100 + 33"
 */
function drawsText(units: Ratio<'units'>, { barrel }: Scale): string {
  if (barrel === null) return shortText(units, 2);
  const full = floor(quotient(units, barrel));
  const rest = difference(units, product<'units'>({ n: full, d: 1n }, barrel));
  const whole = shortText(barrel, 2);
  const parts = [
    ...(full === 0n ? [] : [full === 1n ? whole : `${full} × ${whole}`]),
    ...(rest.n > 0n || full === 0n ? [shortText(rest, 2)] : []),
  ];
  return parts.join(' + ');
}

/** A draw and the dose in it. */
interface DosedVolume {
  readonly volume: Ratio<'ml'>;
  readonly dose: Ratio<'mg'>;
}

/** The mark of a scale that is nearest to a draw, how to draw to it, the dose it delivers, and its error. */
export function nearestMark({ volume: exact, dose }: DosedVolume, scale: Scale, unit: DoseUnit): NearestMark {
  const drawn = unitsOfVolume(exact, scale);
  const units = nearestUnits(drawn, scale);
  const volume = quotient<'ml'>(units, scale.perMl);
  const delivered = product<'mg'>(dose, quotient<'times'>(units, drawn));
  return {
    noun: scale.noun,
    units: nearestDouble(units),
    unitsText: shortText(units, 2),
    drawsText: drawsText(units, scale),
    isExact: compare(units, drawn) === 0,
    volumeText: fixedText(volume, 3),
    deliveredDose: nearestDouble(delivered),
    deliveredDoseText: readableText(delivered),
    deliveredDoseWithUnit: doseWithUnit(delivered, unit),
    errorPercentText: shortText(errorPercent(units, drawn), 2),
    exceedsFivePercent: isFarOff(units, drawn),
  };
}

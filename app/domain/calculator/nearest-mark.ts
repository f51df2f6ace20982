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
import type { DoseUnit, MarkUnits, NearestMark, Syringe } from './calculation.ts';

const HALF: Ratio<'marks'> = { n: 1n, d: 2n };
const HUNDRED_PERCENT: Ratio<'percent'> = { n: 100n, d: 1n };
/** A larger rounding error gives a warning. */
const TOLERATED_PERCENT: Ratio<'percent'> = { n: 5n, d: 1n };
const MCG_PER_MG: Ratio<'mcg/mg'> = { n: 1000n, d: 1n };

const MARKS: Readonly<Record<MarkUnits, Ratio<'units'>>> = {
  '0.5': ratio(new Decimal('0.5')),
  '1': ratio(new Decimal(1)),
  '2': ratio(new Decimal(2)),
};

/** A volume in units of a syringe's scale. */
export function unitsOfVolume(volume: Ratio<'ml'>, syringe: Syringe): Ratio<'units'> {
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
function drawsText(units: Ratio<'units'>, { barrelUnits }: Syringe): string {
  const full = floor(quotient(units, { n: BigInt(barrelUnits), d: 1n }));
  const rest = difference(units, { n: full * BigInt(barrelUnits), d: 1n });
  const parts = [
    ...(full === 0n ? [] : [full === 1n ? String(barrelUnits) : `${full} × ${barrelUnits}`]),
    ...(rest.n > 0n || full === 0n ? [shortText(rest, 1)] : []),
  ];
  return parts.join(' + ');
}

/** A draw and the dose in it. */
interface DosedVolume {
  readonly volume: Ratio<'ml'>;
  readonly dose: Ratio<'mg'>;
}

/** The mark of a syringe that is nearest to a draw, how to draw to it, the dose it delivers, and its error. */
export function nearestMark(
  { volume: exact, dose }: DosedVolume,
  syringe: Syringe,
  mark: MarkUnits,
  unit: DoseUnit,
): NearestMark {
  const drawn = unitsOfVolume(exact, syringe);
  const units = nearestUnits(drawn, mark);
  const volume = product<'ml'>(units, { n: 1n, d: BigInt(syringe.unitsPerMl) });
  const delivered = product<'mg'>(dose, quotient<'times'>(units, drawn));
  return {
    units: nearestDouble(units),
    unitsText: shortText(units, 1),
    drawsText: drawsText(units, syringe),
    isExact: compare(units, drawn) === 0,
    volumeText: fixedText(volume, 3),
    deliveredDose: nearestDouble(delivered),
    deliveredDoseText: readableText(delivered),
    deliveredDoseWithUnit: doseWithUnit(delivered, unit),
    errorPercentText: shortText(errorPercent(units, drawn), 2),
    exceedsFivePercent: isFarOff(units, drawn),
  };
}

/** "1 unit", "10 units". @param text may be several draws, "100 + 96" */
export function countUnits(text: string, scale = ''): string {
  return `${text} ${scale}${text === '1' ? 'unit' : 'units'}`;
}

/** How far off the dose a mark is: "27.01% less"; null if it is the exact draw, or nothing can be measured. */
export function markErrorText({ units, isExact, errorPercentText }: NearestMark): string | null {
  if (isExact || units === 0) return null;
  const size = errorPercentText.replace('-', '');
  if (size === '0') return 'within 0.01%';
  return `${size}% ${errorPercentText.startsWith('-') ? 'less' : 'more'}`;
}

/** The mark to draw to: "10 units", "100 + 96 units". @param scale named before the units, such as "U-40 " */
export function drawToText({ units, drawsText: text }: NearestMark, scale = ''): string {
  return units === 0 ? 'Too small to measure' : countUnits(text, scale);
}

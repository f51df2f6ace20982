import {
  ceil,
  compare,
  difference,
  product,
  quotient,
  ratio,
  type Ratio,
  fixedText,
  readableText,
  shortText,
  nearestDouble,
  Decimal,
} from '#app/domain/decimal/decimal.ts';
import type { Solution } from './calculate.ts';
import type { DoseUnit, NearestMark, WarningCode, CalculationResult } from './calculation.ts';

/** The scales in use. U-100: 100 units = 1 ml (ISO 8537); U-40: 40 units = 1 ml. */
export const SYRINGE_IDS = ['u100-1ml', 'u100-0.5ml', 'u100-0.3ml', 'u40-1ml'] as const;

export type SyringeId = (typeof SYRINGE_IDS)[number];

/** Units between two marks of a barrel. */
export type MarkUnits = '0.5' | '1' | '2';

export interface Syringe {
  readonly id: SyringeId;
  readonly label: string;
  /** What the barrel holds, in ml. */
  readonly barrelMl: string;
  /** What the barrel holds, in units of its own scale. */
  readonly barrelUnits: number;
  readonly unitsPerMl: number;
  /** Mark distances that are sold, in units; the first is the default. */
  readonly marks: readonly [MarkUnits, ...MarkUnits[]];
}

export const SYRINGES: Readonly<Record<SyringeId, Syringe>> = {
  'u100-1ml': {
    id: 'u100-1ml',
    label: 'U-100 1 ml',
    barrelMl: '1',
    barrelUnits: 100,
    unitsPerMl: 100,
    marks: ['1', '2'],
  },
  'u100-0.5ml': {
    id: 'u100-0.5ml',
    label: 'U-100 0.5 ml',
    barrelMl: '0.5',
    barrelUnits: 50,
    unitsPerMl: 100,
    marks: ['1'],
  },
  'u100-0.3ml': {
    id: 'u100-0.3ml',
    label: 'U-100 0.3 ml',
    barrelMl: '0.3',
    barrelUnits: 30,
    unitsPerMl: 100,
    marks: ['0.5', '1'],
  },
  'u40-1ml': {
    id: 'u40-1ml',
    label: 'U-40 1 ml',
    barrelMl: '1',
    barrelUnits: 40,
    unitsPerMl: 40,
    marks: ['1', '2'],
  },
};

export const DEFAULT_SYRINGE: SyringeId = 'u100-1ml';

/** The mark distance a barrel has when nobody says otherwise. */
export function defaultMark(syringe: Syringe): MarkUnits {
  return syringe.marks[0];
}

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

/** A volume in units of a syringe's scale. */
export function unitsOf(volume: Ratio<'ml'>, syringe: Syringe): Ratio<'units'> {
  return { n: volume.n * BigInt(syringe.unitsPerMl), d: volume.d };
}

/** The mark nearest to a draw, in units; a tie goes to the lower mark. */
function nearestUnits(drawn: Ratio<'units'>, mark: MarkUnits): Ratio<'units'> {
  // draw ÷ mark − ½, rounded up: exactly half way between two marks this is the lower one
  const marks = difference(quotient<'marks'>(drawn, MARKS[mark]), HALF);
  return marks.n <= 0n ? { n: 0n, d: 1n } : product({ n: ceil(marks), d: 1n }, MARKS[mark]);
}

/** (mark − draw) ÷ draw in percent, exactly. */
function errorPercent(mark: Ratio<'units'>, drawn: Ratio<'units'>): Ratio<'percent'> {
  return product(quotient(difference(mark, drawn), drawn), HUNDRED_PERCENT);
}

/** True when the mark is off the draw by more than 5 %. */
function isFarOff(mark: Ratio<'units'>, drawn: Ratio<'units'>): boolean {
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

/** Thresholds of the warnings. */
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

/** The text of a warning. The first three are fixed texts of the product. */
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

/** A draw at a known concentration. */
export interface Draw {
  /** ml, 3 decimals. */
  readonly volumeText: string;
  /** Units of the result's syringe, at most 2 decimals. */
  readonly unitsText: string;
}

/**
 * The draw that holds another dose of the same vial, for the recommendations panel: volume = dose × ml ÷ mg.
 * @param doseMg decimal text, mg
 */
export function drawForDose(
  result: Pick<CalculationResult, 'exactConcentration' | 'syringe'>,
  doseMg: string,
): Draw {
  const { mg, ml } = result.exactConcentration;
  const volume = quotient<'ml'>(ratio(new Decimal(doseMg)), { n: BigInt(mg), d: BigInt(ml) });
  return { volumeText: fixedText(volume, 3), unitsText: shortText(unitsOf(volume, result.syringe), 2) };
}

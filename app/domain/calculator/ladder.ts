import {
  ceil,
  compare,
  Decimal,
  floor,
  nearestDouble,
  product,
  quotient,
  ratio,
  shortText,
  fixedText,
  type Ratio,
} from '#app/domain/decimal/decimal.ts';
import { doseText, toBaseUnit } from '#app/domain/units/quantity.ts';
import {
  syringeOf,
  type DoseUnit,
  type NearestMark,
  type SubstanceUnit,
  type SyringeChoice,
} from './calculation.ts';
import { markErrorText } from './draw-words.ts';
import {
  errorPercent,
  nearestMark,
  nearestUnits,
  syringeScale,
  unitsOfVolume,
  type Scale,
} from './nearest-mark.ts';

/** The doses of a titration, and what they are prepared with. Numbers are decimal text. */
export interface LadderInput {
  /** In the vial, in `amountUnit`. */
  readonly peptideAmount: string;
  readonly amountUnit: SubstanceUnit;
  /** In `desiredDoseUnit`, of the same measure, in the order of the titration. */
  readonly doses: readonly string[];
  readonly desiredDoseUnit: DoseUnit;
  /** Its default marks are used. */
  readonly syringe: SyringeChoice;
  /** ml of water that the vial can hold. */
  readonly capacityMl: string;
}

/** One dose with one amount of water. */
export interface LadderDose {
  /** As entered: the nearest double, and "2.5 mg". */
  readonly dose: number;
  readonly doseText: string;
  /** ml that hold the dose exactly: the nearest double, and text with 3 decimals. */
  readonly volume: number;
  readonly volumeText: string;
  /** The mark that is drawn to, in the numbers of the syringe's scale. */
  readonly units: number;
  /** (delivered − wanted) ÷ wanted in percent, signed; 0 only if the dose ends on the mark. */
  readonly error: number;
  /** How to draw it, and what it delivers. */
  readonly mark: NearestMark;
}

/** An amount of water. */
export interface LadderChoice {
  /** ml. */
  readonly waterVolume: number;
  readonly waterVolumeText: string;
  readonly doses: readonly LadderDose[];
  /** The largest error of its doses, without its sign, in percent. */
  readonly worstError: number;
  readonly worstErrorText: string;
}

export interface Ladder {
  /** Every choice puts every dose on a printed mark. If no water does, the choices are those with the least error. */
  readonly exact: boolean;
  /** The best first; at most 3. */
  readonly choices: readonly LadderChoice[];
}

/** Water is measured in steps of 0.05 ml. */
const STEPS_PER_ML = 20n;
/** 0.5 ml. */
const FEWEST_STEPS = 10n;
const MOST_CHOICES = 3;

const NO_ERROR: Ratio<'percent'> = { n: 0n, d: 1n };

/** The figures of an amount of water that its rank depends on. */
interface Candidate {
  readonly water: Ratio<'ml'>;
  readonly worst: Ratio<'percent'>;
  readonly extraDraws: bigint;
}

const absolute = <U extends string>({ n, d }: Ratio<U>): Ratio<U> => ({ n: n < 0n ? -n : n, d });

/** The volume of a dose: dose × water ÷ amount. */
const volumeOf = (dose: Ratio<'mg'>, water: Ratio<'ml'>, amount: Ratio<'mg'>): Ratio<'ml'> =>
  quotient(product(dose, water), amount);

function candidateOf(
  water: Ratio<'ml'>,
  doses: readonly Ratio<'mg'>[],
  amount: Ratio<'mg'>,
  scale: Scale,
): Candidate {
  let worst = NO_ERROR;
  let extraDraws = 0n;
  for (const dose of doses) {
    const drawn = unitsOfVolume(volumeOf(dose, water, amount), scale);
    const error = absolute(errorPercent(nearestUnits(drawn, scale), drawn));
    if (compare(error, worst) > 0) worst = error;
    if (scale.barrel !== null) extraDraws += ceil(quotient(drawn, scale.barrel)) - 1n;
  }
  return { water, worst, extraDraws };
}

/**
 * The better candidate first: the smaller worst error, then fewer extra draws, then the larger smallest draw. The smallest draw
 * grows with the water, so more water decides that.
 */
const byRank = (a: Candidate, b: Candidate): number =>
  compare(a.worst, b.worst) || Number(a.extraDraws - b.extraDraws) || compare(b.water, a.water);

/**
 * Finds the water that puts every dose of a titration on a printed mark of the syringe. All amounts that can be measured are
 * tried, from 0.5 ml to what the vial holds in steps of 0.05 ml, so none is missed. Everything is compared exactly.
 * @param input within the limits of `ladderSchema`
 */
export function findLadder(input: LadderInput): Ladder {
  const amount = ratio<'mg'>(new Decimal(input.peptideAmount));
  const doses = input.doses.map((dose) => ratio<'mg'>(toBaseUnit(dose, input.desiredDoseUnit)));
  const mostSteps = floor(product(ratio(new Decimal(input.capacityMl)), { n: STEPS_PER_ML, d: 1n }));
  const scale = syringeScale(syringeOf(input.syringe));
  const candidates: Candidate[] = [];
  for (let steps = FEWEST_STEPS; steps <= mostSteps; steps += 1n)
    candidates.push(candidateOf({ n: steps, d: STEPS_PER_ML }, doses, amount, scale));
  const onMarks = candidates.filter(({ worst }) => worst.n === 0n);
  const exact = onMarks.length > 0;
  const best = (exact ? onMarks : candidates).toSorted(byRank).slice(0, MOST_CHOICES);
  return { exact, choices: best.map((candidate) => choiceOf(candidate, doses, amount, input)) };
}

function choiceOf(
  { water, worst }: Candidate,
  doses: readonly Ratio<'mg'>[],
  amount: Ratio<'mg'>,
  input: LadderInput,
): LadderChoice {
  const scale = syringeScale(syringeOf(input.syringe));
  return {
    waterVolume: nearestDouble(water),
    waterVolumeText: shortText(water, 2),
    doses: doses.map((dose, at): LadderDose => {
      const volume = volumeOf(dose, water, amount);
      const drawn = unitsOfVolume(volume, scale);
      const mark = nearestMark({ volume, dose }, scale, input.desiredDoseUnit);
      const error = errorPercent(nearestUnits(drawn, scale), drawn);
      const typed = input.doses[at] ?? '';
      return {
        dose: Number(typed),
        doseText: doseText(typed, input.desiredDoseUnit),
        volume: nearestDouble(volume),
        volumeText: fixedText(volume, 3),
        units: mark.units,
        error: nearestDouble(absolute(error)) * (error.n < 0n ? -1 : 1),
        mark,
      };
    }),
    worstError: nearestDouble(worst),
    worstErrorText: shortText(worst, 2),
  };
}

/** A ladder for programs: the numbers of its choices without their texts. */
export function ladderFigures({ exact, choices }: Ladder) {
  return {
    exact,
    choices: choices.map(({ waterVolume, doses, worstError }) => ({
      waterVolume,
      doses: doses.map(({ dose, volume, units, error }) => ({ dose, volume, units, error })),
      worstError,
    })),
  };
}

/** How near the mark of a dose is: "exact", "0.5% less", "too small to measure". */
export const ladderErrorText = ({ mark }: LadderDose): string =>
  mark.units === 0 ? 'too small to measure' : (markErrorText(mark) ?? 'exact');

/** Whether the doses are on marks, in words. */
export function ladderSentence({ exact, choices: [best] }: Ladder): string {
  if (exact) return 'Every dose is on a printed mark of the syringe.';
  const least = best === undefined || best.worstErrorText === '0' ? 'under 0.01' : best.worstErrorText;
  return `No amount of water puts every dose on a printed mark. The closest is at most ${least}% off.`;
}

import { figureText } from '#app/domain/decimal/figure-text.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { plainName } from './components.ts';
import { drawForDose } from './calculate.ts';
import { syringeScale } from './nearest-mark.ts';
import { aSyringe, type CalculationResult } from './calculation.ts';

type HintCategory = 'starter' | 'maintenance' | 'advanced';

/** A published dose for a compound. Research reference, never a recommendation for a person. */
export interface DosageHint {
  readonly name: string;
  readonly category: HintCategory;
  /** As shown: "250–500 mcg". */
  readonly dosageRange: string;
  /** The same range as decimal text in mg; both ends are equal for a single dose. */
  readonly minMg: string;
  readonly maxMg: string;
  readonly frequency: string;
  readonly notes: string;
  /** Label or publication the row is taken from. */
  readonly source: string;
}

/** A hint with the draw that contains it at the concentration of a result. */
export interface DosageRecommendation extends DosageHint {
  /** "0.100 ml" or "0.100–0.200 ml"; absent without a result. */
  readonly injectionVolume?: string;
  /** Units of the result's syringe, "10" or "10–20"; absent without a result. */
  readonly units?: string;
  /** Why the vial or the syringe of the result cannot give this dose; absent if they can. */
  readonly misfit?: string;
}

/**
 * The rows of the recommendations panel for a name as typed. Empty for an unknown name: show `NO_REFERENCE`.
 * @param result adds volume and units at its concentration
 */
export function dosageRecommendations(
  name: string,
  result?: CalculationResult,
): readonly DosageRecommendation[] {
  const hints = dosageHints(name);
  if (result === undefined) return hints;
  return hints.map((hint) => ({ ...hint, ...drawOf(hint, result) }));
}

/** The draw for a hint, up to the vial's content, and what does not fit. */
function drawOf(
  { minMg, maxMg }: DosageHint,
  result: CalculationResult,
): Pick<DosageRecommendation, 'injectionVolume' | 'units' | 'misfit'> {
  const { peptideAmountText, syringe } = result;
  const inVial = new Decimal(peptideAmountText);
  if (inVial.lt(minMg)) return { misfit: `More than this vial holds (${peptideAmountText} mg).` };
  const isCut = inVial.lt(maxMg);
  const from = { exactConcentration: result.exactConcentration, scale: syringeScale(syringe) };
  const least = drawForDose(from, minMg);
  const most = drawForDose(from, isCut ? peptideAmountText : maxMg);
  const fits = new Decimal(most.unitsText).lte(syringe.barrelUnits);
  const misfit = [
    ...(isCut ? [`This vial holds only ${peptideAmountText} mg, so the draw stops there.`] : []),
    ...(fits ? [] : [`More than one draw of ${aSyringe(syringe)}.`]),
  ].join(' ');
  return {
    injectionVolume: `${rangeText(least.volumeText, most.volumeText)} ml`,
    units: rangeText(figureText(least.unitsText), figureText(most.unitsText)),
    ...(misfit === '' ? {} : { misfit }),
  };
}

const rangeText = (from: string, to: string): string => (from === to ? from : `${from}–${to}`);

/**
 * The published doses for a name as typed, starter first; none for an unknown name (then show `NO_REFERENCE`). Case,
 * spaces and hyphens do not matter.
 */
export function dosageHints(name: string): readonly DosageHint[] {
  const key = plainName(name);
  return DOSAGE_HINTS.filter((hint) => plainName(hint.name) === key);
}

const SEMAGLUTIDE = 'Semaglutide';

const TIRZEPATIDE = 'Tirzepatide';

const BPC_157 = 'BPC-157';

const TB_500 = 'TB-500';

const TIRZEPATIDE_LABEL = 'US prescribing information, Mounjaro and Zepbound';

const NO_LABEL = {
  frequency: 'not stated',
  notes: 'No approved label',
  source: 'No published label',
};

/** Every published dose in the reference. */
export const DOSAGE_HINTS: readonly DosageHint[] = [
  {
    name: SEMAGLUTIDE,
    category: 'starter',
    dosageRange: '0.25 mg',
    minMg: '0.25',
    maxMg: '0.25',
    frequency: 'weekly, 4 weeks',
    notes: '',
    source: 'US prescribing information, Ozempic and Wegovy',
  },
  {
    name: SEMAGLUTIDE,
    category: 'maintenance',
    dosageRange: '0.5–1 mg',
    minMg: '0.5',
    maxMg: '1',
    frequency: 'weekly',
    notes: 'Wegovy passes 0.5 and 1 mg, four weeks each',
    source: 'US prescribing information, Ozempic',
  },
  {
    name: SEMAGLUTIDE,
    category: 'advanced',
    dosageRange: '1.7–2.4 mg',
    minMg: '1.7',
    maxMg: '2.4',
    frequency: 'weekly',
    notes: "Ozempic's highest is 2 mg",
    source: 'US prescribing information, Wegovy',
  },
  {
    name: TIRZEPATIDE,
    category: 'starter',
    dosageRange: '2.5 mg',
    minMg: '2.5',
    maxMg: '2.5',
    frequency: 'weekly, 4 weeks',
    notes: '',
    source: TIRZEPATIDE_LABEL,
  },
  {
    name: TIRZEPATIDE,
    category: 'maintenance',
    dosageRange: '5 mg',
    minMg: '5',
    maxMg: '5',
    frequency: 'weekly',
    notes: 'Then steps of 2.5 mg after at least 4 weeks each',
    source: TIRZEPATIDE_LABEL,
  },
  {
    name: TIRZEPATIDE,
    category: 'advanced',
    dosageRange: 'up to 15 mg',
    minMg: '15',
    maxMg: '15',
    frequency: 'weekly',
    notes: '',
    source: TIRZEPATIDE_LABEL,
  },
  { name: BPC_157, category: 'starter', dosageRange: '250 mcg', minMg: '0.25', maxMg: '0.25', ...NO_LABEL },
  {
    name: BPC_157,
    category: 'maintenance',
    dosageRange: '250–500 mcg',
    minMg: '0.25',
    maxMg: '0.5',
    ...NO_LABEL,
  },
  { name: BPC_157, category: 'advanced', dosageRange: '500 mcg', minMg: '0.5', maxMg: '0.5', ...NO_LABEL },
  { name: TB_500, category: 'starter', dosageRange: '2 mg', minMg: '2', maxMg: '2', ...NO_LABEL },
  { name: TB_500, category: 'maintenance', dosageRange: '2–5 mg', minMg: '2', maxMg: '5', ...NO_LABEL },
  { name: TB_500, category: 'advanced', dosageRange: '5 mg', minMg: '5', maxMg: '5', ...NO_LABEL },
];

/** The scales in use. U-100: 100 units = 1 ml (ISO 8537); U-40: 40 units = 1 ml. */
export const SYRINGE_IDS = ['u100-1ml', 'u100-0.5ml', 'u100-0.3ml', 'u40-1ml'] as const;

export type SyringeId = (typeof SYRINGE_IDS)[number];

/** Units between two marks of a barrel. */
export type MarkUnits = '0.5' | '1' | '2';

export interface Syringe {
  readonly id: SyringeId;
  readonly label: string;
  /** The capacity of the barrel in ml. */
  readonly barrelMl: string;
  /** The capacity of the barrel in units of its own scale. */
  readonly barrelUnits: number;
  readonly unitsPerMl: number;
  /** Available mark spacings in units; the first is the default. */
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

/** The default mark spacing of a syringe. */
export function defaultMark(syringe: Syringe): MarkUnits {
  return syringe.marks[0];
}

export const SOLVE_FOR = ['volume', 'water', 'dose'] as const;
/** What is unknown: the volume to draw, the water to add, or the dose in a draw. */
export type SolveFor = (typeof SOLVE_FOR)[number];

/** The number that each mode calculates. If it were given as well, it could contradict the others. */
export const SOLVED_FIELD = {
  volume: 'drawVolume',
  water: 'waterVolume',
  dose: 'desiredDose',
} as const satisfies Record<SolveFor, string>;

export const DOSE_UNITS = ['mg', 'mcg'] as const;
export type DoseUnit = (typeof DOSE_UNITS)[number];

/** One of the peptides in a vial. */
export interface Component {
  readonly name: string;
  /** mg, decimal text. */
  readonly amount: string;
}

/**
 * A checked calculation. Numbers are decimal text as entered, with a point (see `readDecimalText`).
 * `solveFor` determines which of water, dose and draw are present; unused ones are absent.
 */
export interface CalculationInput {
  readonly solveFor: SolveFor;
  /** mg in the vial; for a blend, of the component that the dose is for. */
  readonly peptideAmount: string;
  /** mg that a laboratory measured in the vial, used instead of `peptideAmount`, the printed amount. */
  readonly measuredAmount?: string | undefined;
  /** The 2 to 6 components of a blend in the order of its label; absent for a single peptide. */
  readonly components?: readonly Component[] | undefined;
  /** Name of the component that the dose is for; present if `components` is. */
  readonly doseOf?: string | undefined;
  /** ml added; absent when solving for it. */
  readonly waterVolume?: string | undefined;
  /** In `desiredDoseUnit`; absent when solving for it. */
  readonly desiredDose?: string | undefined;
  readonly desiredDoseUnit: DoseUnit;
  /** ml drawn, for `water` and `dose`. */
  readonly drawVolume?: string | undefined;
  readonly syringe: SyringeId;
  /** Units between two marks; the syringe's default if absent. */
  readonly mark?: MarkUnits | undefined;
  /** µl that one mg of powder takes up; "0" by default. */
  readonly displacement: string;
  readonly peptideName?: string | undefined;
  readonly notes?: string | undefined;
}

export type WarningCode =
  | 'SMALL_VOLUME'
  | 'LARGE_VOLUME'
  | 'HIGH_CONCENTRATION'
  | 'SEVERAL_DRAWS'
  | 'BELOW_FIRST_MARK'
  | 'MARK_ERROR';

/** Something to think about before drawing; it never blocks. */
interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

/** A calculation that may still lack numbers. */
export type CalculationDraft = Omit<CalculationInput, 'peptideAmount'> & {
  readonly peptideAmount?: string | undefined;
};

/** The dose of one component in a draw. A single peptide has one of these. */
export interface ComponentFigures {
  /** Undefined for a single peptide without a name. */
  readonly name: string | undefined;
  /** mg in the vial: nearest double, and as entered. */
  readonly amount: number;
  readonly amountText: string;
  /** mg/ml: nearest double, and text with 2 decimals. */
  readonly concentration: number;
  readonly concentrationText: string;
  /** mg in one draw: nearest double, and text. */
  readonly dose: number;
  readonly doseText: string;
  /** In mcg below 1 mg, otherwise in mg: "400 mcg". */
  readonly doseWithUnit: string;
}

/** The measured content of a vial, compared with the printed amount. */
export interface MeasuredContent {
  /** mg. */
  readonly amountText: string;
  readonly printedText: string;
  /** "2.4% more", "as printed". */
  readonly differenceText: string;
  /**
   * The result for the printed amount, how far it is off, and the dose that would really be drawn; undefined if that is
   * outside the limits or both amounts are the same.
   */
  readonly byPrinted: string | undefined;
  /** All of this in one or two sentences. */
  readonly note: string;
}

/** The mark of the scale that is nearest to the exact draw. */
export interface NearestMark {
  /** Units of the syringe's scale. Zero when the draw is at or below half a mark. */
  readonly units: number;
  readonly unitsText: string;
  /** How to draw it, in whole barrels and a rest: "10", "100 + 96", "4 × 100 + 33". */
  readonly drawsText: string;
  /** True if the draw ends exactly on that mark. */
  readonly isExact: boolean;
  /** ml up to that mark, 3 decimals. */
  readonly volumeText: string;
  /** mg that this mark really delivers, as a double and as text. */
  readonly deliveredDose: number;
  readonly deliveredDoseText: string;
  /** The same in the unit the dose was entered in: "249.5 mcg". */
  readonly deliveredDoseWithUnit: string;
  /** (delivered − wanted) ÷ wanted in percent, signed, at most 2 decimals: "-2.5". */
  readonly errorPercentText: string;
  /** Decided on the exact values. */
  readonly exceedsFivePercent: boolean;
}

/** One step of the arithmetic with its numbers in it. */
export interface FormulaLine {
  readonly name: string;
  /** "peptide amount ÷ water volume" */
  readonly rule: string;
  /** "5 mg ÷ 2 ml" */
  readonly numbers: string;
  /** "2.50 mg/ml" */
  readonly result: string;
}

/** The calculated figures of a draw. */
export interface DrawFigures {
  /** mg/ml: nearest double, and text with 2 decimals. */
  readonly concentration: number;
  readonly concentrationText: string;
  /** ml: nearest double, and text with 3 decimals. */
  readonly injectionVolume: number;
  readonly injectionVolumeText: string;
  /** Units on the syringe's scale, at most 2 decimals. */
  readonly unitsText: string;
}

/** The figures of a calculation without texts, for the rows of an export. */
export interface CalculationFigures extends DrawFigures {
  /** The nearest doubles, in mg and ml. */
  readonly peptideAmount: number;
  readonly waterVolume: number;
  readonly desiredDose: number;
}

/** The complete result. It has only strings, numbers and lists, so it can be sent as JSON. */
export interface CalculationResult extends CalculationFigures {
  readonly solveFor: SolveFor;
  readonly peptideName: string | undefined;
  readonly notes: string | undefined;
  /** The dose of each component in the draw, in the order of the label. */
  readonly components: readonly ComponentFigures[];
  /** The component that the dose is for; undefined for a single peptide. */
  readonly doseOf: string | undefined;
  /** mg of all components together. */
  readonly totalAmountText: string;
  /** mg, the measured amount if there is one. Entered values have no needless zeros; solved ones 3 decimals or 3 digits. */
  readonly peptideAmountText: string;
  /** The measured content and the difference it makes; undefined without one. */
  readonly measured: MeasuredContent | undefined;
  /** ml. */
  readonly waterVolumeText: string;
  /** mg. */
  readonly desiredDoseText: string;
  readonly desiredDoseUnit: DoseUnit;
  /** In the unit it was entered in: "250 mcg". */
  readonly desiredDoseWithUnit: string;
  /** µl/mg. */
  readonly displacementText: string;
  /** ml of water plus powder. */
  readonly solutionVolumeText: string;
  /** What `solveFor` asked for, with its unit: "0.100 ml", "1.667 ml", "0.25 mg". */
  readonly solvedText: string;
  readonly syringe: Syringe;
  readonly mark: MarkUnits;
  readonly nearestMark: NearestMark;
  /** How full the drawn barrel is at the nearest mark, 0…1; 1 when it takes several draws. */
  readonly fillFraction: number;
  readonly drawsNeeded: number;
  /** Whole doses in the vial, rounded down. */
  readonly dosesPerVial: number;
  readonly warnings: readonly Warning[];
  readonly formula: readonly FormulaLine[];
  /** The line for copying: "BPC-157: 5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)"; a blend names each part. */
  readonly summary: string;
  /** The concentration as an exact quotient of two whole numbers, for `drawForDose`. */
  readonly exactConcentration: { readonly mg: string; readonly ml: string };
}

/**
 * A stored calculation: the inputs as entered, and two doubles for sorting and for programs. What users see is always
 * calculated again from the inputs, with `calculate`.
 */
export interface SavedCalculation extends CalculationInput {
  /** "calc_", a timestamp and a suffix. */
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly type: 'reconstitution';
  /** mg/ml, the nearest double. */
  readonly concentration: number;
  /** ml, the nearest double. */
  readonly injectionVolume: number;
}

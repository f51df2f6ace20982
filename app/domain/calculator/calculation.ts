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

export const SOLVE_FOR = ['volume', 'water', 'dose'] as const;
/** What is unknown: the volume to draw, the water to add, or the dose that a draw holds. */
export type SolveFor = (typeof SOLVE_FOR)[number];

/** The number that each way of solving works out: given along with the others it would contradict them. */
export const SOLVED_FIELD = {
  volume: 'drawVolume',
  water: 'waterVolume',
  dose: 'desiredDose',
} as const satisfies Record<SolveFor, string>;

export const DOSE_UNITS = ['mg', 'mcg'] as const;
export type DoseUnit = (typeof DOSE_UNITS)[number];

/** Sent by the form's button that takes the dose in the other unit; it outweighs the unit's own control. */
export const MEANT_UNIT = 'meantUnit';

/** One of the peptides in a vial. */
export interface Component {
  readonly name: string;
  /** mg, decimal text. */
  readonly amount: string;
}

/**
 * A checked calculation. Numbers are decimal text as entered, with a point (see `readDecimalText`).
 * Which of water, dose and draw are there follows from `solveFor`; what it does not read is absent.
 */
export interface CalculationInput {
  readonly solveFor: SolveFor;
  /** mg in the vial; of a blend, of the component that the dose is of. */
  readonly peptideAmount: string;
  /** mg that a laboratory measured in the vial: used in place of `peptideAmount`, which is what is printed on it. */
  readonly measuredAmount?: string | undefined;
  /** What a blend holds, 2 to 6 in the order of its label; absent for a single peptide, which is a blend of one. */
  readonly components?: readonly Component[] | undefined;
  /** Name of the component that the dose is of; there when `components` is. */
  readonly doseOf?: string | undefined;
  /** ml added; absent when it is what is sought. */
  readonly waterVolume?: string | undefined;
  /** In `desiredDoseUnit`; absent when it is what is sought. */
  readonly desiredDose?: string | undefined;
  readonly desiredDoseUnit: DoseUnit;
  /** ml drawn, for `water` and `dose`. */
  readonly drawVolume?: string | undefined;
  readonly syringe: SyringeId;
  /** Units between two marks; the syringe's own when absent. */
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

/** What a draw gives of one component. A single peptide has one of these. */
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
  /** In mcg below a milligram, else in mg: "400 mcg". */
  readonly doseWithUnit: string;
}

/** A calculation with the content that a laboratory measured, beside what the printed amount would give. */
export interface MeasuredContent {
  /** mg. */
  readonly amountText: string;
  readonly printedText: string;
  /** "2.4 % more", "as printed". */
  readonly differenceText: string;
  /**
   * What is sought by the printed amount, how far that is off, and the dose that would truly be drawn; undefined when
   * that is outside the limits or both amounts are the same.
   */
  readonly byPrinted: string | undefined;
  /** All of it in a sentence or two. */
  readonly note: string;
}

/** The mark of the scale that is nearest to the exact draw. */
export interface NearestMark {
  /** Units of the syringe's scale. Zero when the draw is at or below half a mark. */
  readonly units: number;
  readonly unitsText: string;
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

/** What a calculation works out. */
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

/** The figures of a calculation without the words around them, for the rows of an export. */
export interface CalculationFigures extends DrawFigures {
  /** The nearest doubles, in mg and ml. */
  readonly peptideAmount: number;
  readonly waterVolume: number;
  readonly desiredDose: number;
}

/** Everything a door shows or stores. Only plain strings, numbers and lists: it may be sent as JSON as it is. */
export interface CalculationResult extends CalculationFigures {
  readonly solveFor: SolveFor;
  readonly peptideName: string | undefined;
  readonly notes: string | undefined;
  /** What the draw gives of each component, in the order of the label. */
  readonly components: readonly ComponentFigures[];
  /** The component that the dose is of; undefined for a single peptide. */
  readonly doseOf: string | undefined;
  /** mg of all components together. */
  readonly totalAmountText: string;
  /** mg, the measured amount where there is one. Entered values without needless zeros; a solved value rounded for reading (3 decimals or 3 digits). */
  readonly peptideAmountText: string;
  /** What was measured and used in place of the printed amount, and what difference that makes; undefined without it. */
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
 * A calculation as it is stored: the inputs as entered, and two doubles for sorting and for programs. What a person
 * sees is always computed again from the inputs, with `calculate`.
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

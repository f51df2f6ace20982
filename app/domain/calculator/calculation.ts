/**
 * The built-in syringes. U-100: 100 units = 1 ml (ISO 8537); U-50 and U-40 have 50 and 40. The last two are marked in ml.
 */
export const SYRINGE_IDS = [
  'u100-1ml',
  'u100-0.5ml',
  'u100-0.3ml',
  'u40-1ml',
  'u50-1ml',
  'ml-1ml',
  'ml-3ml',
] as const;

export type SyringeId = (typeof SYRINGE_IDS)[number];

/** What stands between two marks of a barrel, in the numbers of its scale: decimal text. */
export type MarkUnits = string;

/** A person's own syringe. Numbers are decimal text. */
export interface OwnSyringe {
  /** Begins with {@link OWN_PREFIX}. */
  readonly id: string;
  readonly name: string;
  readonly barrelMl: string;
  /** What its numbers count in 1 ml; null if they are ml. */
  readonly unitsPerMl: string | null;
  /** Between two marks, in its numbers. */
  readonly mark: MarkUnits;
}

/** What the ids of a person's own syringes begin with. */
export const OWN_PREFIX = 'own:';

/** A syringe as it is chosen and stored: a built-in one by its id, a person's own one with its measures. */
export type SyringeChoice = SyringeId | OwnSyringe;

/** A syringe with its scale. */
export interface Syringe {
  readonly id: string;
  readonly label: string;
  /** The capacity of the barrel in ml. */
  readonly barrelMl: string;
  /** What the numbers of the scale count. */
  readonly scale: 'unit' | 'ml';
  /** The capacity of the barrel in the numbers of its own scale. */
  readonly barrelUnits: number;
  /** 1 for a scale in ml. */
  readonly unitsPerMl: number;
  /** Available mark spacings; the first is the default. */
  readonly marks: readonly [MarkUnits, ...MarkUnits[]];
}

const unitsSyringe = (
  id: SyringeId,
  barrelMl: string,
  unitsPerMl: number,
  marks: Syringe['marks'],
): Syringe => ({
  id,
  label: `U-${unitsPerMl} ${barrelMl} ml`,
  barrelMl,
  scale: 'unit',
  barrelUnits: Math.round(Number(barrelMl) * unitsPerMl),
  unitsPerMl,
  marks,
});

const mlSyringe = (id: SyringeId, barrelMl: string, mark: MarkUnits): Syringe => ({
  id,
  label: `${barrelMl} ml, marked every ${mark} ml`,
  barrelMl,
  scale: 'ml',
  barrelUnits: Number(barrelMl),
  unitsPerMl: 1,
  marks: [mark],
});

export const SYRINGES: Readonly<Record<SyringeId, Syringe>> = {
  'u100-1ml': unitsSyringe('u100-1ml', '1', 100, ['1', '2']),
  'u100-0.5ml': unitsSyringe('u100-0.5ml', '0.5', 100, ['1']),
  'u100-0.3ml': unitsSyringe('u100-0.3ml', '0.3', 100, ['0.5', '1']),
  'u40-1ml': unitsSyringe('u40-1ml', '1', 40, ['1', '2']),
  'u50-1ml': unitsSyringe('u50-1ml', '1', 50, ['1', '2']),
  'ml-1ml': mlSyringe('ml-1ml', '1', '0.01'),
  'ml-3ml': mlSyringe('ml-3ml', '3', '0.1'),
};

export const DEFAULT_SYRINGE: SyringeId = 'u100-1ml';

/** Products of short decimals, without the error of a binary multiplication in the last digits. */
const DIGITS = 1e7;

/** A chosen syringe with its scale. */
export function syringeOf(choice: SyringeChoice): Syringe {
  if (typeof choice === 'string') return SYRINGES[choice];
  const { id, name, barrelMl, unitsPerMl, mark } = choice;
  return {
    id,
    label: name,
    barrelMl,
    scale: unitsPerMl === null ? 'ml' : 'unit',
    barrelUnits: Math.round(Number(barrelMl) * Number(unitsPerMl ?? 1) * DIGITS) / DIGITS,
    unitsPerMl: Number(unitsPerMl ?? 1),
    marks: [mark],
  };
}

/** The id of a chosen syringe, by which pages and programs name it. */
export const syringeIdOf = (choice: SyringeChoice): string =>
  typeof choice === 'string' ? choice : choice.id;

/** The syringe with an id; undefined for one that is neither built in nor the person's. */
export const findSyringe = (
  id: string | null | undefined,
  own: readonly OwnSyringe[] = [],
): SyringeChoice | undefined => SYRINGE_IDS.find((known) => known === id) ?? own.find((one) => one.id === id);

/** "U-100 1 ml syringe"; a name that says so already is not told twice. */
export const syringeName = ({ label }: Pick<Syringe, 'label'>): string =>
  /syringe$/i.test(label) ? label : `${label} syringe`;

/** "a U-100 1 ml syringe", "your Blue syringe" */
export const aSyringe = (syringe: Syringe): string =>
  `${syringe.id.startsWith(OWN_PREFIX) ? 'your' : 'a'} ${syringeName(syringe)}`;

/** The syringes that can be chosen, for a control. */
export const syringeOptions = (own: readonly OwnSyringe[] = []): { value: string; label: string }[] => [
  ...SYRINGE_IDS.map((id) => ({ value: id, label: SYRINGES[id].label })),
  ...own.map(({ id, name }) => ({ value: id, label: name })),
];

/** The default mark spacing of a syringe. */
export function defaultMark(syringe: Syringe): MarkUnits {
  return syringe.marks[0];
}

/**
 * What holds the substance: powder to mix, a solution as bought, a pen's cartridge, a spray bottle, or capsules (pieces with
 * the same amount in each).
 */
export const FORMS = ['powder', 'solution', 'pen', 'spray', 'capsule'] as const;
export type ContainerForm = (typeof FORMS)[number];

/** What the forms are called where one is chosen. */
export const FORM_CHOICES = [
  { value: 'powder', label: 'Powder to mix' },
  { value: 'solution', label: 'Ready solution' },
  { value: 'pen', label: 'Pen' },
  { value: 'spray', label: 'Spray' },
  { value: 'capsule', label: 'Capsules' },
] as const satisfies readonly { value: ContainerForm; label: string }[];

/** True if doses are drawn from the container with a syringe. From the others the hand counts clicks, sprays or capsules. */
export const isDrawn = (form: ContainerForm): boolean => form === 'powder' || form === 'solution';

/** True if the container holds a solution as it was bought. */
export const isLiquid = (form: ContainerForm): boolean =>
  form === 'solution' || form === 'pen' || form === 'spray';

/** What a substance is measured in: mass, or international units, which are an activity and no mass. */
export const SUBSTANCE_UNITS = ['mg', 'IU'] as const;
export type SubstanceUnit = (typeof SUBSTANCE_UNITS)[number];

export const MEASURE_CHOICES = SUBSTANCE_UNITS.map((unit) => ({ value: unit, label: unit }));

/** The measure of a dose's unit. */
export const substanceUnitOf = (unit: DoseUnit): SubstanceUnit => (unit === 'IU' ? 'IU' : 'mg');

export const SOLVE_FOR = ['volume', 'water', 'dose'] as const;
/** What is unknown: the volume to draw, the water to add, or the dose in a draw. */
export type SolveFor = (typeof SOLVE_FOR)[number];

/** The number that each mode calculates. If it were given as well, it could contradict the others. */
export const SOLVED_FIELD = {
  volume: 'drawVolume',
  water: 'waterVolume',
  dose: 'desiredDose',
} as const satisfies Record<SolveFor, string>;

export const DOSE_UNITS = ['mg', 'mcg', 'IU'] as const;
export type DoseUnit = (typeof DOSE_UNITS)[number];

export const DOSE_UNIT_CHOICES = DOSE_UNITS.map((unit) => ({ value: unit, label: unit }));

/** One of the peptides in a vial. */
export interface Component {
  readonly name: string;
  /** In the unit of its container, mg or IU: decimal text. */
  readonly amount: string;
}

/**
 * A checked calculation. Numbers are decimal text as entered, with a point (see `readDecimalText`).
 * `solveFor` determines which of water, dose and draw are present; unused ones are absent.
 */
export interface CalculationInput {
  readonly solveFor: SolveFor;
  /** Powder if absent. */
  readonly form?: ContainerForm | undefined;
  /** The unit of all amounts but the dose; mg if absent. */
  readonly amountUnit?: SubstanceUnit | undefined;
  /**
   * In the container, of the component that the dose is for; for capsules, in one of them. For a solution with a known
   * concentration it is concentration × volume.
   */
  readonly peptideAmount: string;
  /** The amount that a laboratory measured in the vial, used instead of `peptideAmount`, the printed amount. */
  readonly measuredAmount?: string | undefined;
  /** The 2 to 6 components of a blend in the order of its label; absent for a single peptide. */
  readonly components?: readonly Component[] | undefined;
  /** Name of the component that the dose is for; present if `components` is. */
  readonly doseOf?: string | undefined;
  /** ml added, or ml in the container of a solution, pen or spray; absent when solving for it, and for capsules. */
  readonly waterVolume?: string | undefined;
  /** In `desiredDoseUnit`; absent when solving for it. */
  readonly desiredDose?: string | undefined;
  readonly desiredDoseUnit: DoseUnit;
  /** ml drawn, for `water` and `dose`. */
  readonly drawVolume?: string | undefined;
  readonly syringe: SyringeChoice;
  /** Units between two marks; the syringe's default if absent. */
  readonly mark?: MarkUnits | undefined;
  /** µl that one mg of powder takes up; "0" by default. */
  readonly displacement: string;
  /** ml of one click of a pen. */
  readonly clickMl?: string | undefined;
  /** ml of one spray. */
  readonly sprayMl?: string | undefined;
  /** How many capsules there are; unknown if absent. */
  readonly pieces?: string | undefined;
  /** How many containers were put together; one if absent. */
  readonly vials?: string | undefined;
  /** ml lost with each dose: in a needle's hub, or by priming a pen. */
  readonly deadSpaceMl?: string | undefined;
  /** The price of one container, in the person's currency. */
  readonly cost?: string | undefined;
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

/** What the hand counts: units or ml on a syringe, clicks of a pen, sprays, capsules. */
export type HandNoun = 'unit' | 'ml' | 'click' | 'spray' | 'capsule';

/** The mark of the scale that is nearest to the exact draw. Clicks, sprays and capsules are marks, too. */
export interface NearestMark {
  readonly noun: HandNoun;
  /** In the numbers of the scale. Zero when the draw is at or below half a mark. */
  readonly units: number;
  readonly unitsText: string;
  /** How to draw it, in whole barrels and a rest: "10", "100 + 96", "4 × 100 + 33". */
  readonly drawsText: string;
  /** True if the draw ends exactly on that mark. */
  readonly isExact: boolean;
  /** ml up to that mark, 3 decimals. */
  readonly volumeText: string;
  /** What this mark really delivers, in mg or IU, as a double and as text. */
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
  /** On the scale of the syringe, pen, spray or in capsules: at most 2 decimals, 3 in ml. */
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
  readonly form: ContainerForm;
  /** The unit of all amounts, and per ml of the concentration. */
  readonly amountUnit: SubstanceUnit;
  /** What one step of the hand gives, such as "0.1 mg in a click"; undefined for a syringe. */
  readonly stepText: string | undefined;
  /** What is left in the container after the whole doses, "0.3 mg"; undefined without a rest, or if nobody knows. */
  readonly lastPartText: string | undefined;
  /** Two decimals, without a currency; undefined if no cost was given. */
  readonly costPerDoseText: string | undefined;
  /** A dose in IU as mass, with the source of the factor; undefined unless a factor is cited for the substance. */
  readonly massText: string | undefined;
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
  /** Whole doses in the container (all containers that were put together), rounded down; null for capsules without a count. */
  readonly dosesPerVial: number | null;
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
  /** When it was saved, as stored: later than `createdAt` if it was made without a connection, or imported. */
  readonly updatedAt?: Date;
  readonly type: 'reconstitution';
  /** mg/ml, the nearest double. */
  readonly concentration: number;
  /** ml, the nearest double. */
  readonly injectionVolume: number;
}

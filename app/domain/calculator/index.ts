export { calculate } from './calculate.ts';
export { drawForDose, type Draw } from './draw-for-dose.ts';
export { calculateFigures } from './figures.ts';
export { FIELD_MESSAGES, findLimitProblems, NEEDED_FIELDS, type NumberField } from './limits.ts';
export { calculateRow, type CalculatedRow } from './row.ts';
export { recompute, type SavedCalculation } from './saved.ts';
export {
  DEFAULT_SYRINGE,
  defaultMark,
  SYRINGE_IDS,
  SYRINGES,
  type MarkUnits,
  type Syringe,
  type SyringeId,
} from './syringes.ts';
export {
  DOSE_UNITS,
  SOLVE_FOR,
  type CalculationDraft,
  type CalculationFigures,
  type CalculationInput,
  type CalculationResult,
  type DoseUnit,
  type DrawFigures,
  type FormulaLine,
  type NearestMark,
  type SolveFor,
  type Warning,
  type WarningCode,
} from './types.ts';

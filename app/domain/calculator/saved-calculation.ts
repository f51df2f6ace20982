import { calculate } from './calculate.ts';
import type { CalculationInput, CalculationResult } from './calculation.ts';

/**
 * A calculation as it is kept: the inputs as entered, and the two doubles beside them for sorting and for machines.
 * What is shown is always recomputed from the inputs.
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

/** Everything to show of a kept calculation. */
export function recompute(saved: CalculationInput): CalculationResult {
  return calculate(saved);
}

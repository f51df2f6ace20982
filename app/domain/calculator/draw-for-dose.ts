import { Decimal, fixedText, ratio, shortText } from '../decimal/index.ts';
import { type CalculationResult } from './types.ts';

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
  const n = new Decimal(doseMg).times(result.exactConcentration.ml);
  const d = new Decimal(result.exactConcentration.mg);
  return {
    volumeText: fixedText(ratio(n, d), 3),
    unitsText: shortText(ratio(n.times(result.syringe.unitsPerMl), d), 2),
  };
}

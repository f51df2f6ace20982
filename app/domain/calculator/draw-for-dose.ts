import { Decimal } from '#app/domain/decimal/decimal.ts';
import { fixedText, shortText } from '#app/domain/decimal/rounded-text.ts';
import { quotient, ratio } from '#app/domain/decimal/ratio.ts';
import { unitsOf } from './syringe-draw.ts';
import type { CalculationResult } from './calculation.ts';

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

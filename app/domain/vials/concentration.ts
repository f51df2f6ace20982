import { Decimal } from '#app/domain/decimal/decimal.ts';
import { ratio, type Ratio } from '#app/domain/decimal/ratio.ts';
import type { Vial } from './vial.ts';

type Contents = Pick<Vial, 'totalAmount' | 'waterMl' | 'concentration' | 'displacement'>;

const ML_PER_UL = new Decimal('0.001');

/** ml of solution: the water, and what the powder takes up in it (decisions, section 4: powder displacement). */
function solutionMl({ totalAmount, waterMl, displacement }: Contents & { waterMl: string }): Decimal {
  return new Decimal(waterMl).plus(new Decimal(totalAmount).times(displacement).times(ML_PER_UL));
}

/**
 * mg in one ml, exactly: amount ÷ solution when the water is known, else the concentration as given.
 * @returns null for a vial whose strength nobody has told, as one that still holds dry powder
 */
export function strengthOf(vial: Contents): Ratio<'mg/ml'> | null {
  const { totalAmount, waterMl, concentration } = vial;
  if (waterMl !== null) return ratio(new Decimal(totalAmount), solutionMl({ ...vial, waterMl }));
  return concentration === null ? null : ratio(new Decimal(concentration));
}

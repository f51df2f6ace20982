import { Decimal } from '#app/domain/decimal/decimal.ts';

/** A product instead of a division by 1000, so that it stays exact. */
const MG_PER_MCG = new Decimal('0.001');

/** A mass in mg. @param text decimal text in `unit` */
export function massInMg(text: string, unit: 'mg' | 'mcg'): Decimal {
  const mass = new Decimal(text);
  return unit === 'mcg' ? mass.times(MG_PER_MCG) : mass;
}

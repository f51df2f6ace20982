import { Decimal } from '#app/domain/decimal/decimal.ts';
import { isOpen } from './vial-status.ts';
import type { Vial } from './vial.ts';

/** An open vial with a fifth or less of what it held is low. Our own choice; the forecast says when it really ends. */
export const LOW_SHARE = '0.2';

/** True for an open vial that holds a fifth or less. */
export function isLow(vial: Pick<Vial, 'status' | 'remaining' | 'totalAmount'>): boolean {
  return isOpen(vial) && new Decimal(vial.remaining).lte(new Decimal(vial.totalAmount).times(LOW_SHARE));
}

import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { Vial, VialStatus } from './vial.ts';

/** True while a vial may be drawn from without being named. */
export function isOpen({ status }: Pick<Vial, 'status'>): boolean {
  return status === 'reconstituted' || status === 'in_use';
}

/** True for a vial that is used up or thrown away. */
export function isFinal({ status }: Pick<Vial, 'status'>): boolean {
  return status === 'empty' || status === 'discarded';
}

/** What a status follows from: thrown away, used up, drawn from, reconstituted, in this order. */
export function statusOf(
  vial: Pick<Vial, 'status' | 'remaining' | 'openedAt' | 'reconstitutionDate'>,
): VialStatus {
  if (vial.status === 'discarded') return 'discarded';
  if (new Decimal(vial.remaining).lte(0)) return 'empty';
  if (vial.openedAt !== null) return 'in_use';
  return vial.reconstitutionDate === null ? 'sealed' : 'reconstituted';
}

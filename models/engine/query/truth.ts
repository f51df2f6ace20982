import { bareNumber } from '../values/numbers.ts';
import { T, typeOf, type Decimal128 } from '../values/types.ts';
import { unpackDecimal } from '../values/decimal.ts';

/** MongoDB's idea of truth: everything but false, null, missing, undefined and the zeros. NaN is true. */
export function isTruthy(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  const type = typeOf(value);
  if (type === T.missing || type === T.null || type === T.undefined) return false;
  if (type === T.decimal) {
    const d = unpackDecimal(value as Decimal128);
    return d.kind !== 'finite' || d.coeff !== 0n;
  }
  return type === T.int || type === T.long || type === T.double ? bareNumber(value) !== 0 : true;
}

import { fitsLong, toBigInt, toDouble } from './arithmetic.ts';
import { decimalToBigInt, unpackDecimal } from './decimal.ts';
import { T, typeOf, type Decimal128 } from './types.ts';

function truncatedDecimal(value: Decimal128): bigint | undefined {
  const d = unpackDecimal(value);
  if (d.kind !== 'finite' || d.exp > 20) return undefined;
  return decimalToBigInt(d);
}

/** The integer part of a number as int64, `undefined` for NaN, infinities and what exceeds int64. */
export function truncateToLong(value: unknown): bigint | undefined {
  const type = typeOf(value);
  if (type === T.int || type === T.long) return toBigInt(value);
  let whole: bigint | undefined;
  if (type === T.decimal) whole = truncatedDecimal(value as Decimal128);
  else if (type === T.double && Number.isFinite(toDouble(value))) whole = BigInt(Math.trunc(toDouble(value)));
  return whole !== undefined && fitsLong(whole) ? whole : undefined;
}

function isWholeDecimal(value: Decimal128): boolean {
  const d = unpackDecimal(value);
  if (d.kind !== 'finite') return false;
  return d.exp >= 0 || d.coeff % 10n ** BigInt(-d.exp) === 0n;
}

/** The int64 a number stands for exactly, `undefined` when it is no number, has a fraction or does not fit. */
export function exactLong(value: unknown): bigint | undefined {
  const type = typeOf(value);
  if (type === T.double && !Number.isInteger(toDouble(value))) return undefined;
  if (type === T.decimal && !isWholeDecimal(value as Decimal128)) return undefined;
  if (type !== T.int && type !== T.long && type !== T.double && type !== T.decimal) return undefined;
  return truncateToLong(value);
}

import { unsupported } from '../../errors.ts';
import { fitsLong, makeDouble, makeInteger, toBigInt, toDouble } from '../../values/arithmetic.ts';
import { quantizeDecimal, type Rounding } from '../../values/decimal-arithmetic.ts';
import {
  NAN,
  decimalFromBigInt,
  decimalFromDouble,
  decimalToBigInt,
  decimalToDouble,
  digitsOf,
  packDecimal,
  pow10,
  finite,
  roundToDigits,
  unpackDecimal,
  type Decimal,
} from '../../values/decimal.ts';
import { exactLong } from '../../values/integers.ts';
import { T, isNumeric, typeOf, type Decimal128 } from '../../values/types.ts';
import { check, isNullish, nameOf, operators, several, unary, type Build } from './types.ts';

/** An operator of one number; null for null, an error for anything else. */
export function ofNumber(apply: (value: unknown, type: number) => unknown): Build {
  return unary((value, _c, op) => {
    if (isNullish(value)) return null;
    check(isNumeric(value), 28765, () => `${op} only supports numeric types, not ${nameOf(value)}`);
    return apply(value, typeOf(value));
  });
}

function whole(mode: Rounding, double: (x: number) => number): Build {
  return ofNumber((value, type) => {
    if (type === T.double) return makeDouble(double(toDouble(value)));
    if (type === T.decimal) return packDecimal(quantizeDecimal(unpackDecimal(value as Decimal128), 0, mode));
    return value;
  });
}

function absolute(value: unknown, type: number): unknown {
  if (type === T.double) return makeDouble(Math.abs(toDouble(value)));
  if (type === T.decimal) {
    const d = unpackDecimal(value as Decimal128);
    return packDecimal(d.kind === 'nan' ? d : { ...d, neg: false });
  }
  const n = toBigInt(value);
  check(fitsLong(-n), 28680, () => "can't take $abs of long long min");
  return makeInteger(n < 0n ? -n : n, type);
}

function placesFrom(value: unknown, op: string): number {
  check(exactLong(value) !== undefined, 51082, () => `precision argument to  ${op} must be a integral value`);
  const places = Number(exactLong(value));
  check(
    places >= -20 && places <= 100,
    51083,
    () => `cannot apply ${op} with precision value ${places} value must be in [-20, 100]`,
  );
  return places;
}

function quantizeWithin(d: Decimal, places: number, mode: Rounding): Decimal {
  if (d.kind !== 'finite') return d;
  const rounded = quantizeDecimal(d, places, mode);
  if (rounded.kind !== 'finite') return rounded;
  // Decimal128 gives NaN when the result would need more than 34 digits, and writes out the places asked for.
  if (rounded.exp <= -places) return rounded;
  const padding = rounded.exp + places;
  if (rounded.coeff !== 0n && digitsOf(rounded.coeff) + padding > 34) return NAN;
  return finite(rounded.neg, rounded.coeff * pow10(padding), -places);
}

function roundInteger(value: unknown, type: number, places: number, mode: Rounding, op: string): unknown {
  if (places >= 0) return value;
  const d = quantizeDecimal(decimalFromBigInt(toBigInt(value)), places, mode);
  const n = d.kind === 'finite' ? decimalToBigInt(d) : 0n;
  check(
    fitsLong(n),
    51080,
    () =>
      `invalid conversion from Decimal128 result in ${op} resulting from arguments: [${toBigInt(value)}, ${places}]`,
  );
  return makeInteger(n, type);
}

function rounding(mode: Rounding): Build {
  return several(1, 2, (args, _c, op) => {
    const [value, precision] = args;
    if (isNullish(value)) return null;
    check(isNumeric(value), 51081, () => `${op} only supports numeric types, not ${nameOf(value)}`);
    if (args.length > 1 && isNullish(precision)) return null;
    const places = args.length > 1 ? placesFrom(precision, op) : 0;
    const type = typeOf(value);
    if (type === T.decimal)
      return packDecimal(quantizeWithin(unpackDecimal(value as Decimal128), places, mode));
    if (type !== T.double) return roundInteger(value, type, places, mode, op);
    const exact = roundToDigits(decimalFromDouble(toDouble(value)), 34);
    return makeDouble(
      exact.kind === 'finite' ? decimalToDouble(quantizeDecimal(exact, places, mode)) : toDouble(value),
    );
  });
}

/** A function of doubles only; decimals would need 34 digits of it and are refused. */
export function ofDouble(apply: (x: number) => number, range?: (x: number, op: string) => void): Build {
  return unary((value, _c, op) => {
    if (isNullish(value)) return null;
    check(isNumeric(value), 28765, () => `${op} only supports numeric types, not ${nameOf(value)}`);
    if (typeOf(value) === T.decimal) throw unsupported(`${op} for decimals`);
    const x = toDouble(value);
    range?.(x, op);
    return makeDouble(apply(x));
  });
}

const positive =
  (code: number) =>
  (x: number, op: string): void =>
    check(!(x <= 0), code, () => `${op}'s argument must be a positive number, but is ${x}`);

function logarithm([value, base]: unknown[], op: string): unknown {
  if (isNullish(value) || isNullish(base)) return null;
  check(isNumeric(value), 28756, () => `$log's argument must be numeric, not ${nameOf(value)}`);
  check(isNumeric(base), 28757, () => `$log's base must be numeric, not ${nameOf(base)}`);
  if (typeOf(value) === T.decimal || typeOf(base) === T.decimal) {
    throw unsupported(`${op} for decimals`);
  }
  positive(28758)(toDouble(value), op);
  const b = toDouble(base);
  check(
    !(b <= 0 || b === 1),
    28759,
    () => `$log's base must be a positive number not equal to 1, but is ${b}`,
  );
  return makeDouble(Math.log(toDouble(value)) / Math.log(b));
}

/** Rounding, absolute value, roots and logarithms. */
export const roundingOperators = operators({
  $abs: ofNumber(absolute),
  $ceil: whole('ceiling', Math.ceil),
  $floor: whole('floor', Math.floor),
  $round: rounding('half-even'),
  $trunc: rounding('truncate'),
  $exp: ofDouble(Math.exp),
  $ln: ofDouble(Math.log, positive(28766)),
  $log10: ofDouble(Math.log10, positive(28761)),
  $sqrt: ofDouble(Math.sqrt, (x) =>
    check(!(x < 0), 28714, () => "$sqrt's argument must be greater than or equal to 0"),
  ),
  $log: several(2, 2, (args, _c, op) => logarithm(args, op)),
});

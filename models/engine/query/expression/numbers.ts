import { EngineError, unsupported } from '../../errors.ts';
import {
  fitsLong,
  makeDouble,
  makeInteger,
  toBigInt,
  toDouble,
  widerType,
  exactLong,
  truncateToLong,
} from '../../values/arithmetic.ts';
import { Long, T, isNumeric, typeNameOf, typeOf } from '../../values/types.ts';
import { binary, check, isNullish, several, unary, type Build } from './types.ts';

/** The wider type of two numbers; decimals are stored and compared, but never calculated with. */
export function arithmeticType(a: number, b: number): number {
  const type = widerType(a, b);
  if (type === T.decimal) throw unsupported('arithmetic with Decimal128');
  return type;
}

/** A date from milliseconds, refused outside of what a date can hold here. */
export function makeDate(millis: number, op: string): Date {
  if (!(Math.abs(millis) <= 8.64e15)) throw new EngineError('Overflow', `date overflow in ${op}`);
  return new Date(millis);
}

/** A result in the wider of two types: exact in int64 where it fits, a double beyond that. */
function calculated(
  a: unknown,
  b: unknown,
  whole: (x: bigint, y: bigint) => bigint,
  double: (x: number, y: number) => number,
): unknown {
  const type = arithmeticType(typeOf(a), typeOf(b));
  const exact = type === T.double ? undefined : whole(toBigInt(a), toBigInt(b));
  if (exact !== undefined && fitsLong(exact)) return makeInteger(exact, type);
  return makeDouble(double(toDouble(a), toDouble(b)));
}

const sumOf = (a: unknown, b: unknown): unknown =>
  calculated(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  );

/** `$add`: numbers, and at most one date, to which numbers are milliseconds. */
function add(args: unknown[], op: string): unknown {
  let total: unknown = 0;
  let date: Date | undefined;
  for (const value of args) {
    if (isNullish(value)) return null;
    const numeric = isNumeric(value);
    check(numeric || value instanceof Date, 'TypeMismatch', () => {
      return `$add only supports numeric or date types, not ${typeNameOf(value)}`;
    });
    check(numeric || date === undefined, 16612, () => 'only one date allowed in an $add expression');
    if (value instanceof Date) date = value;
    else total = sumOf(total, value);
  }
  return date ? makeDate(date.getTime() + Math.round(toDouble(total)), op) : total;
}

function multiply(args: unknown[]): unknown {
  let product: unknown = 1;
  for (const value of args) {
    if (isNullish(value)) return null;
    check(isNumeric(value), 'TypeMismatch', () => {
      return `$multiply only supports numeric types, not ${typeNameOf(value)}`;
    });
    product = calculated(
      product,
      value,
      (x, y) => x * y,
      (x, y) => x * y,
    );
  }
  return product;
}

function subtract(a: unknown, b: unknown, op: string): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (isNumeric(a) && isNumeric(b))
    return calculated(
      a,
      b,
      (x, y) => x - y,
      (x, y) => x - y,
    );
  check(a instanceof Date && (b instanceof Date || isNumeric(b)), 'TypeMismatch', () => {
    return `can't $subtract ${typeNameOf(b)} from ${typeNameOf(a)}`;
  });
  if (b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  return makeDate(a.getTime() - Number(truncateToLong(b) ?? NaN), op);
}

/** An operator of two numbers; null when one is null. */
function ofTwo(code: number | 'TypeMismatch', apply: (a: unknown, b: unknown) => unknown): Build {
  return binary((a, b, op) => {
    if (isNullish(a) || isNullish(b)) return null;
    check(isNumeric(a) && isNumeric(b), code, () => {
      return `${op} only supports numeric types, not ${typeNameOf(a)} and ${typeNameOf(b)}`;
    });
    arithmeticType(typeOf(a), typeOf(b));
    return apply(a, b);
  });
}

function divide(a: unknown, b: unknown): unknown {
  check(toDouble(b) !== 0, 'BadValue', () => "can't $divide by zero");
  return makeDouble(toDouble(a) / toDouble(b));
}

function remainder(a: unknown, b: unknown): unknown {
  check(toDouble(b) !== 0, 16610, () => "can't $mod by zero");
  const whole = exactLong(b);
  if (typeOf(a) === T.double || whole === undefined) return makeDouble(toDouble(a) % toDouble(b));
  return makeInteger(toBigInt(a) % whole, typeOf(a) === T.long || typeOf(b) === T.long ? T.long : T.int);
}

/** An operator of one number; null for null. Whole numbers are given to `integer`, doubles to `double`. */
function ofOne(integer: (n: bigint, type: number) => unknown, double: (x: number) => number): Build {
  return unary((value, op) => {
    if (isNullish(value)) return null;
    check(isNumeric(value), 28765, () => `${op} only supports numeric types, not ${typeNameOf(value)}`);
    const type = arithmeticType(typeOf(value), T.int);
    return type === T.double ? makeDouble(double(toDouble(value))) : integer(toBigInt(value), type);
  });
}

function absolute(n: bigint, type: number): unknown {
  check(fitsLong(-n), 28680, () => "can't take $abs of long long min");
  return makeInteger(n < 0n ? -n : n, type);
}

/** Half to even, as IEEE 754 rounds. */
function roundHalfEven(x: number): number {
  const down = Math.floor(x);
  const rest = x - down;
  if (rest === 0.5) return down % 2 === 0 ? down : down + 1;
  return rest < 0.5 ? down : down + 1;
}

/** `$round` and `$trunc` to whole numbers; other places would need decimal arithmetic. */
function rounding(double: (x: number) => number): Build {
  return several(1, 2, (args, _c, op) => {
    const [value, places] = args.length === 1 ? [args[0], 0] : args;
    if (isNullish(value) || isNullish(places)) return null;
    check(isNumeric(value), 51081, () => `${op} only supports numeric types, not ${typeNameOf(value)}`);
    if (exactLong(places) !== 0n) throw unsupported(`${op} to other places than 0`);
    const type = arithmeticType(typeOf(value), T.int);
    return type === T.double ? makeDouble(double(toDouble(value))) : value;
  });
}

const same = (n: bigint, type: number): unknown => makeInteger(n, type);
const signed =
  (round: (x: number) => number) =>
  (x: number): number =>
    x < 0 ? -round(-x) : round(x);

/** Arithmetic and rounding with MongoDB's number types, decimals left out. */
export const numberOperators: Record<string, Build> = {
  $add: several(0, Infinity, (args, _c, op) => add(args, op)),
  $multiply: several(0, Infinity, multiply),
  $subtract: binary(subtract),
  $divide: ofTwo('TypeMismatch', divide),
  $mod: ofTwo(16611, remainder),
  $abs: ofOne(absolute, Math.abs),
  $ceil: ofOne(same, Math.ceil),
  $floor: ofOne(same, Math.floor),
  $round: rounding(signed(roundHalfEven)),
  $trunc: rounding(Math.trunc),
};

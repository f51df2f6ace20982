import { EngineError, unsupported } from '../../errors.ts';
import {
  fitsLong,
  makeDouble,
  makeInteger,
  toBigInt,
  toDecimal,
  toDouble,
  widerType,
} from '../../values/arithmetic.ts';
import {
  addDecimals,
  divideDecimals,
  multiplyDecimals,
  negateDecimal,
  remainderDecimals,
} from '../../values/decimal-arithmetic.ts';
import {
  decimalFromBigInt,
  decimalFromDouble,
  decimalToBigInt,
  packDecimal,
  type Decimal,
} from '../../values/decimal.ts';
import { exactLong, truncateToLong } from '../../values/integers.ts';
import { Long, T, isNumeric, typeOf } from '../../values/types.ts';
import { binary, check, compileOperands, isNullish, nameOf, operators, type Build } from './types.ts';

/** A running sum: exact in int64 until a double or an overflow makes it a double, or a decimal makes it a decimal. */
class Sum {
  private type: number = T.int;
  private whole = 0n;
  private double = 0;
  private decimal: Decimal = decimalFromBigInt(0n);
  private dated = false;

  add(value: unknown): void {
    if (value instanceof Date) {
      check(!this.dated, 16612, () => 'only one date allowed in an $add expression');
      this.dated = true;
      this.addNumber(Long.fromNumber(value.getTime()), this.type);
    } else {
      this.addNumber(value, widerType(this.type, typeOf(value)));
    }
  }

  private addNumber(value: unknown, type: number): void {
    if (type !== this.type) this.widen(type);
    if (this.type === T.decimal) {
      this.decimal = addDecimals(this.decimal, toDecimal(value));
    } else if (this.type === T.double) {
      this.double += toDouble(value);
    } else {
      const sum = this.whole + toBigInt(value);
      if (fitsLong(sum)) this.whole = sum;
      else {
        this.double = Number(this.whole) + toDouble(value);
        this.type = T.double;
      }
    }
  }

  private widen(type: number): void {
    if (type === T.double) this.double = Number(this.whole);
    if (type === T.decimal) {
      this.decimal = this.type === T.double ? decimalFromDouble(this.double) : decimalFromBigInt(this.whole);
    }
    this.type = type;
  }

  private date(): Date {
    let millis: number;
    if (this.type === T.decimal) {
      const d = this.decimal;
      millis = d.kind === 'finite' ? Number(decimalToBigInt(d)) : NaN;
    } else millis = this.type === T.double ? Math.round(this.double) : Number(this.whole);
    return makeDate(millis, '$add');
  }

  get result(): unknown {
    if (this.dated) return this.date();
    if (this.type === T.decimal) return packDecimal(this.decimal);
    return this.type === T.double ? makeDouble(this.double) : makeInteger(this.whole, this.type);
  }
}

/** A date from milliseconds, refused outside of what a date can hold here. */
export function makeDate(millis: number, op: string): Date {
  if (Number.isNaN(millis) || Math.abs(millis) > 8.64e15)
    throw new EngineError('Overflow', `date overflow in ${op}`);
  return new Date(millis);
}

/** `$add`: one operand after the other, so that null before a wrong type is null. */
const add: Build = (spec, c, op) => {
  const operands = compileOperands(op, spec, c, 0, Infinity);
  return (scope) => {
    const sum = new Sum();
    for (const operand of operands) {
      const value = operand(scope);
      if (isNullish(value)) return null;
      check(
        isNumeric(value) || value instanceof Date,
        'TypeMismatch',
        () => `$add only supports numeric or date types, not ${nameOf(value)}`,
      );
      sum.add(value);
    }
    return sum.result;
  };
};

function product(a: unknown, b: unknown): unknown {
  const type = widerType(typeOf(a), typeOf(b));
  if (type === T.decimal) return packDecimal(multiplyDecimals(toDecimal(a), toDecimal(b)));
  if (type === T.double) return makeDouble(toDouble(a) * toDouble(b));
  const exact = toBigInt(a) * toBigInt(b);
  return fitsLong(exact) ? makeInteger(exact, type) : makeDouble(toDouble(a) * toDouble(b));
}

const multiply: Build = (spec, c, op) => {
  const operands = compileOperands(op, spec, c, 0, Infinity);
  return (scope) => {
    let result: unknown = 1;
    for (const operand of operands) {
      const value = operand(scope);
      if (isNullish(value)) return null;
      check(
        isNumeric(value),
        'TypeMismatch',
        () => `$multiply only supports numeric types, not ${nameOf(value)}`,
      );
      result = product(result, value);
    }
    return result;
  };
};

function subtractNumbers(a: unknown, b: unknown): unknown {
  const type = widerType(typeOf(a), typeOf(b));
  if (type === T.decimal) return packDecimal(addDecimals(toDecimal(a), negateDecimal(toDecimal(b))));
  if (type === T.double) return makeDouble(toDouble(a) - toDouble(b));
  const exact = toBigInt(a) - toBigInt(b);
  return fitsLong(exact) ? makeInteger(exact, type) : makeDouble(toDouble(a) - toDouble(b));
}

function subtract(a: unknown, b: unknown): unknown {
  if (isNumeric(a) && isNumeric(b)) return subtractNumbers(a, b);
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date) {
    if (b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
    check(isNumeric(b), 'TypeMismatch', () => `can't $subtract ${nameOf(b)} from Date`);
    return makeDate(a.getTime() - Number(truncateToLong(b) ?? NaN), '$subtract');
  }
  throw new EngineError('TypeMismatch', `can't $subtract ${nameOf(b)} from ${nameOf(a)}`);
}

function isZero(d: Decimal): boolean {
  return d.kind === 'finite' && d.coeff === 0n;
}

function divide(a: unknown, b: unknown): unknown {
  if (isNumeric(a) && isNumeric(b)) {
    if (typeOf(a) === T.decimal || typeOf(b) === T.decimal) {
      check(!isZero(toDecimal(b)), 'BadValue', () => "can't $divide by zero");
      return packDecimal(divideDecimals(toDecimal(a), toDecimal(b)));
    }
    check(toDouble(b) !== 0, 'BadValue', () => "can't $divide by zero");
    return makeDouble(toDouble(a) / toDouble(b));
  }
  if (isNullish(a) || isNullish(b)) return null;
  throw new EngineError(
    'TypeMismatch',
    `$divide only supports numeric types, not ${nameOf(a)} and ${nameOf(b)}`,
  );
}

function remainder(a: unknown, b: unknown): unknown {
  const typeA = typeOf(a);
  const typeB = typeOf(b);
  if (typeA === T.decimal || typeB === T.decimal) {
    check(!isZero(toDecimal(b)), 5733415, () => "can't $mod by zero");
    return packDecimal(remainderDecimals(toDecimal(a), toDecimal(b)));
  }
  check(toDouble(b) !== 0, 16610, () => "can't $mod by zero");
  const whole = exactLong(b);
  if (typeA === T.double || whole === undefined) return makeDouble(toDouble(a) % toDouble(b));
  return makeInteger(toBigInt(a) % whole, typeA === T.long || typeB === T.long ? T.long : T.int);
}

function mod(a: unknown, b: unknown): unknown {
  if (isNumeric(a) && isNumeric(b)) return remainder(a, b);
  if (isNullish(a) || isNullish(b)) return null;
  throw new EngineError(16611, `$mod only supports numeric types, not ${nameOf(a)} and ${nameOf(b)}`);
}

function integerPower(a: unknown, b: unknown): unknown {
  const base = toBigInt(a);
  const exponent = toBigInt(b);
  const type = typeOf(a) === T.long || typeOf(b) === T.long ? T.long : T.int;
  if (base === 1n || (base === 0n && exponent >= 0n))
    return makeInteger(base === 0n && exponent === 0n ? 1n : base, type);
  if (base === -1n) return makeInteger(exponent % 2n === 0n ? 1n : -1n, type);
  if (exponent >= 0n && exponent <= 63n) {
    const exact = base ** exponent;
    if (fitsLong(exact)) return makeInteger(exact, type);
  }
  return makeDouble(Math.pow(Number(base), Number(exponent)));
}

function power(a: unknown, b: unknown): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  check(isNumeric(a), 28762, () => `$pow's base must be numeric, not ${nameOf(a)}`);
  check(isNumeric(b), 28763, () => `$pow's exponent must be numeric, not ${nameOf(b)}`);
  if (typeOf(a) === T.decimal || typeOf(b) === T.decimal) {
    throw unsupported('$pow for decimals');
  }
  check(
    !(toDouble(a) === 0 && toDouble(b) < 0),
    28764,
    () => '$pow cannot take a base of 0 and a negative exponent',
  );
  if (typeOf(a) === T.double || typeOf(b) === T.double) return makeDouble(Math.pow(toDouble(a), toDouble(b)));
  return integerPower(a, b);
}

/** Arithmetic with MongoDB's number types. */
export const arithmeticOperators = operators({
  $add: add,
  $multiply: multiply,
  $subtract: binary(subtract),
  $divide: binary(divide),
  $mod: binary(mod),
  $pow: binary(power),
});

import { EngineError } from '../../errors.ts';
import { exactLong, truncateToLong } from '../../values/integers.ts';
import { showValue } from '../../values/show.ts';
import { T, isNumeric, typeOf } from '../../values/types.ts';
import type { ValueTest } from './walk.ts';

const NUMBER_TYPES: readonly number[] = [T.double, T.int, T.long, T.decimal];
const CODES_BY_NAME = new Map<string, number>(Object.entries(T).filter(([name]) => name !== 'missing'));
const KNOWN_CODES = new Set<number>(CODES_BY_NAME.values());

function typesOf(spec: unknown): readonly number[] {
  if (typeof spec === 'string') {
    if (spec === 'number') return NUMBER_TYPES;
    const code = CODES_BY_NAME.get(spec);
    if (code === undefined) throw new EngineError('BadValue', `Unknown type name alias: ${spec}`);
    return [code];
  }
  if (!isNumeric(spec))
    throw new EngineError('TypeMismatch', 'type must be represented as a number or a string');
  const code = exactLong(spec);
  if (code === undefined || !KNOWN_CODES.has(Number(code))) {
    throw new EngineError('BadValue', `Invalid numerical type code: ${showValue(spec)}`);
  }
  return [Number(code)];
}

/** `$type`: a number, a name, `number`, or a list of them. */
export function typeTest(spec: unknown): ValueTest {
  if (Array.isArray(spec) && spec.length === 0) {
    throw new EngineError('FailedToParse', '$type must match at least one type');
  }
  const wanted = new Set((Array.isArray(spec) ? spec : [spec]).flatMap(typesOf));
  return (value) => wanted.has(typeOf(value));
}

/** `$size`: the length of an array. */
export function sizeTest(spec: unknown): ValueTest {
  const size = exactLong(spec);
  if (!isNumeric(spec)) {
    throw new EngineError(
      'BadValue',
      `Failed to parse $size. Expected a number in: $size: ${showValue(spec)}`,
    );
  }
  if (size === undefined) {
    throw new EngineError(
      'BadValue',
      `Failed to parse $size. Expected an integer: $size: ${showValue(spec)}`,
    );
  }
  if (size < 0n) {
    throw new EngineError(
      'BadValue',
      `Failed to parse $size. Expected a non-negative number in: $size: ${showValue(spec)}`,
    );
  }
  return (value) => Array.isArray(value) && value.length === Number(size);
}

function modOperand(value: unknown, name: string): bigint {
  if (!isNumeric(value)) throw new EngineError('BadValue', `malformed mod, ${name} not a number`);
  const whole = truncateToLong(value);
  if (whole === undefined) {
    throw new EngineError(
      'BadValue',
      `malformed mod, ${name} value is invalid :: caused by :: Out of bounds`,
    );
  }
  return whole;
}

/** `$mod`: `[divisor, remainder]`, fractions cut off on both sides. */
export function modTest(spec: unknown): ValueTest {
  if (!Array.isArray(spec)) throw new EngineError('BadValue', 'malformed mod, needs to be an array');
  if (spec.length < 2) throw new EngineError('BadValue', 'malformed mod, not enough elements');
  if (spec.length > 2) throw new EngineError('BadValue', 'malformed mod, too many elements');
  const divisor = modOperand(spec[0], 'divisor');
  const remainder = modOperand(spec[1], 'remainder');
  if (divisor === 0n) throw new EngineError('BadValue', 'divisor cannot be 0');
  return (value) => {
    if (!isNumeric(value)) return false;
    const whole = truncateToLong(value);
    return whole !== undefined && whole % divisor === remainder;
  };
}

/** `$exists`: any value, also null and the deprecated undefined. */
export const existsTest: ValueTest = (value) => value !== undefined;

import { EngineError } from '../errors.ts';
import { exactLong, bareNumber, isNaNValue } from '../values/numbers.ts';
import { showValue } from '../values/show.ts';
import { T, isNumeric, typeOf, typeRank, ObjectId } from '../values/types.ts';
import { compareValues } from './compare.ts';

/** `$size`: the length of an array. */
export function sizeTest(spec: unknown): ValueTest {
  const size = exactLong(spec);
  const refuse = (typeName: string) =>
    new EngineError('BadValue', `Failed to parse $size. Expected ${typeName} in: $size: ${showValue(spec)}`);
  if (!isNumeric(spec)) throw refuse('a number');
  if (size === undefined) throw refuse('an integer');
  if (size < 0n) throw refuse('a non-negative number');
  return (value) => Array.isArray(value) && value.length === Number(size);
}

/** `$exists`: any value, including null and the deprecated undefined. */
export const existsTest: ValueTest = (value) => value !== undefined;

/** A predicate over one value. */
export type ValueTest = (value: unknown) => boolean;

/** The comparison operators of the query language. */
export type Comparison = '$eq' | '$gt' | '$gte' | '$lt' | '$lte';

function holds(op: Comparison, order: number): boolean {
  switch (op) {
    case '$eq':
      return order === 0;
    case '$gt':
      return order > 0;
    case '$gte':
      return order >= 0;
    case '$lt':
      return order < 0;
    case '$lte':
      return order <= 0;
  }
}

/** MinKey and MaxKey compare with every type, null with a missing field, other types only with their own. */
function acrossTypes(op: Comparison, rank: number, rhsRank: number, rhsType: number): boolean {
  if (rank + rhsRank === 5) return op === '$eq' || op === '$lte' || op === '$gte';
  if (rhsType === T.maxKey) return op === '$lt' || op === '$lte';
  return rhsType === T.minKey && (op === '$gt' || op === '$gte');
}

function generalTest(op: Comparison, rhs: unknown): ValueTest {
  const rhsType = typeOf(rhs);
  const rhsRank = typeRank(rhsType);
  const rhsNaN = isNaNValue(rhs);
  return (value) => {
    const rank = typeRank(typeOf(value));
    if (rank !== rhsRank) return acrossTypes(op, rank, rhsRank, rhsType);
    if (op !== '$eq' && (rhsNaN || isNaNValue(value))) {
      return rhsNaN && isNaNValue(value) && (op === '$gte' || op === '$lte');
    }
    return holds(op, compareValues(value, rhs));
  };
}

function numberTest(op: Comparison, rhs: number): ValueTest {
  const general = generalTest(op, rhs);
  switch (op) {
    case '$eq':
      return (v) => (typeof v === 'number' ? v === rhs : typeof v === 'object' && general(v));
    case '$gt':
      return (v) => (typeof v === 'number' ? v > rhs : typeof v === 'object' && general(v));
    case '$gte':
      return (v) => (typeof v === 'number' ? v >= rhs : typeof v === 'object' && general(v));
    case '$lt':
      return (v) => (typeof v === 'number' ? v < rhs : typeof v === 'object' && general(v));
    case '$lte':
      return (v) => (typeof v === 'number' ? v <= rhs : typeof v === 'object' && general(v));
  }
}

function dateTest(op: Comparison, rhs: Date): ValueTest {
  const time = rhs.getTime();
  return (v) => v instanceof Date && holds(op, Math.sign(v.getTime() - time));
}

function equalTest(rhs: unknown): ValueTest {
  if (typeof rhs === 'string') return (v) => v === rhs;
  if (rhs instanceof ObjectId) return (v) => v instanceof ObjectId && v.equals(rhs);
  if (typeof rhs === 'boolean') return (v) => v === rhs;
  return generalTest('$eq', rhs);
}

/** The test of one comparison operator against a fixed value. */
export function comparisonTest(op: Comparison, rhs: unknown): ValueTest {
  const plain = isNumeric(rhs) ? bareNumber(rhs) : undefined;
  if (typeof plain === 'number' && !Number.isNaN(plain)) return numberTest(op, plain);
  if (rhs instanceof Date) return dateTest(op, rhs);
  return op === '$eq' ? equalTest(rhs) : generalTest(op, rhs);
}

interface Members {
  strings: Set<string>;
  numbers: Set<number | bigint>;
  ids: Set<string>;
  others: unknown[];
  hasNull: boolean;
}

function sortOut(values: readonly unknown[]): Members {
  const m: Members = { strings: new Set(), numbers: new Set(), ids: new Set(), others: [], hasNull: false };
  for (const value of values) {
    const plain = isNumeric(value) ? bareNumber(value) : undefined;
    if (value === null) m.hasNull = true;
    else if (typeof value === 'string') m.strings.add(value);
    else if (plain !== undefined) m.numbers.add(plain);
    else if (value instanceof ObjectId) m.ids.add(value.toHexString());
    else m.others.push(value);
  }
  return m;
}

/** The test of membership in a list; strings, numbers and ObjectIds are hashed. Null also matches missing values. */
export function memberTest(values: readonly unknown[]): ValueTest {
  const m = sortOut(values);
  const others = m.others.map((other) => comparisonTest('$eq', other));
  return (value) => {
    if (typeof value === 'string' && m.strings.has(value)) return true;
    if (typeof value === 'number' && m.numbers.has(value)) return true;
    if (value === null || value === undefined) return m.hasNull;
    if (value instanceof ObjectId && m.ids.has(value.toHexString())) return true;
    if (typeof value === 'object' && isNumeric(value) && m.numbers.has(bareNumber(value))) return true;
    return others.some((test) => test(value));
  };
}

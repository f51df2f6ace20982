import type { Bound } from '../../query/index.ts';
import { isNaNValue } from '../../values/numbers.ts';
import { T, isNumeric, typeOf } from '../../values/types.ts';
import { prefixEnd } from '../keys/layout.ts';
import { typeByte, writeField } from '../../values/key.ts';
import { KeyWriter } from '../../values/key-writer.ts';

/** An interval of encoded values of one field: from `lo` (inclusive) to `hi` (exclusive). */
export interface Interval {
  lo: Buffer;
  hi: Buffer;
}

/** The bounds of an index field. Points are single values, in the order of the index. */
export interface FieldBounds {
  kind: 'points' | 'range';
  intervals: Interval[];
  /** True when the entries inside are exactly those that the filter accepts. */
  exact: boolean;
}

const writer = new KeyWriter();

function encoded(value: unknown, direction: 1 | -1): Buffer {
  writer.reset();
  writeField(writer, value, direction);
  return writer.take();
}

function pointIntervals(points: unknown[], direction: 1 | -1): FieldBounds {
  const byKey = new Map<string, Buffer>();
  for (const point of points) {
    const key = encoded(point, direction);
    byKey.set(key.toString('latin1'), key);
  }
  const keys = [...byKey.values()].sort(Buffer.compare);
  return { kind: 'points', intervals: keys.map((lo) => ({ lo, hi: prefixEnd(lo) as Buffer })), exact: true };
}

/** The interval of all values of a value's type, or everything for MinKey and MaxKey. */
function bracket(value: unknown, direction: 1 | -1): Interval | null {
  const type = typeOf(value);
  if (type === T.minKey || type === T.maxKey) return null;
  const byte = direction === 1 ? typeByte(value) : typeByte(value) ^ 0xff;
  return { lo: Buffer.from([byte]), hi: Buffer.from([byte + 1]) };
}

/** Where a range begins and ends, in the direction of the index. */
function edges(bound: Bound, direction: 1 | -1): { from: Edge; to: Edge } {
  const min: Edge = { value: bound.min, inclusive: bound.minInclusive === true };
  const max: Edge = { value: bound.max, inclusive: bound.maxInclusive === true };
  return direction === 1 ? { from: min, to: max } : { from: max, to: min };
}

interface Edge {
  value: unknown;
  inclusive: boolean;
}

/** NaN sorts below all other numbers, but no range of numbers contains it. */
function withoutNaN(bound: Bound): Bound {
  const bounded = bound.max !== undefined && bound.min === undefined && isNumeric(bound.max);
  return bounded ? { ...bound, min: -Infinity, minInclusive: true } : bound;
}

function rangeInterval(bound: Bound, direction: 1 | -1): FieldBounds | null {
  const sample: unknown = bound.min ?? bound.max;
  const whole = bracket(sample, direction);
  if (!whole) return null;
  if (isNaNValue(bound.min) || isNaNValue(bound.max))
    return { kind: 'range', intervals: [whole], exact: false };
  // A value cannot satisfy limits of two types.
  if (bound.min !== undefined && bound.max !== undefined && typeByte(bound.min) !== typeByte(bound.max))
    return { kind: 'range', intervals: [], exact: false };
  const { from, to } = edges(withoutNaN(bound), direction);
  const lo = from.value === undefined ? whole.lo : startOf(from, direction);
  const hi = to.value === undefined ? whole.hi : endOf(to, direction);
  const intervals = Buffer.compare(lo, hi) < 0 ? [{ lo, hi }] : [];
  return { kind: 'range', intervals, exact: bound.exact };
}

function startOf({ value, inclusive }: Edge, direction: 1 | -1): Buffer {
  const key = encoded(value, direction);
  return inclusive ? key : (prefixEnd(key) as Buffer);
}

function endOf({ value, inclusive }: Edge, direction: 1 | -1): Buffer {
  const key = encoded(value, direction);
  return inclusive ? (prefixEnd(key) as Buffer) : key;
}

/**
 * Converts a filter's bound on one path into intervals of an index field with this direction; null when the index cannot
 * help.
 */
export function boundsForField(direction: 1 | -1, bound: Bound | undefined): FieldBounds | null {
  if (!bound) return null;
  if (bound.points) return { ...pointIntervals(bound.points, direction), exact: bound.exact };
  return bound.min === undefined && bound.max === undefined ? null : rangeInterval(bound, direction);
}

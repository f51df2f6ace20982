import type { Bound } from '../../query/index.ts';
import { BsonUndefined, T, isNumeric, typeOf } from '../../values/types.ts';
import type { StoredIndex } from '../catalog/record.ts';
import { prefixEnd } from '../keys/layout.ts';
import { typeByte, writeField } from '../keys/value.ts';
import { KeyWriter } from '../keys/writer.ts';

/** A stretch of encodings of one field: from `lo` up to, not including, `hi`. */
export interface Interval {
  lo: Buffer;
  hi: Buffer;
}

/** What an index field is narrowed to. Points are single values, in the order of the index. */
export interface FieldBounds {
  kind: 'points' | 'range';
  intervals: Interval[];
  /** True when the entries inside are exactly those that the filter accepts. */
  exact: boolean;
  /** What the intervals were made from, for `explain`. */
  source: Bound;
}

type Narrowed = Omit<FieldBounds, 'source'>;

const writer = new KeyWriter();

function encoded(value: unknown, direction: 1 | -1): Buffer {
  writer.reset();
  writeField(writer, value, direction);
  return writer.take();
}

function isNullish(value: unknown): boolean {
  const type = typeOf(value);
  return type === T.null || type === T.missing || type === T.undefined;
}

function isNaNValue(value: unknown): boolean {
  return isNumeric(value) && Number.isNaN(Number(value));
}

/** The values an index must be asked for, so that every document equal to `point` is among the answers. */
function pointValues(point: unknown): { values: unknown[]; exact: boolean } {
  if (isNullish(point)) return { values: [BsonUndefined.instance, null], exact: false };
  if (Array.isArray(point)) {
    const first: unknown = point.length === 0 ? BsonUndefined.instance : point[0];
    return { values: [point, first === undefined ? null : first], exact: false };
  }
  return { values: [point], exact: true };
}

function pointIntervals(points: unknown[], index: StoredIndex, field: number): Narrowed {
  const { direction } = index.fields[field] as { direction: 1 | -1 };
  const byKey = new Map<string, Buffer>();
  let exact = true;
  for (const point of points) {
    const asked = pointValues(point);
    exact &&= asked.exact;
    for (const value of asked.values) {
      const key = encoded(value, direction);
      byKey.set(key.toString('latin1'), key);
    }
  }
  const keys = [...byKey.values()].sort(Buffer.compare);
  const intervals = keys.map((lo) => ({ lo, hi: prefixEnd(lo) as Buffer }));
  return { kind: 'points', intervals, exact };
}

/** The whole type bracket of a value, or everything for MinKey and MaxKey. */
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

/** NaN is a number below all others, but no range of numbers holds it. */
function withoutNaN(bound: Bound): Bound {
  const bounded = bound.max !== undefined && bound.min === undefined && isNumeric(bound.max);
  return bounded ? { ...bound, min: -Infinity, minInclusive: true } : bound;
}

function rangeInterval(bound: Bound, index: StoredIndex, field: number): Narrowed | null {
  const { direction } = index.fields[field] as { direction: 1 | -1 };
  const sample: unknown = bound.min ?? bound.max;
  if (isNullish(sample)) return pointIntervals([null], index, field);
  const whole = bracket(sample, direction);
  if (!whole) return null;
  if (isNaNValue(bound.min) || isNaNValue(bound.max))
    return { kind: 'range', intervals: [whole], exact: false };
  // Limits of two types cannot both hold for one value.
  if (bound.min !== undefined && bound.max !== undefined && typeByte(bound.min) !== typeByte(bound.max))
    return { kind: 'range', intervals: [], exact: false };
  const { from, to } = edges(withoutNaN(bound), direction);
  const lo = from.value === undefined ? whole.lo : startOf(from, index, field);
  const hi = to.value === undefined ? whole.hi : endOf(to, index, field);
  const intervals = Buffer.compare(lo, hi) < 0 ? [{ lo, hi }] : [];
  return { kind: 'range', intervals, exact: bound.exact };
}

function startOf(edge: Edge, index: StoredIndex, field: number): Buffer {
  const key = encoded(edge.value, (index.fields[field] as { direction: 1 | -1 }).direction);
  return edge.inclusive ? key : (prefixEnd(key) as Buffer);
}

function endOf(edge: Edge, index: StoredIndex, field: number): Buffer {
  const key = encoded(edge.value, (index.fields[field] as { direction: 1 | -1 }).direction);
  return edge.inclusive ? (prefixEnd(key) as Buffer) : key;
}

/** One side of a range says something true of a single array element; both sides may mean two different ones. */
function oneSided(bound: Bound): Bound {
  if (bound.min === undefined || bound.max === undefined || bound.sameElement) return bound;
  const { max: _max, maxInclusive: _inclusive, ...rest } = bound;
  return { ...rest, exact: false };
}

/**
 * Turns what a filter says about one path into stretches of index field number `field`; null when the index cannot help.
 */
export function boundsForField(
  index: StoredIndex,
  field: number,
  bound: Bound | undefined,
): FieldBounds | null {
  if (!bound) return null;
  const multikey = index.multikeyPaths[field] === true;
  const values = bound.points ?? [bound.min, bound.max];
  if (values.some((value) => typeOf(value) === T.regex)) return null;
  if (bound.points) {
    const found = pointIntervals(bound.points, index, field);
    return { ...found, exact: found.exact && bound.exact && !multikey, source: bound };
  }
  if (values.some(Array.isArray) || values.every((value) => value === undefined)) return null;
  const source = multikey ? oneSided(bound) : bound;
  const found = rangeInterval(source, index, field);
  return found && { ...found, exact: found.exact && !multikey, source };
}

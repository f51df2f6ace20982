import { isNaNValue } from '../values/numbers.ts';
import { T, isDocument, typeOf, typeRank, type Document } from '../values/types.ts';
import { compareValues } from './compare.ts';
import { isOperatorDocument, isRegex } from './filter.ts';

/**
 * A condition that a filter requires of the values of one path: equal to one of `points` (null also means missing),
 * or within a range. A range only contains values of the bounds' own type, as in all comparisons.
 */
export interface Bound {
  points?: unknown[];
  min?: unknown;
  max?: unknown;
  minInclusive?: boolean;
  maxInclusive?: boolean;
  /**
   * True if the filter has no other condition on the path. A bound with neither points nor limits means a
   * condition that no index can answer, so that the documents must be read.
   */
  exact: boolean;
}

type Bounds = Map<string, Bound>;

/** Values that cannot be looked up as single index entries, or that compare across types. */
function isUnsuited(value: unknown): boolean {
  const type = typeOf(value);
  return type === T.array || type === T.missing || type === T.minKey || type === T.maxKey || isRegex(value);
}

function pointsBound(values: readonly unknown[], path: string): Bound | undefined {
  if (values.some(isUnsuited)) return undefined;
  return { points: [...values], exact: !values.includes(null) || !path.includes('.') };
}

function rangeBound(op: string, value: unknown, path: string): Bound | undefined {
  if (isUnsuited(value)) return undefined;
  const inclusive = op === '$gte' || op === '$lte';
  if (value === null || isNaNValue(value)) return inclusive ? pointsBound([value], path) : undefined;
  return op === '$gt' || op === '$gte'
    ? { min: value, minInclusive: inclusive, exact: true }
    : { max: value, maxInclusive: inclusive, exact: true };
}

function sameRank(a: unknown, b: unknown): boolean {
  return typeRank(typeOf(a)) === typeRank(typeOf(b));
}

/** The narrower of two lower limits, if both can apply to one value. */
function tighterMin(a: Bound, b: Bound): Bound {
  if (a.min === undefined || !sameRank(a.min, b.min)) return b;
  const order = compareValues(a.min, b.min);
  return order > 0 || (order === 0 && a.minInclusive === false) ? a : b;
}

function tighterMax(a: Bound, b: Bound): Bound {
  if (a.max === undefined || !sameRank(a.max, b.max)) return b;
  const order = compareValues(a.max, b.max);
  return order < 0 || (order === 0 && a.maxInclusive === false) ? a : b;
}

function mergeRanges(a: Bound, b: Bound): Bound {
  const merged: Bound = {
    exact:
      a.exact &&
      b.exact &&
      !(a.min !== undefined && b.min !== undefined) &&
      !(a.max !== undefined && b.max !== undefined),
  };
  const min = b.min === undefined ? a : tighterMin(a, b);
  const max = b.max === undefined ? a : tighterMax(a, b);
  if (min.min !== undefined) Object.assign(merged, { min: min.min, minInclusive: min.minInclusive });
  if (max.max !== undefined) Object.assign(merged, { max: max.max, maxInclusive: max.maxInclusive });
  return merged;
}

const saysNothing = (bound: Bound): boolean =>
  bound.points === undefined && bound.min === undefined && bound.max === undefined;

/** Of two conditions that must both hold, the one to search by. */
function merge(a: Bound, b: Bound): Bound {
  if (saysNothing(a)) return { ...b, exact: false };
  if (saysNothing(b)) return { ...a, exact: false };
  if (!a.points && !b.points) return mergeRanges(a, b);
  const better = a.points && (!b.points || a.points.length <= b.points.length) ? a : b;
  return { ...better, exact: false };
}

function note(bounds: Bounds, path: string, bound: Bound = { exact: false }): void {
  const known = bounds.get(path);
  bounds.set(path, known ? merge(known, bound) : bound);
}

function collectOperators(bounds: Bounds, path: string, operators: Document): void {
  let complete = true;
  for (const op of Object.keys(operators)) {
    const value = operators[op];
    switch (op) {
      case '$eq':
        note(bounds, path, pointsBound([value], path));
        break;
      case '$in':
        if (Array.isArray(value)) note(bounds, path, pointsBound(value, path));
        break;
      case '$gt':
      case '$gte':
      case '$lt':
      case '$lte':
        note(bounds, path, rangeBound(op, value, path));
        break;
      case '$comment':
        break;
      default:
        complete = false;
    }
  }
  if (!complete) note(bounds, path);
}

/**
 * The necessary conditions of a filter, by path: those that hold for every matching document, from the top level
 * and from `$and`. For the planner; the filter itself must still be applied.
 */
export function indexBounds(filter: Document): Map<string, Bound> {
  const bounds: Bounds = new Map();
  for (const key of Object.keys(filter)) {
    const value = filter[key];
    if (key === '$and' && Array.isArray(value)) {
      for (const part of value) {
        if (isDocument(part)) for (const [path, bound] of indexBounds(part)) note(bounds, path, bound);
      }
    } else if (key.startsWith('$')) continue;
    else if (isRegex(value)) note(bounds, key);
    else if (isOperatorDocument(value)) collectOperators(bounds, key, value);
    else note(bounds, key, pointsBound([value], key));
  }
  return bounds;
}

import type { Document } from '../../values/types.ts';
import { fieldsOf, type StoredIndex } from '../catalog/record.ts';
import type { FieldBounds } from './intervals.ts';

/** How an index gives the order asked for. */
export interface IndexOrder {
  reverse: boolean;
  /** Number of leading fields whose points are walked side by side and merged; 0 when one walk is in order. */
  mergeFields: number;
}

/** A field that has the same value in every entry looked at, so it does not matter to the order. */
function isConstant(bounds: (FieldBounds | null)[], field: number): boolean {
  const bound = bounds[field];
  return bound?.kind === 'points' && bound.intervals.length === 1;
}

function constantPaths(index: StoredIndex, bounds: (FieldBounds | null)[]): Set<string> {
  return new Set(index.fields.filter((_, i) => isConstant(bounds, i)).map((field) => field.path));
}

/** Tries to read the wanted order off the index fields from `start` on. */
function matchFrom(
  index: StoredIndex,
  bounds: (FieldBounds | null)[],
  wanted: { path: string; direction: 1 | -1 }[],
  start: number,
): boolean | null {
  let at = start;
  let reverse: boolean | null = null;
  for (const { path, direction } of wanted) {
    while (at < index.fields.length && isConstant(bounds, at) && index.fields[at]?.path !== path) at++;
    const field = index.fields[at];
    if (field?.path !== path) return null;
    const turned = field.direction !== direction;
    if (reverse !== null && turned !== reverse) return null;
    reverse = turned;
    at += 1;
  }
  return reverse ?? false;
}

/** The way an index gives the order `sort`, or null when it does not. */
export function orderOf(
  index: StoredIndex,
  bounds: (FieldBounds | null)[],
  sort: Document,
): IndexOrder | null {
  if (index.cut) return null;
  const constants = constantPaths(index, bounds);
  const wanted = fieldsOf(sort).filter((field) => !constants.has(field.path));
  const direct = matchFrom(index, bounds, wanted, 0);
  if (direct !== null) return { reverse: direct, mergeFields: 0 };
  for (let start = 1; start <= index.fields.length; start++) {
    if (bounds[start - 1]?.kind !== 'points') return null;
    const merged = matchFrom(index, bounds, wanted, start);
    if (merged !== null) return { reverse: merged, mergeFields: start };
  }
  return null;
}

import { indexPrefix, prefixEnd } from '../keys/layout.ts';
import type { StoredIndex } from '../catalog/record.ts';
import type { KeyRange } from '../kv.ts';
import type { FieldBounds } from './intervals.ts';

/** With more ranges than this, further fields are left to the filter. */
const MAX_RANGES = 10_000;

/** One range of an index; `mergeFrom` is the offset in its keys of the fields that a merge compares. */
export interface ScanRange extends KeyRange {
  mergeFrom: number;
}

/** The ranges of an index that contain every match, in key order. */
export interface IndexRanges {
  ranges: ScanRange[];
  /** How many leading fields narrow the scan. */
  used: number;
  /** How many of them are points. */
  points: number;
  /** True when every entry inside is a match. */
  exact: boolean;
}

interface Prefix {
  bytes: Buffer;
  /** Length after each field. */
  lengths: number[];
}

function extend(prefixes: Prefix[], bound: FieldBounds): Prefix[] {
  return prefixes.flatMap(({ bytes, lengths }) =>
    bound.intervals.map(({ lo }) => ({
      bytes: Buffer.concat([bytes, lo]),
      lengths: [...lengths, bytes.length + lo.length],
    })),
  );
}

function offsetAt(prefix: Prefix, fields: number, base: number): number {
  return fields === 0 ? base : (prefix.lengths[fields - 1] ?? base);
}

/** Builds the ranges: all combinations of the leading fields' points, then the range of the next field. */
export function rangesOf(
  index: StoredIndex,
  bounds: (FieldBounds | null)[],
  mergeFields: number,
): IndexRanges {
  const base = indexPrefix(index.indexId);
  let prefixes: Prefix[] = [{ bytes: base, lengths: [] }];
  let used = 0;
  let exact = true;
  let last: FieldBounds | null = null;
  for (const bound of bounds) {
    if (!bound || prefixes.length * bound.intervals.length > MAX_RANGES) break;
    exact &&= bound.exact;
    used += 1;
    if (bound.kind === 'range') {
      last = bound;
      break;
    }
    prefixes = extend(prefixes, bound);
  }
  const tails = last ? last.intervals : null;
  const ranges = prefixes.flatMap((prefix) => {
    const mergeFrom = offsetAt(prefix, mergeFields, base.length);
    const stretches = tails
      ? tails.map(({ lo, hi }) => ({
          start: Buffer.concat([prefix.bytes, lo]),
          end: Buffer.concat([prefix.bytes, hi]),
        }))
      : [{ start: prefix.bytes, end: prefixEnd(prefix.bytes) as Buffer }];
    return stretches.map((range) => ({ ...range, mergeFrom }));
  });
  return {
    ranges: ranges.sort((a, b) => Buffer.compare(a.start, b.start)),
    used,
    points: last ? used - 1 : used,
    exact,
  };
}

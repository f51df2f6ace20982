import { EngineError } from '../errors.ts';
import { bareNumber } from '../values/numbers.ts';
import { isIndex } from '../values/paths.ts';
import { getField, isDocument, isNumeric, type Document } from '../values/types.ts';
import { compareValues } from './compare.ts';

/** How array elements are sorted: whole (`paths` empty), or by fields of theirs. */
export interface SortPattern {
  whole: 1 | -1 | undefined;
  paths: { parts: string[]; direction: 1 | -1 }[];
}

interface Codes {
  document: number | 'BadValue';
  number: number | 'BadValue';
  other: number | 'BadValue';
}

function directionFrom(value: unknown): 1 | -1 | undefined {
  if (!isNumeric(value)) return undefined;
  const n = Number(bareNumber(value));
  return n === 1 || n === -1 ? n : undefined;
}

function fieldsFrom(spec: Document, code: Codes['document']): SortPattern['paths'] {
  const names = Object.keys(spec);
  if (names.length === 0)
    throw new EngineError(code, 'The $sort pattern is empty when it should be a set of fields.');
  return names.map((name) => {
    const direction = directionFrom(spec[name]);
    if (!direction) throw new EngineError(code, `The $sort element value must be either 1 or -1`);
    if (name === '') throw new EngineError(code, 'The $sort field cannot be empty');
    const parts = name.split('.');
    if (parts.includes(''))
      throw new EngineError(code, `The $sort field is a dotted field but has an empty part: ${name}`);
    return { parts, direction };
  });
}

/** The pattern of `$push`'s `$sort` and of `$sortArray`; `codes` are the errors of the three ways to be wrong. */
export function sortPattern(spec: unknown, codes: Codes): SortPattern {
  if (isDocument(spec)) return { whole: undefined, paths: fieldsFrom(spec, codes.document) };
  if (!isNumeric(spec)) {
    throw new EngineError(
      codes.other,
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields',
    );
  }
  const whole = directionFrom(spec);
  if (!whole) throw new EngineError(codes.number, 'The $sort element value must be either 1 or -1');
  return { whole, paths: [] };
}

function fieldOf(value: unknown, parts: readonly string[]): unknown {
  let current = value;
  for (const part of parts) {
    if (Array.isArray(current)) current = isIndex(part) ? current[Number(part)] : undefined;
    else current = isDocument(current) ? getField(current, part) : undefined;
  }
  return current ?? null;
}

/** Compares array elements under a pattern; a missing field counts as null. */
export function comparePatterns(pattern: SortPattern): (a: unknown, b: unknown) => number {
  if (pattern.whole) return (a, b) => (pattern.whole as number) * compareValues(a, b);
  return (a, b) => {
    for (const { parts, direction } of pattern.paths) {
      const order = compareValues(fieldOf(a, parts), fieldOf(b, parts));
      if (order !== 0) return direction * order;
    }
    return 0;
  };
}

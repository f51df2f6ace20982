import { isSliceOver, PAUSE } from '../../budget.ts';
import { Long, getField, isDocument, setField, typeNameOf, type Document } from '../../values/types.ts';
import { getDocumentPath } from '../../values/paths.ts';
import { fieldPathParts } from '../expression/paths.ts';
import { check } from '../expression/types.ts';
import type { BuildStage } from './types.ts';

interface UnwindOptions {
  parts: string[];
  indexParts: string[] | undefined;
  preserve: boolean;
}

function readOptions(spec: unknown): UnwindOptions {
  check(
    typeof spec === 'string' || isDocument(spec),
    15981,
    () => `expected either a string or an object as specification for $unwind stage, got ${typeNameOf(spec)}`,
  );
  const options: Document = isDocument(spec) ? spec : { path: spec };
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: preserve } = options;
  for (const key of Object.keys(options)) {
    check(
      key === 'path' || key === 'includeArrayIndex' || key === 'preserveNullAndEmptyArrays',
      28811,
      () => `unrecognized option to $unwind stage: ${key}`,
    );
  }
  check(path !== undefined, 28812, () => 'no path specified to $unwind stage');
  check(
    typeof path === 'string',
    28808,
    () => `expected a string as the path for $unwind stage, got ${typeNameOf(path)}`,
  );
  check(
    path.startsWith('$'),
    28818,
    () => `path option to $unwind stage should be prefixed with a '$': ${path}`,
  );
  check(
    preserve === undefined || typeof preserve === 'boolean',
    28809,
    () =>
      `expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got ${typeNameOf(preserve)}`,
  );
  check(
    index === undefined || (typeof index === 'string' && index !== ''),
    28810,
    () =>
      `expected a non-empty string for the includeArrayIndex  option to $unwind stage, got ${typeNameOf(index)}`,
  );
  check(
    typeof index !== 'string' || !index.startsWith('$'),
    28822,
    () => `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${String(index)}`,
  );
  return {
    parts: fieldPathParts(path.slice(1)),
    indexParts: typeof index === 'string' ? fieldPathParts(index) : undefined,
    preserve: preserve === true,
  };
}

/** A copy with a nested field set, or removed when the value is missing. */
export function withPath(doc: Document, parts: readonly string[], value: unknown): Document {
  const [name = '', ...rest] = parts;
  const copy = { ...doc };
  if (rest.length === 0) {
    if (value === undefined) delete copy[name];
    else setField(copy, name, value);
    return copy;
  }
  const inner = getField(doc, name);
  setField(copy, name, withPath(isDocument(inner) ? inner : {}, rest, value));
  return copy;
}

function withIndex(doc: Document, o: UnwindOptions, index: number | undefined): Document {
  return o.indexParts
    ? withPath(doc, o.indexParts, index === undefined ? null : Long.fromNumber(index))
    : doc;
}

/** `$unwind`: one document for each element of an array. */
export const unwindStage: BuildStage = (spec) => {
  const o = readOptions(spec);
  return function* (input) {
    for (const doc of input) {
      if (doc === PAUSE) {
        yield PAUSE;
        continue;
      }
      const value = getDocumentPath(doc, o.parts);
      if (Array.isArray(value) && value.length > 0) {
        for (let i = 0; i < value.length; i++) {
          yield withIndex(withPath(doc, o.parts, value[i]), o, i);
          if (isSliceOver()) yield PAUSE;
        }
      } else if (Array.isArray(value)) {
        if (o.preserve) yield withIndex(withPath(doc, o.parts, undefined), o, undefined);
      } else if (value !== undefined && value !== null) yield withIndex(doc, o, undefined);
      else if (o.preserve) yield withIndex(doc, o, undefined);
    }
  };
};

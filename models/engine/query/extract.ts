import { unsupported } from '../errors.ts';
import { getField, isDocument, type Document } from '../values/types.ts';

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** True for a part that can address an array element: digits without a leading zero. */
export function isIndex(part: string): boolean {
  return INDEX.test(part);
}

/** Reads a document's single value at a dotted path; `undefined` if missing. */
export type ReadValue = (doc: Document) => unknown;

/**
 * Reads a path's value where only a single one is allowed, such as in an index.
 * @param purpose what it is for, used in the error (115) when there is an array on the path or at its end
 */
export function singleValue(path: string, purpose: string): ReadValue {
  const parts = path.split('.');
  return (doc) => {
    let value: unknown = doc;
    for (const part of parts) {
      value = isDocument(value) ? getField(value, part) : undefined;
      if (Array.isArray(value)) throw unsupported(`an array in '${path}', ${purpose}`);
    }
    return value;
  };
}

/** All values at a path: from every document of an array on it, and from every element of an array at its end. */
export function* valuesUnder(node: unknown, parts: readonly string[]): Generator<unknown> {
  const [part, ...rest] = parts;
  if (part === undefined) {
    if (Array.isArray(node)) yield* node;
    else if (node !== undefined) yield node;
  } else if (isDocument(node)) yield* valuesUnder(getField(node, part), rest);
  else if (Array.isArray(node)) {
    if (isIndex(part)) yield* valuesUnder(node[Number(part)], rest);
    else for (const element of node) if (isDocument(element)) yield* valuesUnder(element, parts);
  }
}

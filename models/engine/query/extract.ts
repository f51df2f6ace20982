import { unsupported } from '../errors.ts';
import { getField, isDocument, type Document } from '../values/types.ts';

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** True for a part that can address an array element: digits without a leading zero. */
export function isIndex(part: string): boolean {
  return INDEX.test(part);
}

/** The one value that a document has under a dotted path; `undefined` when it has none. */
export type ReadValue = (doc: Document) => unknown;

/**
 * Reads the value of a path for what takes a single one, such as an index.
 * @param purpose what for, in words: it is refused (115) by that where an array lies on the path or at its end
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

/** All values under a path: of every document in an array on it, and of every element of an array at its end. */
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

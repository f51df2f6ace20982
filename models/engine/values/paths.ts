import { getField, isDocument, type Document } from './types.ts';

/** The parts of a dotted path. */
export function splitPath(path: string): string[] {
  return path.split('.');
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** True for a part that can address an array element: digits without a leading zero. */
export function isIndex(part: string): boolean {
  return INDEX.test(part);
}

/** Follows a path through documents only, not into arrays; `undefined` when it ends early. */
export function getDocumentPath(doc: Document, parts: readonly string[]): unknown {
  let value: unknown = doc;
  for (const part of parts) {
    if (!isDocument(value)) return undefined;
    value = getField(value, part);
  }
  return value;
}

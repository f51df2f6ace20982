import { isDocument, setField, type Document } from './types.ts';

/** A copy that shares no documents or arrays with the original; other BSON values are immutable and shared. */
export function cloneValue<T>(value: T): T {
  if (Array.isArray(value)) return value.map(cloneValue) as T;
  return isDocument(value) ? (cloneDocument(value) as T) : value;
}

/** A deep copy of a document, see {@link cloneValue}. */
export function cloneDocument(doc: Document): Document {
  const copy: Document = {};
  for (const key of Object.keys(doc)) setField(copy, key, cloneValue(doc[key]));
  return copy;
}

/** How many levels of documents and arrays a value has; 0 for a scalar. */
export function depthOf(value: unknown): number {
  const children = Array.isArray(value) ? value : isDocument(value) ? Object.values(value) : undefined;
  if (!children) return 0;
  let deepest = 0;
  for (const child of children) {
    if (typeof child === 'object' && child !== null) deepest = Math.max(deepest, depthOf(child));
  }
  return deepest + 1;
}

/** How deep a stored document may be nested; the server's limit. */
export const MAX_STORED_DEPTH = 180;

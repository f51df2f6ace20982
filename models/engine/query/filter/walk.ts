import { isIndex } from '../../values/paths.ts';
import { getField, isDocument, type Document } from '../../values/types.ts';

/** What a match can tell beside yes: the index of the array element that matched, for the positional `$`. */
export interface MatchDetails {
  index?: number;
}

/** Told each value a path leads to; true stops the walk. `index` is that of the outermost array passed through. */
export type Visit = (value: unknown, index: number | undefined) => boolean;

/** Whether an array at the end of a path is also looked into, element by element. */
export type Leaf = 'elements-and-array' | 'array-only';

interface Walk {
  parts: readonly string[];
  leaf: Leaf;
  visit: Visit;
}

function childOf(node: unknown, part: string): unknown {
  if (!Array.isArray(node)) return getField(node as Document, part);
  return isIndex(part) ? node[Number(part)] : undefined;
}

function walkObject(w: Walk, node: unknown, from: number, index: number | undefined): boolean {
  let value = node;
  for (let i = from; i < w.parts.length; i++) {
    value = childOf(value, w.parts[i] as string);
    if (Array.isArray(value)) return walkArray(w, value, i + 1, index);
    if (i + 1 < w.parts.length && !isDocument(value)) return w.visit(undefined, index);
  }
  return w.visit(value, index);
}

function walkElement(
  w: Walk,
  element: unknown,
  at: number,
  from: number,
  index: number | undefined,
): boolean {
  const part = w.parts[from] as string;
  const addressed = part === String(at);
  if (isDocument(element) && walkObject(w, element, from, index ?? at)) return true;
  if (!addressed) return false;
  if (from + 1 === w.parts.length) return w.visit(element, index);
  if (Array.isArray(element)) return walkArray(w, element, from + 1, index);
  return isDocument(element) && walkObject(w, element, from + 1, index);
}

function walkArray(w: Walk, array: unknown[], from: number, index: number | undefined): boolean {
  if (from < w.parts.length) {
    for (let i = 0; i < array.length; i++) if (walkElement(w, array[i], i, from, index)) return true;
    return false;
  }
  if (w.leaf === 'elements-and-array') {
    for (let i = 0; i < array.length; i++) if (w.visit(array[i], index ?? i)) return true;
  }
  return w.visit(array, index);
}

/**
 * Visits every value a dotted path leads to, as MongoDB's queries do: through arrays of documents, and into an array by
 * a numeric part. A document without the path yields `undefined` (missing); a scalar in the middle of an array nothing.
 * @returns true as soon as a visit does
 */
export function walkPath(doc: unknown, parts: readonly string[], leaf: Leaf, visit: Visit): boolean {
  return walkObject({ parts, leaf, visit }, doc, 0, undefined);
}

/** A predicate over whole documents, built by the filter compiler. */
export type Node = (doc: unknown, details?: MatchDetails) => boolean;

/** A predicate over one value. */
export type ValueTest = (value: unknown, details?: MatchDetails) => boolean;

/** Applies a test to the values of a path; a single field that is no array takes a short cut. */
export function atPath(path: string, test: ValueTest, leaf: Leaf = 'elements-and-array'): Node {
  const parts = path.split('.');
  const slow: Node = (doc, details) =>
    walkPath(doc, parts, leaf, (value, index) => {
      if (!test(value, details)) return false;
      if (details && index !== undefined) details.index = index;
      return true;
    });
  if (parts.length > 1 || path in Object.prototype) return slow;
  return (doc, details) => {
    const value = (doc as Document)[path];
    return Array.isArray(value) || Array.isArray(doc) ? slow(doc, details) : test(value, details);
  };
}

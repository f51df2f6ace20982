import { isDocument, setField, type Document } from '../../values/types.ts';
import type { Expr, Scope } from '../expression/types.ts';

/** Whether the fields that are named are the ones to keep or the ones to drop. */
export type Mode = 'inclusion' | 'exclusion';

/** What a projection says about one level of a document. */
export interface Branch {
  named: Set<string>;
  children: Map<string, Branch>;
  /** Computed fields of this level. */
  computed: Map<string, Expr>;
  /** Computed fields and children that hold some, in the order they were given. */
  order: string[];
}

/** A level of which nothing has been said yet. */
export function newBranch(): Branch {
  return { named: new Set(), children: new Map(), computed: new Map(), order: [] };
}

function childOf(branch: Branch, name: string): Branch {
  let child = branch.children.get(name);
  if (!child) branch.children.set(name, (child = newBranch()));
  return child;
}

/** Names the field at a path. */
export function addNamed(branch: Branch, parts: readonly string[]): void {
  const [name = '', ...rest] = parts;
  if (rest.length === 0) branch.named.add(name);
  else addNamed(childOf(branch, name), rest);
}

/** Adds a computed field at a path. */
export function addComputed(branch: Branch, parts: readonly string[], value: Expr): void {
  const [name = '', ...rest] = parts;
  if (!branch.order.includes(name)) branch.order.push(name);
  if (rest.length === 0) branch.computed.set(name, value);
  else addComputed(childOf(branch, name), rest, value);
}

function projectValue(branch: Branch, mode: Mode, value: unknown): unknown {
  if (isDocument(value)) return projectDocument(branch, mode, value);
  if (Array.isArray(value)) {
    const items = value.map((item) => projectValue(branch, mode, item));
    return mode === 'inclusion' ? items.filter((item) => item !== undefined) : items;
  }
  return mode === 'inclusion' ? undefined : value;
}

/** Keeps or drops what is named, in the order of the document. The document itself is not changed. */
export function projectDocument(branch: Branch, mode: Mode, doc: Document): Document {
  const result: Document = {};
  for (const key of Object.keys(doc)) {
    const child = branch.children.get(key);
    if (branch.named.has(key)) {
      if (mode === 'inclusion') setField(result, key, doc[key]);
    } else if (child) {
      const value = projectValue(child, mode, doc[key]);
      if (value !== undefined) setField(result, key, value);
    } else if (mode === 'exclusion') setField(result, key, doc[key]);
  }
  return result;
}

function computeValue(branch: Branch, value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => computeValue(branch, item, scope));
  const result = isDocument(value) ? { ...value } : {};
  computeInto(branch, result, scope);
  return result;
}

/** Sets the computed fields on a document of one's own; a missing value removes the field. */
export function computeInto(branch: Branch, target: Document, scope: Scope): void {
  for (const name of branch.order) {
    const expression = branch.computed.get(name);
    const child = branch.children.get(name);
    const current = Object.hasOwn(target, name) ? target[name] : undefined;
    const value = expression ? expression(scope) : child ? computeValue(child, current, scope) : current;
    if (value === undefined) delete target[name];
    else setField(target, name, value);
  }
}

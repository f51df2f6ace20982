import { EngineError } from '../../errors.ts';
import type { Modifier } from './modifiers.ts';

/** A document on the way to what is changed; names in the order the server works through them. */
export interface ObjectNode {
  kind: 'object';
  /** By field name; `$` is the positional operator. */
  children: Map<string, UpdateNode>;
}

/** An array whose elements are chosen by `$[]` or `$[identifier]`. */
export interface ArrayNode {
  kind: 'array';
  /** By identifier, empty for `$[]`. */
  children: Map<string, UpdateNode>;
}

/** What an update does, arranged by the paths it touches. */
export type UpdateNode = ObjectNode | ArrayNode | { kind: 'leaf'; modifier: Modifier };

/** A node without children. */
export function newObject(): ObjectNode {
  return { kind: 'object', children: new Map() };
}

const FILTERED = /^\$\[(.*)\]$/;

/** The identifier of `$[identifier]`, empty for `$[]`; undefined for any other part. */
export function identifierOf(part: string | undefined): string | undefined {
  return part === undefined ? undefined : FILTERED.exec(part)?.[1];
}

function conflict(path: string, at: string): EngineError {
  return new EngineError(
    'ConflictingUpdateOperators',
    `Updating the path '${path}' would create a conflict at '${at}'`,
  );
}

/**
 * The parts of a path that an update may touch.
 * @throws EngineError EmptyFieldName, BadValue
 */
export function updatePath(path: string): string[] {
  if (path === '') throw new EngineError('EmptyFieldName', 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new EngineError(
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  if (parts[0] === '$') {
    throw new EngineError(
      'BadValue',
      `Cannot have positional (i.e. '$') element in the first position in path '${path}'`,
    );
  }
  if (identifierOf(parts[0]) !== undefined) {
    throw new EngineError(
      'BadValue',
      `Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '${path}'`,
    );
  }
  if (parts.filter((part) => part === '$').length > 1) {
    throw new EngineError('BadValue', `Too many positional (i.e. '$') elements found in path '${path}'`);
  }
  return parts;
}

/**
 * Adds a modifier at a path.
 * @throws EngineError ConflictingUpdateOperators when another path leads to, through, or from the same place
 */
export function insert(root: ObjectNode, parts: readonly string[], modifier: Modifier): void {
  const path = parts.join('.');
  let node: ObjectNode | ArrayNode = root;
  parts.forEach((part, i) => {
    const key = identifierOf(part) ?? part;
    const children: Map<string, UpdateNode> = node.children;
    const existing = children.get(key);
    if (i === parts.length - 1) {
      if (existing) throw conflict(path, path);
      children.set(key, { kind: 'leaf', modifier });
      return;
    }
    const kind = identifierOf(parts[i + 1]) === undefined ? 'object' : 'array';
    if (existing && existing.kind !== kind) throw conflict(path, parts.slice(0, i + 1).join('.'));
    const next: ObjectNode | ArrayNode = (existing as ObjectNode | ArrayNode | undefined) ?? {
      kind,
      children: new Map(),
    };
    children.set(key, next);
    node = next;
  });
}

/** Both updates of one element, when several array filters chose it. */
export function mergeNodes(a: UpdateNode, b: UpdateNode, path: string): UpdateNode {
  if (a.kind === 'leaf' || b.kind === 'leaf' || a.kind !== b.kind) {
    throw new EngineError('ConflictingUpdateOperators', `Update created a conflict at '${path}'`);
  }
  const children = new Map(a.children);
  for (const [key, node] of b.children) {
    const other = children.get(key);
    children.set(key, other ? mergeNodes(other, node, `${path}.${key}`) : node);
  }
  return { kind: a.kind, children };
}

const DIGITS = /^\d+$/;

/** The order in which the server works through field names: numbers by size, others by their bytes. */
export function compareNames(a: string, b: string): number {
  if (DIGITS.test(a) && DIGITS.test(b)) {
    const [x, y] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')];
    return x.length - y.length || (x < y ? -1 : x > y ? 1 : 0);
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

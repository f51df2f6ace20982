import { EngineError, unsupported } from '../errors.ts';
import { isDocument, isNumeric, setField, type Document } from '../values/types.ts';
import { isTruthy } from './compare.ts';
import { fieldPathParts } from './expression.ts';

/** Whether named fields are kept or dropped. */
type Mode = 'inclusion' | 'exclusion';

/** A projection's fields on one level of a document. */
interface Branch {
  named: Set<string>;
  children: Map<string, Branch>;
}

/** A level without named fields. */
function newBranch(): Branch {
  return { named: new Set(), children: new Map() };
}

/**
 * Names the field at a path.
 * @throws EngineError 31249 or 31250 when it, a parent or a child is already named
 */
function addNamed(branch: Branch, path: string, parts: readonly string[]): void {
  const [name = '', ...rest] = parts;
  if (branch.named.has(name) && rest.length > 0)
    throw new EngineError(31249, `Path collision at ${path} remaining portion ${rest.join('.')}`);
  if (branch.named.has(name) || (rest.length === 0 && branch.children.has(name)))
    throw new EngineError(31250, `Path collision at ${path}`);
  if (rest.length === 0) {
    branch.named.add(name);
    return;
  }
  const child = branch.children.get(name) ?? newBranch();
  branch.children.set(name, child);
  addNamed(child, path, rest);
}

function projectValue(branch: Branch, mode: Mode, value: unknown): unknown {
  if (isDocument(value)) return projectDocument(branch, mode, value);
  if (Array.isArray(value)) {
    const items = value.map((item) => projectValue(branch, mode, item));
    return mode === 'inclusion' ? items.filter((item) => item !== undefined) : items;
  }
  return mode === 'inclusion' ? undefined : value;
}

/** Keeps or drops named fields, in the document's order. The document itself is not changed. */
function projectDocument(branch: Branch, mode: Mode, doc: Document): Document {
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

/** Whether a field is kept or dropped; computed fields are refused. */
function modeOf(key: string, value: unknown): Mode {
  if (key.endsWith('.$')) throw unsupported('the positional projection');
  if (typeof value === 'boolean' || isNumeric(value)) return isTruthy(value) ? 'inclusion' : 'exclusion';
  const what = isDocument(value) ? `the projection ${Object.keys(value)[0] ?? '{}'}` : 'a computed field';
  throw unsupported(`${what} of '${key}'`);
}

/**
 * Compiles a projection: fields to keep or fields to drop, as determined by the first one.
 * `_id` may be the opposite. The result does not change its input document and shares values with it.
 * @throws EngineError for a specification that the server would refuse, 115 for computed fields
 */
export function compileProjection(spec: Document): (doc: Document) => Document {
  const branch = newBranch();
  let mode: Mode | undefined;
  let ofId: Mode | undefined;
  for (const key of Object.keys(spec)) {
    const own = modeOf(key, spec[key]);
    const parts = fieldPathParts(key);
    if (key === '_id') {
      ofId = own;
      continue;
    }
    mode ??= own;
    if (mode !== own)
      throw own === 'inclusion'
        ? new EngineError(31253, `Cannot do inclusion on field ${key} in exclusion projection`)
        : new EngineError(31254, `Cannot do exclusion on field ${key} in inclusion projection`);
    addNamed(branch, key, parts);
  }
  const chosen = mode ?? ofId ?? 'exclusion';
  const isIdNamed = chosen === 'inclusion' ? ofId !== 'exclusion' : ofId === 'exclusion';
  // If parts of `_id` are named, only those are kept.
  if (isIdNamed && (ofId !== undefined || !branch.children.has('_id'))) addNamed(branch, '_id', ['_id']);
  return (doc) => projectDocument(branch, chosen, doc);
}

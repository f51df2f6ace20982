import { EngineError, unsupported } from '../errors.ts';
import { isDocument, isNumeric, setField, type Document } from '../values/types.ts';
import { isTruthy } from './compare.ts';
import { fieldPathParts } from './expression.ts';

/** Whether the fields that are named are the ones to keep or the ones to drop. */
type Mode = 'inclusion' | 'exclusion';

/** What a projection says about one level of a document. */
interface Branch {
  named: Set<string>;
  children: Map<string, Branch>;
}

/** A level of which nothing has been said yet. */
function newBranch(): Branch {
  return { named: new Set(), children: new Map() };
}

/**
 * Names the field at a path.
 * @throws EngineError 31249 or 31250 when it, what is above it, or what is below it is named already
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

/** Keeps or drops what is named, in the order of the document. The document itself is not changed. */
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

/** Whether a field is kept or dropped; anything computed is refused. */
function modeOf(key: string, value: unknown): Mode {
  if (key.endsWith('.$')) throw unsupported('the positional projection');
  if (typeof value === 'boolean' || isNumeric(value)) return isTruthy(value) ? 'inclusion' : 'exclusion';
  const what = isDocument(value) ? `the projection ${Object.keys(value)[0] ?? '{}'}` : 'a computed field';
  throw unsupported(`${what} of '${key}'`);
}

/**
 * Compiles a projection, of a find or of a `$project` stage: fields to keep or fields to drop, the first of which says what
 * it is. `_id` may go against it. The document given to the result is not changed; values are shared with it.
 * @throws EngineError for a specification the server would refuse, 115 for whatever computes
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
  // Of an `_id` whose parts are named only those are kept.
  if (isIdNamed && (ofId !== undefined || !branch.children.has('_id'))) addNamed(branch, '_id', ['_id']);
  return (doc) => projectDocument(branch, chosen, doc);
}

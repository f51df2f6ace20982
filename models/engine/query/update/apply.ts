import { EngineError } from '../../errors.ts';
import { isIndex } from '../../values/paths.ts';
import { showValue } from '../../values/show.ts';
import { getField, isDocument, setField, type Document } from '../../values/types.ts';
import { REMOVE, type Modifier, idText, lastPart } from './modifiers.ts';
import { compareNames, mergeNodes, type ArrayNode, type ObjectNode, type UpdateNode } from './tree.ts';

/** Everything that holds for one application of an update to one document, which is changed in place. */
export interface Application {
  doc: Document;
  isInsert: boolean;
  /** The array index the query matched, asked for only when a path has `$`. */
  positionalIndex(): number;
  /** Whether an element of an array is one that `$[identifier]` stands for. */
  matchesFilter(identifier: string, element: unknown): boolean;
}

/** A place in the document: an existing value, or the last existing one with what would have to be created below. */
interface Place {
  /** What holds the value: a document or an array; undefined for the document itself. */
  holder: Document | unknown[] | undefined;
  key: string;
  value: unknown;
  path: string[];
  missing: string[];
}

/** An array is not filled up with more nulls than this. */
const MAX_PADDING = 1_500_000;

function nameValue(place: Place): string {
  return place.path.length === 0
    ? showValue(place.value)
    : `{${place.path.at(-1)}: ${showValue(place.value)}}`;
}

function write(holder: Document | unknown[], key: string, value: unknown): void {
  if (!Array.isArray(holder)) setField(holder, key, value);
  else holder[Number(key)] = value;
}

/** Steps from a place to a field or element below it. */
function descend(place: Place, part: string): Place {
  if (place.missing.length > 0) return { ...place, missing: [...place.missing, part] };
  const { value, path } = place;
  if (isDocument(value) && Object.hasOwn(value, part)) {
    return { holder: value, key: part, value: getField(value, part), path: [...path, part], missing: [] };
  }
  if (Array.isArray(value) && isIndex(part) && Number(part) < value.length) {
    return { holder: value, key: part, value: value[Number(part)], path: [...path, part], missing: [] };
  }
  return { ...place, missing: [part] };
}

/** The same place after something below it may have been created. */
function refreshed(place: Place): Place {
  return place.missing.reduce<Place>(descend, { ...place, missing: [] });
}

function notViable(place: Place): EngineError | undefined {
  const [part = ''] = place.missing;
  if (isDocument(place.value) || (Array.isArray(place.value) && isIndex(part))) return undefined;
  return new EngineError('PathNotViable', `Cannot create field '${part}' in element ${nameValue(place)}`);
}

function createAt(place: Place, value: unknown): void {
  const refused = notViable(place);
  if (refused) throw refused;
  const [first = '', ...rest] = place.missing;
  let created = value;
  for (const part of rest.reverse()) {
    const wrapper: Document = {};
    setField(wrapper, part, created);
    created = wrapper;
  }
  const target = place.value as Document | unknown[];
  if (Array.isArray(target)) {
    const index = Number(first);
    if (index - target.length > MAX_PADDING) {
      throw new EngineError('BadValue', `can't backfill more than ${MAX_PADDING} elements`);
    }
    while (target.length < index) target.push(null);
  }
  write(target, first, created);
}

function removeAt(place: Place): void {
  if (Array.isArray(place.holder)) write(place.holder, place.key, null);
  else if (place.holder) delete place.holder[place.key];
}

function checkTraversable(place: Place): void {
  if (!notViable(place)) return;
  const [part = ''] = place.missing;
  const whole = [...place.path, ...place.missing].join('.');
  throw new EngineError(
    'PathNotViable',
    `Cannot use the part (${part}) of (${whole}) to traverse the element (${nameValue(place)})`,
  );
}

/** Where the value of a `$rename` is; undefined when there is none. */
function findSource(
  a: Application,
  source: readonly string[],
): { holder: Document; key: string } | undefined {
  let holder: unknown = a.doc;
  for (const [i, part] of source.entries()) {
    if (Array.isArray(holder)) throw renameThroughArray(a, 'source', source, source[i - 1]);
    if (!isDocument(holder) || !Object.hasOwn(holder, part)) return undefined;
    if (i === source.length - 1) return { holder, key: part };
    holder = holder[part];
  }
  return undefined;
}

function renameThroughArray(
  a: Application,
  which: 'source' | 'destination',
  path: readonly string[],
  field: string | undefined,
): EngineError {
  return new EngineError(
    'BadValue',
    `The ${which} field cannot be an array element, '${path.join('.')}' in doc with ${idText(a.doc).slice(1, -1)} has an array field called '${field ?? ''}'`,
  );
}

function checkRenameTarget(a: Application, place: Place): void {
  let holder: unknown = a.doc;
  const parts = [...place.path, ...place.missing];
  for (const [i, part] of parts.entries()) {
    if (Array.isArray(holder)) throw renameThroughArray(a, 'destination', parts, parts[i - 1]);
    holder = isDocument(holder) ? getField(holder, part) : undefined;
  }
}

function applyRename(a: Application, source: readonly string[], place: Place): void {
  const found = findSource(a, source);
  if (!found) return;
  checkRenameTarget(a, place);
  const value = getField(found.holder, found.key);
  if (place.missing.length > 0) createAt(place, value);
  else if (place.holder) write(place.holder, place.key, value);
  delete found.holder[found.key];
}

function applyLeaf(a: Application, modifier: Modifier, place: Place): void {
  if (modifier.insertOnly && !a.isInsert) return;
  if (modifier.source) return applyRename(a, modifier.source, place);
  const site = { path: [...place.path, ...place.missing].join('.'), doc: a.doc };
  if (place.missing.length > 0) {
    if (modifier.create) createAt(place, modifier.create(site));
    else if (modifier.strictPath) checkTraversable(place);
    return;
  }
  const changed = modifier.change(place.value, site);
  if (changed === REMOVE) removeAt(place);
  else if (place.holder) write(place.holder, place.key, changed);
}

/** The children of a node by real names, the positional one under the index it stands for. */
function resolveChildren(a: Application, node: ObjectNode, place: Place): [string, UpdateNode][] {
  const positional = node.children.get('$');
  if (!positional) return [...node.children];
  const index = String(a.positionalIndex());
  const children = new Map(node.children);
  children.delete('$');
  const named = children.get(index);
  children.set(index, named ? mergeNodes(named, positional, [...place.path, index].join('.')) : positional);
  return [...children];
}

function applyArray(a: Application, node: ArrayNode, place: Place): void {
  const path = [...place.path, ...place.missing].join('.');
  if (place.missing.length > 0) {
    throw new EngineError(
      'BadValue',
      `The path '${path}' must exist in the document in order to apply array updates.`,
    );
  }
  const array = place.value;
  if (!Array.isArray(array)) {
    throw new EngineError(
      'BadValue',
      `Cannot apply array updates to non-array element ${lastPart(path)}: ${showValue(array)}`,
    );
  }
  for (let i = 0; i < array.length; i++) {
    const chosen = [...node.children]
      .filter(([id]) => id === '' || a.matchesFilter(id, array[i]))
      .map(([, child]) => child);
    if (chosen.length === 0) continue;
    const merged = chosen.reduce((one, other) => mergeNodes(one, other, `${path}.${i}`));
    applyNode(a, merged, descend(place, String(i)));
  }
}

function applyNode(a: Application, node: UpdateNode, place: Place): void {
  if (node.kind === 'leaf') return applyLeaf(a, node.modifier, place);
  if (node.kind === 'array') return applyArray(a, node, place);
  const children = resolveChildren(a, node, place).sort(([x], [y]) => compareNames(x, y));
  for (const [name, child] of children) applyNode(a, child, descend(refreshed(place), name));
}

/** Applies an update to a document, which is changed in place. */
export function applyTree(a: Application, root: ObjectNode): void {
  applyNode(a, root, { holder: undefined, key: '', value: a.doc, path: [], missing: [] });
}

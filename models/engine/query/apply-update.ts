import { EngineError } from '../errors.ts';
import { isIndex } from './extract.ts';
import { showValue } from '../values/show.ts';
import { getField, isDocument, setField, type Document } from '../values/types.ts';
import { REMOVE, type Modifier } from './modifiers.ts';

/** A place in the document: an existing value, or the last existing one and the path to create below it. */
interface Place {
  /** The document or array that contains the value; undefined for the document itself. */
  holder: Document | unknown[] | undefined;
  key: string;
  value: unknown;
  path: string[];
  missing: string[];
}

/** The maximum number of nulls with which an array is padded. */
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

/** Applies a modifier at a path of a document, which is changed in place. */
export function applyModifier(doc: Document, parts: readonly string[], modifier: Modifier): void {
  const root: Place = { holder: undefined, key: '', value: doc, path: [], missing: [] };
  const place = parts.reduce(descend, root);
  const site = { path: parts.join('.'), doc };
  if (place.missing.length > 0) {
    if (modifier.create) createAt(place, modifier.create(site));
    else if (modifier.strictPath) checkTraversable(place);
    return;
  }
  const changed = modifier.change(place.value, site);
  if (changed === REMOVE) removeAt(place);
  else if (place.holder) write(place.holder, place.key, changed);
}

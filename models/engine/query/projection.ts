import { EngineError, unsupported } from '../errors.ts';
import { showValue } from '../values/show.ts';
import { isDocument, isNumeric, setField, type Document } from '../values/types.ts';
import { isTruthy } from './compare.ts';
import { compileExpression, type Expr } from './expression.ts';

/** Whether the fields that are named are the ones to keep or the ones to drop. */
type Mode = 'inclusion' | 'exclusion';

/** What a projection says about one level of a document. */
interface Branch {
  named: Set<string>;
  children: Map<string, Branch>;
  /** Computed fields of this level. */
  computed: Map<string, Expr>;
  /** Computed fields and children that hold some, in the order they were given. */
  order: string[];
}

/** A level of which nothing has been said yet. */
function newBranch(): Branch {
  return { named: new Set(), children: new Map(), computed: new Map(), order: [] };
}

function childOf(branch: Branch, name: string): Branch {
  let child = branch.children.get(name);
  if (!child) branch.children.set(name, (child = newBranch()));
  return child;
}

/** Names the field at a path. */
function addNamed(branch: Branch, parts: readonly string[]): void {
  const [name = '', ...rest] = parts;
  if (rest.length === 0) branch.named.add(name);
  else addNamed(childOf(branch, name), rest);
}

/** Adds a computed field at a path. */
function addComputed(branch: Branch, parts: readonly string[], value: Expr): void {
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

function computeValue(branch: Branch, value: unknown, root: Document): unknown {
  if (Array.isArray(value)) return value.map((item) => computeValue(branch, item, root));
  const result = isDocument(value) ? { ...value } : {};
  computeInto(branch, result, root);
  return result;
}

/** Sets the computed fields on a document of one's own; a missing value removes the field. */
function computeInto(branch: Branch, target: Document, root: Document): void {
  for (const name of branch.order) {
    const expression = branch.computed.get(name);
    const child = branch.children.get(name);
    const current = Object.hasOwn(target, name) ? target[name] : undefined;
    const value = expression ? expression(root) : child ? computeValue(child, current, root) : current;
    if (value === undefined) delete target[name];
    else setField(target, name, value);
  }
}

function apply({ mode, branch }: Projection): (doc: Document) => Document {
  return (doc) => {
    const result = projectDocument(branch, mode, doc);
    if (branch.order.length > 0) computeInto(branch, result, doc);
    return result;
  };
}

/**
 * Compiles the projection of a find. The document given to the result is not changed; values are shared with it.
 * @throws EngineError for a specification the server would refuse, 115 for `$slice` and `$elemMatch`
 */
export function compileProjection(spec: Document): (doc: Document) => Document {
  if (Object.keys(spec).length === 0) return (doc) => doc;
  return apply(new ProjectionParser(true).parse(spec));
}

/** Compiles the specification of a `$project` stage. */
export function compileStageProjection(spec: Document): (doc: Document) => Document {
  return apply(new ProjectionParser(false).parse(spec));
}

/** A projection, read. */
interface Projection {
  mode: Mode;
  branch: Branch;
}

/** Reads a projection field by field; the first field that says so makes it an inclusion or an exclusion. */
class ProjectionParser {
  private readonly branch = newBranch();
  private readonly paths: string[][] = [];
  private mode: Mode | undefined;
  private idMode: Mode | undefined;
  /** A part of `_id` is named: then it is not kept by itself. */
  private idPart = false;

  constructor(private readonly isFind: boolean) {}

  parse(spec: Document): Projection {
    for (const key of Object.keys(spec)) this.field(key, spec[key], []);
    const mode = this.mode ?? this.idMode ?? 'exclusion';
    const wanted =
      mode === 'inclusion' ? this.idMode !== 'exclusion' && !this.idPart : this.idMode === 'exclusion';
    if (wanted) this.nameId();
    return { mode, branch: this.branch };
  }

  private nameId(): void {
    const claimed = this.branch.children.has('_id') || this.branch.computed.has('_id');
    if (!claimed) this.branch.named.add('_id');
  }

  private field(key: string, value: unknown, above: readonly string[]): void {
    if (key.endsWith('.$')) throw unsupported('the positional projection');
    const parts = [...above, ...key.split('.')];
    checkParts(parts);
    if (isDocument(value) && !isOneOperator(value)) return this.nested(parts, value);
    this.claim(parts);
    if (parts[0] === '_id' && parts.length > 1) this.idPart = true;
    if (isDocument(value)) this.refuseFindOperator(Object.keys(value)[0] ?? '');
    if (typeof value === 'boolean' || isNumeric(value)) return this.named(parts, isTruthy(value));
    this.setComputed(parts, value);
    addComputed(this.branch, parts, compileExpression(value));
  }

  private nested(parts: readonly string[], value: Document): void {
    const keys = Object.keys(value);
    if (keys.length === 0) {
      throw new EngineError(
        51270,
        `An empty sub-projection is not a valid value. Found empty object at path`,
      );
    }
    for (const key of keys) this.field(key, value[key], parts);
  }

  private named(parts: readonly string[], include: boolean): void {
    const mode = include ? 'inclusion' : 'exclusion';
    if (parts.length === 1 && parts[0] === '_id') {
      this.idMode = mode;
      return;
    }
    this.setMode(mode, parts);
    addNamed(this.branch, parts);
  }

  private setMode(mode: Mode, parts: readonly string[]): void {
    const path = parts.join('.');
    this.mode ??= mode;
    if (this.mode === mode) return;
    throw mode === 'inclusion'
      ? new EngineError(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
      : new EngineError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
  }

  private setComputed(parts: readonly string[], value: unknown): void {
    this.mode ??= 'inclusion';
    if (this.mode === 'inclusion') return;
    if (isDocument(value)) {
      throw new EngineError(31252, 'Cannot use expression other than $meta in exclusion projection');
    }
    throw new EngineError(
      31310,
      `Cannot use an expression ${parts.at(-1) ?? ''}: ${showValue(value)} in an exclusion projection`,
    );
  }

  private claim(parts: string[]): void {
    for (const other of this.paths) {
      const shared = Math.min(parts.length, other.length);
      if (!parts.slice(0, shared).every((part, i) => part === other[i])) continue;
      const rest = parts.slice(shared).join('.');
      throw rest === ''
        ? new EngineError(31250, `Path collision at ${parts.join('.')}`)
        : new EngineError(31249, `Path collision at ${parts.join('.')} remaining portion ${rest}`);
    }
    this.paths.push(parts);
  }

  /** What a find projects arrays by; in a pipeline these names are expressions, or nothing. */
  private refuseFindOperator(op: string): void {
    if (this.isFind && (op === '$slice' || op === '$elemMatch' || op === '$meta'))
      throw unsupported(`the projection ${op}`);
  }
}

/** `{ $operator: … }`, and nothing else. */
function isOneOperator(value: Document): boolean {
  const [name, other] = Object.keys(value);
  return name !== undefined && other === undefined && name.startsWith('$');
}

function checkParts(parts: readonly string[]): void {
  for (const part of parts) {
    if (part === '') {
      throw parts.length === 1
        ? new EngineError(40352, 'FieldPath cannot be constructed with empty string')
        : new EngineError(15998, 'FieldPath field names may not be empty strings.');
    }
    if (part.startsWith('$')) throw new EngineError(16410, "FieldPath field names may not start with '$'.");
  }
}

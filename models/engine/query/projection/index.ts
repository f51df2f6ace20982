import { isDocument, setField, type Document, isNumeric } from '../../values/types.ts';
import type { Expr, Scope, ExprContext } from '../expression/types.ts';
import { expressionContext, compileOperand, isExpressionDocument } from '../expression/compile.ts';
import { filterContext } from '../filter/index.ts';
import { EngineError, unsupported } from '../../errors.ts';
import { truncateToLong } from '../../values/arithmetic.ts';
import { showValue } from '../../values/show.ts';
import { elemMatchTest, type FilterContext } from '../filter/compile.ts';
import { isTruthy } from '../compare.ts';

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

function computeValue(branch: Branch, value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => computeValue(branch, item, scope));
  const result = isDocument(value) ? { ...value } : {};
  computeInto(branch, result, scope);
  return result;
}

/** Sets the computed fields on a document of one's own; a missing value removes the field. */
function computeInto(branch: Branch, target: Document, scope: Scope): void {
  for (const name of branch.order) {
    const expression = branch.computed.get(name);
    const child = branch.children.get(name);
    const current = Object.hasOwn(target, name) ? target[name] : undefined;
    const value = expression ? expression(scope) : child ? computeValue(child, current, scope) : current;
    if (value === undefined) delete target[name];
    else setField(target, name, value);
  }
}

/** What a projection may need beside its specification. */
export interface ProjectionOptions {
  now?: Date;
  variables?: Document;
}

function apply({ mode, branch, finish }: Projection): (doc: Document, scope?: Scope) => Document {
  return (doc, scope) => {
    let result = projectDocument(branch, mode, doc);
    if (branch.order.length > 0) computeInto(branch, result, scope ?? { root: doc, bindings: undefined });
    for (const step of finish) result = step(result);
    return result;
  };
}

/**
 * Compiles the projection of a find. The document given to the result is not changed; values are shared with it.
 * @throws EngineError for a specification the server would refuse
 */
export function compileProjection(spec: Document, o: ProjectionOptions = {}): (doc: Document) => Document {
  if (!isDocument(spec) || Object.keys(spec).length === 0) return (doc) => doc;
  return apply(new ProjectionParser(expressionContext(o), filterContext(o)).parse(spec));
}

/** Compiles the specification of a `$project` stage. */
export function compileStageProjection(
  spec: Document,
  c: ExprContext,
): (doc: Document, scope?: Scope) => Document {
  return apply(new ProjectionParser(c, undefined).parse(spec));
}

/** Compiles the specification of an `$addFields` stage. */
export function compileAddedFields(
  spec: Document,
  c: ExprContext,
): (doc: Document, scope?: Scope) => Document {
  const branch = parseAddedFields(spec, c);
  return (doc, scope) => {
    const result = { ...doc };
    computeInto(branch, result, scope ?? { root: doc, bindings: undefined });
    return result;
  };
}

/** Changes what is left of a document after the fields have been chosen. */
type Finish = (result: Document) => Document;

/** `skip` and `limit` of a `$slice` of find, `undefined` when the argument is an expression's. */
function sliceArguments(spec: unknown): { skip: number; limit: number } | undefined {
  const toInt = (value: unknown): number => Number(truncateToLong(value) ?? 0n);
  if (isNumeric(spec)) {
    const n = toInt(spec);
    return n < 0 ? { skip: n, limit: -n } : { skip: 0, limit: n };
  }
  if (!Array.isArray(spec) || spec.length !== 2 || !isNumeric(spec[0]) || !isNumeric(spec[1]))
    return undefined;
  const limit = toInt(spec[1]);
  if (limit <= 0) {
    throw new EngineError(28724, 'First argument to $slice must be an array, but is of type: int');
  }
  return { skip: toInt(spec[0]), limit };
}

function sliceArray(array: unknown[], skip: number, limit: number): unknown[] {
  const start = skip < 0 ? Math.max(0, array.length + skip) : skip;
  return array.slice(start, start + limit);
}

function changeAt(value: unknown, parts: readonly string[], change: (array: unknown[]) => unknown): unknown {
  if (parts.length === 0) return Array.isArray(value) ? change(value) : value;
  if (Array.isArray(value))
    return value.map((item) => (isDocument(item) ? changeAt(item, parts, change) : item));
  if (!isDocument(value)) return value;
  const [name = '', ...rest] = parts;
  if (!Object.hasOwn(value, name)) return value;
  const copy = { ...value };
  setField(copy, name, changeAt(value[name], rest, change));
  return copy;
}

/** `$slice` of find: a part of the array at a path. */
function sliceAt(parts: readonly string[], skip: number, limit: number): Finish {
  return (result) => changeAt(result, parts, (array) => sliceArray(array, skip, limit)) as Document;
}

/** A projection, read. */
interface Projection {
  mode: Mode;
  branch: Branch;
  finish: Finish[];
}

/** Reads a projection field by field; the first field that says so makes it an inclusion or an exclusion. */
class ProjectionParser {
  private readonly branch = newBranch();
  private readonly finish: Finish[] = [];
  private readonly paths: string[][] = [];
  /** Paths with a `$slice`: in an inclusion they are kept, too. */
  private readonly sliced: string[][] = [];
  private mode: Mode | undefined;
  private idMode: Mode | undefined;
  /** A part of `_id` is named: then it is not kept by itself. */
  private idPart = false;
  private elemMatched = false;

  constructor(
    private readonly context: ExprContext,
    /** What the filters of `$elemMatch` need; only the projection of a find has them. */
    private readonly find: FilterContext | undefined,
  ) {}

  parse(spec: Document): Projection {
    for (const key of Object.keys(spec)) this.field(key, spec[key], []);
    const mode = this.mode ?? this.modeWithoutFields();
    if (mode === 'inclusion') for (const parts of this.sliced) addNamed(this.branch, parts);
    const wanted =
      mode === 'inclusion' ? this.idMode !== 'exclusion' && !this.idPart : this.idMode === 'exclusion';
    if (wanted) this.nameId();
    return { mode, branch: this.branch, finish: this.finish };
  }

  /** What a projection is that names no field but `_id`; the rules are the server's own. */
  private modeWithoutFields(): Mode {
    if (this.sliced.length > 0) return this.idMode === 'inclusion' ? 'inclusion' : 'exclusion';
    return this.elemMatched ? 'inclusion' : (this.idMode ?? 'exclusion');
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
    if (isDocument(value) && this.findOperator(parts, value)) return;
    if (typeof value === 'boolean' || isNumeric(value)) return this.named(parts, isTruthy(value));
    this.setComputed(parts, value);
    addComputed(this.branch, parts, compileOperand(value, this.context));
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

  /** `$slice` and `$elemMatch` of find; false when the value is an expression instead. */
  private findOperator(parts: string[], value: Document): boolean {
    const [op = ''] = Object.keys(value);
    if (op === '$elemMatch') {
      if (!this.find)
        throw new EngineError('InvalidPipelineOperator', 'Cannot use $elemMatch in this context');
      this.elemMatch(parts, value[op], this.find);
      return true;
    }
    const range = this.find && op === '$slice' ? sliceArguments(value[op]) : undefined;
    if (!range) return false;
    this.sliced.push(parts);
    this.finish.push(sliceAt(parts, range.skip, range.limit));
    return true;
  }

  private elemMatch(parts: readonly string[], spec: unknown, find: FilterContext): void {
    const [field = ''] = parts;
    if (parts.length > 1) throw new EngineError(31275, 'Cannot use $elemMatch projection on a nested field.');
    if (!isDocument(spec)) {
      throw new EngineError(
        31274,
        `elemMatch: Invalid argument, object required, but got ${showValue(spec)}`,
      );
    }
    this.elemMatched = true;
    const test = elemMatchTest(spec, find);
    addComputed(this.branch, parts, ({ root }) => {
      const array = Object.hasOwn(root, field) ? root[field] : undefined;
      const details: { index?: number } = {};
      return Array.isArray(array) && test(array, details) ? [array[details.index ?? 0]] : undefined;
    });
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

/** Reads the specification of an `$addFields`: nested documents are paths, everything else is computed. */
function parseAddedFields(spec: Document, context: ExprContext): Branch {
  const branch = newBranch();
  const paths: string[][] = [];
  const add = (key: string, value: unknown, above: readonly string[]): void => {
    const parts = [...above, ...key.split('.')];
    checkParts(parts);
    if (isDocument(value) && !isExpressionDocument(value) && Object.keys(value).length > 0) {
      for (const inner of Object.keys(value)) add(inner, value[inner], parts);
      return;
    }
    for (const other of paths) {
      const shared = Math.min(parts.length, other.length);
      if (parts.slice(0, shared).every((part, i) => part === other[i])) {
        throw new EngineError(
          40176,
          `specification contains two conflicting paths. Cannot specify both '${parts.join('.')}' and '${other.join('.')}': ${showValue(spec)}`,
        );
      }
    }
    paths.push(parts);
    addComputed(branch, parts, compileOperand(value, context));
  };
  for (const key of Object.keys(spec)) add(key, spec[key], []);
  return branch;
}

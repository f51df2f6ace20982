import { EngineError } from '../../errors.ts';
import { showValue } from '../../values/show.ts';
import { isDocument, isNumeric, type Document } from '../../values/types.ts';
import { compileOperand, isExpressionDocument } from '../expression/compile.ts';
import type { ExprContext } from '../expression/types.ts';
import { elemMatchTest, type FilterContext } from '../filter/compile.ts';
import type { Node } from '../filter/walk.ts';
import { isTruthy } from '../truth.ts';
import { positionalAt, sliceArguments, sliceAt, type Finish } from './find-operators.ts';
import { addComputed, addNamed, newBranch, type Branch, type Mode } from './tree.ts';

/** What find adds to the projections of pipelines: `$slice`, `$elemMatch` and the positional `$`. */
export interface FindFeatures {
  filter: FilterContext;
  /** The query, for the positional projection. */
  matches: Node | undefined;
}

/** A projection, read. */
export interface Projection {
  mode: Mode;
  branch: Branch;
  finish: Finish[];
}

/** Reads a projection field by field; the first field that says so makes it an inclusion or an exclusion. */
export class ProjectionParser {
  private readonly branch = newBranch();
  private readonly finish: Finish[] = [];
  private readonly paths: string[][] = [];
  /** Paths with a `$slice`: in an inclusion they are kept, too. */
  private readonly sliced: string[][] = [];
  private mode: Mode | undefined;
  private idMode: Mode | undefined;
  /** A part of `_id` is named: then it is not kept by itself. */
  private idPart = false;
  private positional = false;
  private elemMatched = false;

  constructor(
    private readonly context: ExprContext,
    private readonly find: FindFeatures | undefined,
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
    if (key.endsWith('.$')) {
      if (!this.find)
        throw new EngineError(31324, 'Cannot use positional projection in aggregation projection');
      return this.positionalField(key.slice(0, -2), value, above);
    }
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

  private elemMatch(parts: readonly string[], spec: unknown, find: FindFeatures): void {
    const [field = ''] = parts;
    if (parts.length > 1) throw new EngineError(31275, 'Cannot use $elemMatch projection on a nested field.');
    if (!isDocument(spec)) {
      throw new EngineError(
        31274,
        `elemMatch: Invalid argument, object required, but got ${showValue(spec)}`,
      );
    }
    if (this.positional) throw new EngineError(31255, 'Cannot specify positional operator and $elemMatch.');
    this.elemMatched = true;
    const test = elemMatchTest(spec, find.filter);
    addComputed(this.branch, parts, ({ root }) => {
      const array = Object.hasOwn(root, field) ? root[field] : undefined;
      const details: { index?: number } = {};
      return Array.isArray(array) && test(array, details) ? [array[details.index ?? 0]] : undefined;
    });
  }

  private positionalField(path: string, value: unknown, above: readonly string[]): void {
    const parts = [...above, ...path.split('.')];
    checkParts(parts);
    this.claim(parts);
    checkPositionalValue(value);
    if (this.positional) {
      throw new EngineError(31276, 'Cannot specify more than one positional projection per query.');
    }
    if (this.elemMatched) throw new EngineError(31256, 'Cannot specify positional operator and $elemMatch.');
    const matches = this.find?.matches;
    if (!matches) throw new EngineError(51050, 'Projections with a positional operator require a matcher');
    this.positional = true;
    this.setMode('inclusion', parts);
    addNamed(this.branch, parts);
    this.finish.push(positionalAt(parts, matches));
  }
}

function checkPositionalValue(value: unknown): void {
  if (isDocument(value)) {
    throw new EngineError(31271, 'positional projection cannot be used with an expression or sub object');
  }
  if (!isNumeric(value) && typeof value !== 'boolean') {
    throw new EngineError(31308, 'positional projection cannot be used with a literal');
  }
  if (!isTruthy(value)) throw new EngineError(31395, 'positional projection cannot be used with exclusion');
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
    if (part === '$') {
      throw new EngineError(
        31394,
        "As of 4.4, it's illegal to specify positional operator in the middle of a path.Positional projection may only be used at the end, for example: a.b.$. If the query previously used a form like a.b.$.d, remove the parts following the '$' and the results will be equivalent.",
      );
    }
    if (part.startsWith('$')) {
      throw new EngineError(
        16410,
        "FieldPath field names may not start with '$'. Consider using $getField or $setField.",
      );
    }
  }
}

/** Reads the specification of an `$addFields`: nested documents are paths, everything else is computed. */
export function parseAddedFields(spec: Document, context: ExprContext): Branch {
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

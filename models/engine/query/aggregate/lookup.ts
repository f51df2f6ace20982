import { EngineError, unsupported } from '../../errors.ts';
import { showDocument } from '../../values/show.ts';
import { isIndex } from '../../values/paths.ts';
import { T, getField, isDocument, typeNameOf, typeOf, type Document } from '../../values/types.ts';
import { compileOperand } from '../expression/compile.ts';
import { checkNewVariable, fieldPathParts } from '../expression/paths.ts';
import { bind, check, withNames, type Bindings, type Expr } from '../expression/types.ts';
import { withPath } from './unwind.ts';
import { mapping, type BuildStage, type Stage, type StageContext } from './types.ts';

interface LookupSpec {
  from: string;
  as: string[];
  local: string | undefined;
  foreign: string | undefined;
  pipeline: unknown;
  let: Document;
}

const OPTIONS = new Set(['from', 'as', 'localField', 'foreignField', 'pipeline', 'let']);

function text(spec: Document, key: string): string | undefined {
  const value = spec[key];
  if (value === undefined) return undefined;
  if (key === 'from' && isDocument(value)) throw unsupported('$lookup from another database');
  check(
    typeof value === 'string',
    'FailedToParse',
    () =>
      `$lookup argument '${key}: ${typeNameOf(value)}' must be a string, found ${key}: ${typeNameOf(value)}`,
  );
  return value;
}

function readSpec(spec: unknown): LookupSpec {
  check(
    isDocument(spec),
    'FailedToParse',
    () => `the $lookup stage specification must be an object, but found ${typeNameOf(spec)}`,
  );
  for (const key of Object.keys(spec)) {
    check(OPTIONS.has(key), 'FailedToParse', () => `unknown argument to $lookup: ${key}`);
  }
  const from = text(spec, 'from');
  const as = text(spec, 'as');
  const local = text(spec, 'localField');
  const foreign = text(spec, 'foreignField');
  check(
    from !== undefined,
    'FailedToParse',
    () => `must specify 'from' field for a $lookup: ${showDocument(spec)}`,
  );
  check(as !== undefined, 'FailedToParse', () => "must specify 'as' field for a $lookup");
  check(
    (local === undefined) === (foreign === undefined),
    'FailedToParse',
    () => '$lookup requires both or neither of localField and foreignField to be specified',
  );
  const { pipeline, let: variables = {} } = spec;
  check(
    pipeline !== undefined || local !== undefined,
    'FailedToParse',
    () => "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified",
  );
  check(
    isDocument(variables),
    'FailedToParse',
    () =>
      `$lookup argument 'let: ${typeNameOf(variables)}' must be an object, is type ${typeNameOf(variables)}`,
  );
  check(
    pipeline !== undefined || spec['let'] === undefined,
    'FailedToParse',
    () => "$lookup with a 'let' argument must also specify 'pipeline'",
  );
  if (local !== undefined) fieldPathParts(local);
  if (foreign !== undefined) fieldPathParts(foreign);
  return { from, as: fieldPathParts(as), local, foreign, pipeline, let: variables };
}

/** The values a path leads to for joining: through arrays of documents, arrays at the end element by element. */
export function joinValues(doc: Document, path: string): unknown[] {
  const values: unknown[] = [];
  const visit = (value: unknown, parts: readonly string[]): void => {
    const [part, ...rest] = parts;
    if (part === undefined) values.push(...(Array.isArray(value) ? value : [value]));
    else if (Array.isArray(value)) {
      if (isIndex(part)) visit(value[Number(part)], rest);
      else for (const item of value) if (isDocument(item)) visit(getField(item, part), rest);
    } else if (isDocument(value)) visit(getField(value, part), rest);
  };
  const [first = '', ...rest] = path.split('.');
  visit(getField(doc, first), rest);
  return values.filter((value) => value !== undefined);
}

/** The filter that a field equals one of some values; no value at all stands for null. */
export function joinFilter(field: string, values: readonly unknown[]): Document {
  const wanted = values.length > 0 ? values : [null];
  if (wanted.some((value) => typeOf(value) === T.regex))
    return { $or: wanted.map((value) => ({ [field]: { $eq: value } })) };
  return wanted.length === 1 ? { [field]: { $eq: wanted[0] } } : { [field]: { $in: wanted } };
}

/** A condition of a `$match` with `$expr` that an index can serve: a field equals something known beforehand. */
type Known = (bindings: Bindings | undefined) => Document | undefined;

function knownEquality(spec: unknown, c: StageContext): Known | undefined {
  if (!isDocument(spec)) return undefined;
  const operands = spec['$eq'];
  if (!Array.isArray(operands) || operands.length !== 2) return undefined;
  const isPath = (v: unknown): v is string => typeof v === 'string' && /^\$[^$]/.test(v);
  const isVariable = (v: unknown): v is string => typeof v === 'string' && v.startsWith('$$');
  const path = operands.find(isPath);
  const variable = operands.find(isVariable);
  if (path === undefined || variable === undefined || /^\$\$(ROOT|CURRENT)/.test(variable)) return undefined;
  const value = compileOperand(variable, c.expressions);
  return (bindings) => {
    const found = value({ root: {}, bindings });
    return found === undefined ? undefined : { [path.slice(1)]: { $eq: found } };
  };
}

function knownConditions(stages: unknown, c: StageContext): Known[] {
  const first: unknown = Array.isArray(stages) ? stages[0] : undefined;
  const match = isDocument(first) ? first['$match'] : undefined;
  const expr = isDocument(match) ? match['$expr'] : undefined;
  const list = isDocument(expr) && Array.isArray(expr['$and']) ? expr['$and'] : [expr];
  const known = list.map((item) => knownEquality(item, c)).filter((item) => item !== undefined);
  const plain = isDocument(match) ? Object.entries(match).filter(([key]) => !key.startsWith('$')) : [];
  return plain.length > 0 ? [...known, () => Object.fromEntries(plain)] : known;
}

function together(filters: (Document | undefined)[]): Document {
  const given = filters.filter((filter) => filter !== undefined);
  return given.length === 0 ? {} : given.length === 1 ? (given[0] as Document) : { $and: given };
}

function compileInner(
  spec: LookupSpec,
  c: StageContext,
): { stage: Stage | undefined; known: Known[]; inner: StageContext } {
  const names = Object.keys(spec.let).map(checkNewVariable);
  const inner = { ...c, expressions: withNames(c.expressions, names) };
  if (spec.pipeline === undefined) return { stage: undefined, known: [], inner };
  return {
    stage: c.compile(spec.pipeline, inner, '$lookup'),
    known: knownConditions(spec.pipeline, inner),
    inner,
  };
}

/** `$lookup`: the matching documents of another collection, by equality of fields, by a pipeline, or both. */
export const lookupStage: BuildStage = (given, c) => {
  const spec = readSpec(given);
  const { stage, known } = compileInner(spec, c);
  const variables = Object.keys(spec.let).map((name): [string, Expr] => [
    name,
    compileOperand(spec.let[name], c.expressions),
  ]);
  return mapping((doc, outer) => {
    const scope = { root: doc, bindings: outer };
    const { bindings } = variables.reduce((inner, [name, value]) => bind(inner, name, value(scope)), scope);
    const join =
      spec.local !== undefined && spec.foreign !== undefined
        ? joinFilter(spec.foreign, joinValues(doc, spec.local))
        : undefined;
    const found = c.find(spec.from, together([join, ...known.map((condition) => condition(bindings))]));
    return withPath(doc, spec.as, [...(stage ? stage(found, bindings) : found)]);
  });
};

/** `$unionWith`: the documents of another collection after those of this one. */
export const unionWithStage: BuildStage = (given, c) => {
  const spec: unknown = typeof given === 'string' ? { coll: given } : given;
  check(
    isDocument(spec),
    'FailedToParse',
    () => `the $unionWith stage specification must be an object or string, but found ${typeNameOf(spec)}`,
  );
  const { coll, pipeline } = spec;
  const stage = pipeline === undefined ? undefined : c.compile(pipeline, c, '$unionWith');
  if (coll === undefined && stage === undefined) {
    throw new EngineError('FailedToParse', '$unionWith must specify a collection or a pipeline');
  }
  check(
    coll === undefined || typeof coll === 'string',
    'TypeMismatch',
    () => "BSON field '$unionWith.coll' is the wrong type, expected type 'string'",
  );
  return function* (input, bindings) {
    yield* input;
    const others = coll === undefined ? [] : c.find(coll, {});
    yield* stage ? stage(others, bindings) : others;
  };
};

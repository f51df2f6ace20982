import { PAUSE, type Pausing } from '../budget.ts';
import { unknownHere } from '../errors.ts';
import { exactLong } from '../values/numbers.ts';
import { showValue } from '../values/show.ts';
import { isDocument, isNumeric, setField, typeNameOf, type Document } from '../values/types.ts';
import { keyOf } from '../values/key.ts';
import { ACCUMULATORS, type Accumulator, type MakeAccumulator } from './accumulators.ts';
import { check, compileExpression, type Expr } from './expression.ts';
import { compileFilter } from './filter.ts';
import { compileSorter, sortDocuments } from './sort.ts';

/** A compiled stage. It passes pauses on. */
type Stage = (input: Pausing<Document>) => Pausing<Document>;

/** Compiles the argument of a stage; `wanted` is the most documents that later stages need. */
type BuildStage = (spec: unknown, name: string, size: number) => Stage;

const match: BuildStage = (spec) => {
  check(isDocument(spec), 15959, () => 'the match filter must be an expression in an object');
  const test = compileFilter(spec);
  return function* (input) {
    for (const doc of input) if (doc === PAUSE || test(doc)) yield doc;
  };
};

const limit: BuildStage = (spec) => {
  check(isNumeric(spec), 15957, () => 'the limit must be specified as a number');
  const n = exactLong(spec);
  check(n !== undefined, 15957, () => {
    return `invalid argument to $limit stage: Expected an integer: $limit: ${showValue(spec)}`;
  });
  check(n > 0n, 15958, () => 'the limit must be positive');
  const most = Number(n);
  return function* (input) {
    let count = 0;
    for (const doc of input) {
      yield doc;
      if (doc !== PAUSE && ++count >= most) return;
    }
  };
};

const skip: BuildStage = (spec) => {
  check(isNumeric(spec), 15972, () => `Argument to $skip must be a number not a ${typeNameOf(spec)}`);
  const n = exactLong(spec);
  check(n !== undefined && n >= 0n, 5107200, () => {
    return `invalid argument to $skip stage: Expected a non-negative number in: $skip: ${showValue(spec)}`;
  });
  const first = Number(n);
  return function* (input) {
    let count = 0;
    for (const doc of input) if (doc === PAUSE || count++ >= first) yield doc;
  };
};

const sort: BuildStage = (spec, _name, size) => {
  check(isDocument(spec), 15973, () => 'the $sort key specification must be an object');
  check(Object.keys(spec).length > 0, 15976, () => '$sort stage must have at least one sort key');
  const sorter = compileSorter(spec);
  return function* (input) {
    yield* yield* sortDocuments(input, sorter, size);
  };
};

/** One computed field of a group: its expression and its accumulator. */
interface GroupField {
  name: string;
  input: Expr;
  make: MakeAccumulator;
}

/** Reads one field of a `$group`: `{ $operator: argument }`. */
function groupField(name: string, spec: unknown): GroupField {
  check(!name.includes('.'), 40235, () => `The field name '${name}' cannot contain '.'`);
  check(!name.startsWith('$'), 40236, () => `The field name '${name}' cannot be an operator name`);
  check(isDocument(spec), 40234, () => `The field '${name}' must be an accumulator object`);
  const [op = '', other] = Object.keys(spec);
  check(op !== '' && other === undefined, 40238, () => `The field '${name}' must specify one accumulator`);
  const argument = spec[op];
  const make = ACCUMULATORS.get(op);
  if (!make) throw unknownHere(15952, `unknown group operator '${op}'`);
  check(!Array.isArray(argument), 40237, () => `The ${op} accumulator is a unary operator`);
  return { name, input: compileExpression(argument), make };
}

/**
 * The key of a group. If it is a document, every field must be computed: numbers and booleans would look like a projection.
 * A missing value becomes null if it is the whole key, and is left out if it is one of several fields.
 */
function groupKey(spec: unknown): Expr {
  const value = compileExpression(spec);
  const [name = '$', ...others] = isDocument(spec) ? Object.keys(spec) : [];
  if (!isDocument(spec) || name.startsWith('$')) return (doc) => value(doc) ?? null;
  const isProjection = Object.values(spec).some((one) => isNumeric(one) || typeof one === 'boolean');
  check(!isProjection, 17390, () => '$group does not support inclusion-style expressions');
  if (others.length > 0) return value;
  const only = compileExpression(spec[name]);
  return (doc) => ({ [name]: only(doc) ?? null });
}

/** `$group`: groups are returned in order of their first document. */
const group: BuildStage = (spec) => {
  check(isDocument(spec), 15947, () => "a group's fields must be specified in an object");
  check(Object.hasOwn(spec, '_id'), 15955, () => 'a group specification must include an _id');
  const key = groupKey(spec['_id']);
  const names = Object.keys(spec).filter((name) => name !== '_id');
  const fields = names.map((name) => groupField(name, spec[name]));
  return function* (input) {
    const groups = new Map<string, { id: unknown; accumulators: Accumulator[] }>();
    for (const doc of input) {
      if (doc === PAUSE) {
        yield PAUSE;
        continue;
      }
      const id = key(doc);
      const text = keyOf(id);
      const known = groups.get(text) ?? { id, accumulators: fields.map(({ make }) => make()) };
      groups.set(text, known);
      fields.forEach((field, i) => (known.accumulators[i] as Accumulator).add(field.input(doc)));
    }
    for (const { id, accumulators } of groups.values()) {
      const result: Document = { _id: id };
      fields.forEach(({ name }, i) => setField(result, name, accumulators[i]?.result() ?? null));
      yield result;
    }
  };
};

const STAGES: Record<string, BuildStage> = {
  $match: match,
  $group: group,
  $sort: sort,
  $limit: limit,
  $skip: skip,
};

function compileStage(spec: unknown, size: number): Stage {
  check(isDocument(spec), 'TypeMismatch', () => "Each element of the 'pipeline' array must be an object");
  const [name = '', other] = Object.keys(spec);
  check(name !== '' && other === undefined, 40323, () => {
    return 'A pipeline stage specification object must contain exactly one field.';
  });
  if (!Object.hasOwn(STAGES, name)) throw unknownHere(40324, `Unrecognized pipeline stage name: '${name}'`);
  return (STAGES[name] as BuildStage)(spec[name], name, size);
}

function numberOf(stage: unknown, name: string): number | undefined {
  const n = isDocument(stage) && Object.hasOwn(stage, name) ? exactLong(stage[name]) : undefined;
  return n === undefined ? undefined : Number(n);
}

/** The most documents that stages need: a `$limit`, plus a `$skip` before it. */
function mostDocuments(stages: readonly unknown[]): number {
  const skipped = numberOf(stages[0], '$skip');
  const most = numberOf(stages[skipped === undefined ? 0 : 1], '$limit');
  return most === undefined ? Infinity : (skipped ?? 0) + most;
}

/**
 * Compiles a pipeline; nothing is read until the result is iterated. Documents pass through one by one where the stages
 * allow it, with pauses between them.
 * @throws EngineError 40324 for an unknown stage, and the errors of each stage
 */
export function compilePipeline(stages: readonly Document[]): Stage {
  const compiled = stages.map((stage, i) => compileStage(stage, mostDocuments(stages.slice(i + 1))));
  return (input) => compiled.reduce((docs, stage) => stage(docs), input);
}

/** The part of a pipeline that a find can answer with indexes, and the remaining stages. */
export interface LeadingQuery {
  filter: Document;
  sort: Document | undefined;
  skip: number | undefined;
  limit: number | undefined;
  rest: Document[];
}

/** Splits off the beginning: `$match` stages, then a `$sort`, a `$skip` and a `$limit`. */
export function leadingQuery(stages: readonly Document[]): LeadingQuery {
  const rest = [...stages];
  const take = (name: string, isFit: (value: unknown) => boolean): unknown => {
    const [stage] = rest;
    const isNext = stage !== undefined && Object.keys(stage).length === 1 && Object.hasOwn(stage, name);
    return isNext && isFit(stage[name]) ? (rest.shift() as Document)[name] : undefined;
  };
  const isCount = (value: unknown): boolean =>
    typeof value === 'number' && Number.isInteger(value) && value > 0;
  const filters: Document[] = [];
  for (let filter = take('$match', isDocument); filter; filter = take('$match', isDocument))
    filters.push(filter as Document);
  return {
    filter: filters.length > 1 ? { $and: filters } : (filters[0] ?? {}),
    sort: take('$sort', isDocument) as Document | undefined,
    skip: take('$skip', isCount) as number | undefined,
    limit: take('$limit', isCount) as number | undefined,
    rest,
  };
}

import { gather, PAUSE } from '../../budget.ts';
import { EngineError } from '../../errors.ts';
import { exactLong } from '../../values/arithmetic.ts';
import { showDocument, showValue } from '../../values/show.ts';
import { isDocument, isNumeric, setField, typeNameOf, type Document } from '../../values/types.ts';
import { compileOperand, isExpressionDocument } from '../expression/compile.ts';
import { check } from '../expression/types.ts';
import { compileDocument } from '../filter/compile.ts';
import { filterContextOf } from '../filter/index.ts';
import { compileAddedFields, compileStageProjection } from '../projection/index.ts';
import { compileSorter, sortDocuments } from '../sort.ts';
import { mapping, type BuildStage, type Stage } from './types.ts';

const match: BuildStage = (spec, { expressions }) => {
  check(isDocument(spec), 15959, () => 'the match filter must be an expression in an object');
  const { onDocument } = compileDocument(spec, filterContextOf(expressions));
  return function* (input, bindings) {
    const test = bindings
      ? compileDocument(spec, filterContextOf(expressions, bindings)).onDocument
      : onDocument;
    for (const doc of input) if (doc === PAUSE || test(doc)) yield doc;
  };
};

/** Says which stage refused a specification. */
function within<T>(name: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `Invalid ${name} :: caused by :: ${error.message}`, { cause: error });
  }
}

const project: BuildStage = (spec, { expressions }, name) => {
  check(isDocument(spec), 15969, () => `${name} specification must be an object`);
  check(
    Object.keys(spec).length > 0,
    51272,
    () => `Invalid ${name} :: caused by :: projection specification must have at least one field`,
  );
  const apply = within(name, () => compileStageProjection(spec, expressions));
  return mapping((doc, bindings) => apply(doc, { root: doc, bindings }));
};

const addFields: BuildStage = (spec, { expressions }, name) => {
  check(
    isDocument(spec),
    40272,
    () => `${name} specification stage must be an object, got ${typeNameOf(spec)}`,
  );
  check(
    Object.keys(spec).length > 0,
    40177,
    () => `Invalid ${name} :: caused by :: specification must have at least one field`,
  );
  const apply = within(name, () => compileAddedFields(spec, expressions));
  return mapping((doc, bindings) => apply(doc, { root: doc, bindings }));
};

const unset: BuildStage = (spec, { expressions }, name) => {
  const fields: unknown[] = Array.isArray(spec) ? spec : [spec];
  check(
    Array.isArray(spec) || typeof spec === 'string',
    31002,
    () => '$unset specification must be a string or an array',
  );
  check(
    fields.length > 0,
    31119,
    () => '$unset specification must be a string or an array with at least one field',
  );
  const exclusion: Document = {};
  for (const field of fields) {
    check(
      typeof field === 'string',
      31120,
      () => '$unset specification must be a string or an array containing only string values',
    );
    setField(exclusion, field, 0);
  }
  const apply = within(name, () => compileStageProjection(exclusion, expressions));
  return mapping((doc) => apply(doc));
};

const limit: BuildStage = (spec) => {
  check(isNumeric(spec), 15957, () => 'the limit must be specified as a number');
  const n = exactLong(spec);
  check(
    n !== undefined,
    15957,
    () => `invalid argument to $limit stage: Expected an integer: $limit: ${showValue(spec)}`,
  );
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
  check(
    n !== undefined && n >= 0n,
    5107200,
    () => `invalid argument to $skip stage: Expected a non-negative number in: $skip: ${showValue(spec)}`,
  );
  const first = Number(n);
  return function* (input) {
    let count = 0;
    for (const doc of input) if (doc === PAUSE || count++ >= first) yield doc;
  };
};

const sort: BuildStage = (spec, { wanted }) => {
  check(isDocument(spec), 15973, () => 'the $sort key specification must be an object');
  check(Object.keys(spec).length > 0, 15976, () => '$sort stage must have at least one sort key');
  const sorter = compileSorter(spec);
  return function* (input) {
    yield* yield* sortDocuments(input, sorter, wanted);
  };
};

const count: BuildStage = (spec) => {
  check(typeof spec === 'string' && spec !== '', 40156, () => 'the count field must be a non-empty string');
  check(!spec.startsWith('$'), 40158, () => 'the count field cannot be a $-prefixed path');
  check(!spec.includes('\0'), 40159, () => 'the count field cannot contain a null byte');
  check(!spec.includes('.'), 40160, () => "the count field cannot contain '.'");
  return function* (input) {
    let total = 0;
    for (const doc of input) {
      if (doc === PAUSE) yield PAUSE;
      else total++;
    }
    if (total > 0) yield { [spec]: total };
  };
};

function replaceWith(spec: unknown, c: Parameters<BuildStage>[1], what: string): Stage {
  const expression = compileOperand(spec, c.expressions);
  return mapping((doc, bindings) => {
    const value = expression({ root: doc, bindings });
    check(
      isDocument(value),
      40228,
      () =>
        `${what} expression  must evaluate to an object, but resulting value was: ${value === undefined ? 'MISSING' : showValue(value)}. Type of resulting value: '${typeNameOf(value)}'. Input document: ${showDocument(doc)}`,
    );
    return value;
  });
}

const replaceRoot: BuildStage = (spec, c) => {
  check(
    isDocument(spec),
    40229,
    () => `expected an object as specification for $replaceRoot stage, got ${typeNameOf(spec)}`,
  );
  for (const key of Object.keys(spec)) {
    check(key === 'newRoot', 40415, () => `BSON field '$replaceRoot.${key}' is an unknown field.`);
  }
  check(
    Object.hasOwn(spec, 'newRoot'),
    40414,
    () => "BSON field '$replaceRoot.newRoot' is missing but a required field",
  );
  return replaceWith(spec['newRoot'], c, "'newRoot'");
};

const sample: BuildStage = (spec) => {
  check(isDocument(spec), 28745, () => 'the $sample stage specification must be an object');
  for (const key of Object.keys(spec))
    check(key === 'size', 28748, () => `unrecognized option to $sample: ${key}`);
  const size = spec['size'];
  check(size !== undefined, 28749, () => '$sample stage must specify a size');
  check(isNumeric(size), 28746, () => 'size argument to $sample must be a number');
  const n = Number(exactLong(size) ?? -1n);
  check(n > 0, 28747, () => 'size argument to $sample must be a positive integer');
  return function* (input) {
    const docs = yield* gather(input);
    for (let i = 0; i < Math.min(n, docs.length); i++) {
      const j = i + Math.floor(Math.random() * (docs.length - i));
      [docs[i], docs[j]] = [docs[j] as Document, docs[i] as Document];
    }
    yield* docs.slice(0, n);
  };
};

const sortByCount: BuildStage = (spec, c) => {
  check(
    (typeof spec === 'string' && spec.startsWith('$')) || isExpressionDocument(spec),
    40149,
    () => 'the sortByCount field must be defined as a $-prefixed path or an expression inside an object',
  );
  return c.compile([{ $group: { _id: spec, count: { $sum: 1 } } }, { $sort: { count: -1 } }], c);
};

/** Stages that need little: each document by itself, or the order and number of documents. */
export const simpleStages: readonly [string, BuildStage][] = [
  ['$match', match],
  ['$project', project],
  ['$addFields', addFields],
  ['$set', addFields],
  ['$unset', unset],
  ['$limit', limit],
  ['$skip', skip],
  ['$sort', sort],
  ['$count', count],
  ['$replaceRoot', replaceRoot],
  ['$replaceWith', (spec, c) => replaceWith(spec, c, "'replacement document'")],
  ['$sample', sample],
  ['$sortByCount', sortByCount],
];

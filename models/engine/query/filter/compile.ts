import { EngineError, unknownHere } from '../../errors.ts';
import { T, isDocument, typeOf, type Document } from '../../values/types.ts';
import { isTruthy } from '../truth.ts';
import { comparisonTest, memberTest, type Comparison } from './compare-tests.ts';
import { existsTest, modTest, sizeTest, typeTest } from './element-tests.ts';
import { all, always, any, leaf, not, type Predicate } from './predicate.ts';
import { isRegex, regexFromOperators, regexTest } from './regex-test.ts';
import type { MatchDetails, ValueTest } from './walk.ts';

/** What compiling a filter needs to know of its surroundings. */
export interface FilterContext {
  /** Compiles the argument of `$expr`; the caller brings it, because expressions are a part of their own. */
  expression(spec: unknown): (doc: Document) => boolean;
}

type Compile = (path: string, value: unknown, c: FilterContext, siblings: Document) => Predicate | undefined;

/** True for `{ $gt: 1 }` and its like, false for plain values and for DBRefs. */
export function isOperatorDocument(value: unknown): value is Document {
  if (!isDocument(value)) return false;
  const [first] = Object.keys(value);
  if (first === undefined || !first.startsWith('$')) return false;
  return !(Object.hasOwn(value, '$ref') && Object.hasOwn(value, '$id'));
}

const comparison =
  (op: Comparison): Compile =>
  (path, value) =>
    leaf(path, comparisonTest(op, value));

function members(op: string, value: unknown): ValueTest {
  if (!Array.isArray(value)) throw new EngineError('BadValue', `${op} needs an array`);
  for (const member of value) {
    if (isOperatorDocument(member)) throw new EngineError('BadValue', `cannot nest $ under ${op}`);
    if (typeOf(member) === T.undefined)
      throw new EngineError('BadValue', 'InMatchExpression equality cannot be undefined');
  }
  const plain = value.filter((member) => !isRegex(member));
  const member = memberTest(plain);
  const regexes = value.filter(isRegex).map(regexTest);
  return regexes.length === 0 ? member : (v) => member(v) || regexes.some((test) => test(v));
}

const compileNot: Compile = (path, value, c) => {
  if (isRegex(value)) return not(leaf(path, regexTest(value)));
  if (!isDocument(value)) throw new EngineError('BadValue', '$not needs a regex or a document');
  if (Object.keys(value).length === 0) throw new EngineError('BadValue', '$not cannot be empty');
  return not(compileOperators(path, value, c));
};

const compileNe: Compile = (path, value) => {
  if (isRegex(value)) throw new EngineError('BadValue', "Can't have regex as arg to $ne.");
  return not(leaf(path, comparisonTest('$eq', value)));
};

const compileOptions: Compile = (_path, _value, _c, siblings) => {
  if (!Object.hasOwn(siblings, '$regex')) throw new EngineError('BadValue', '$options needs a $regex');
  return undefined;
};

/** Whether an `$elemMatch` describes the elements themselves (`{ $gt: 1 }`) rather than documents in the array. */
function describesValues(spec: Document): boolean {
  const [first] = Object.keys(spec);
  return isOperatorDocument(spec) && !['$and', '$or', '$nor', '$where', '$expr'].includes(first ?? '');
}

function firstElement(matches: ValueTest): ValueTest {
  return (value, details) => {
    if (!Array.isArray(value)) return false;
    const index = value.findIndex((element) => matches(element));
    if (index >= 0 && details) details.index = index;
    return index >= 0;
  };
}

/** The test of `$elemMatch` on an array, which tells the position of the element found. */
export function elemMatchTest(
  spec: unknown,
  c: FilterContext,
): (value: unknown, details?: MatchDetails) => boolean {
  if (!isDocument(spec)) throw new EngineError('BadValue', '$elemMatch needs an Object');
  if (describesValues(spec)) return firstElement(compileOperators('', spec, c).onElement);
  const { onDocument } = compileDocument(spec, c);
  return firstElement((element) => (isDocument(element) || Array.isArray(element)) && onDocument(element));
}

const compileAll: Compile = (path, value, c) => {
  if (!Array.isArray(value)) throw new EngineError('BadValue', '$all needs an array');
  if (value.length === 0) return always(false);
  const isElemMatch = (v: unknown): v is Document => isDocument(v) && Object.keys(v)[0] === '$elemMatch';
  if (isElemMatch(value[0])) {
    return all(
      value.map((v) => {
        if (!isElemMatch(v)) throw new EngineError('BadValue', '$all/$elemMatch has to be consistent');
        return leaf(path, elemMatchTest(v['$elemMatch'], c), 'array-only');
      }),
    );
  }
  return all(
    value.map((v) => {
      if (isOperatorDocument(v)) throw new EngineError('BadValue', 'no $ expressions in $all');
      return leaf(path, isRegex(v) ? regexTest(v) : comparisonTest('$eq', v));
    }),
  );
};

const OPERATORS: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ['$eq', comparison('$eq')],
  ['$gt', comparison('$gt')],
  ['$gte', comparison('$gte')],
  ['$lt', comparison('$lt')],
  ['$lte', comparison('$lte')],
  ['$ne', compileNe],
  ['$in', (path, value) => leaf(path, members('$in', value))],
  ['$nin', (path, value) => not(leaf(path, members('$nin', value)))],
  ['$not', compileNot],
  ['$exists', (path, value) => (isTruthy(value) ? leaf(path, existsTest) : not(leaf(path, existsTest)))],
  ['$type', (path, value) => leaf(path, typeTest(value))],
  ['$size', (path, value) => leaf(path, sizeTest(value), 'array-only')],
  ['$mod', (path, value) => leaf(path, modTest(value))],
  ['$regex', (path, _value, _c, siblings) => leaf(path, regexFromOperators(siblings))],
  ['$options', compileOptions],
  ['$elemMatch', (path, value, c) => leaf(path, elemMatchTest(value, c), 'array-only')],
  ['$all', compileAll],
  ['$comment', () => undefined],
]);

function compileOperators(path: string, operators: Document, c: FilterContext): Predicate {
  const inner: Predicate[] = [];
  for (const op of Object.keys(operators)) {
    const compile = OPERATORS.get(op);
    if (!compile) throw unknownHere('BadValue', `unknown operator: ${op}`);
    const predicate = compile(path, operators[op], c, operators);
    if (predicate) inner.push(predicate);
  }
  return all(inner);
}

/** Compiles what a filter says about one path. */
export function compileField(path: string, value: unknown, c: FilterContext): Predicate {
  if (isRegex(value)) return leaf(path, regexTest(value));
  if (isOperatorDocument(value)) return compileOperators(path, value, c);
  return leaf(path, comparisonTest('$eq', value));
}

function branches(op: string, value: unknown, c: FilterContext): Predicate[] {
  if (!Array.isArray(value)) throw new EngineError('BadValue', `${op} argument must be an array`);
  if (value.length === 0) throw new EngineError('BadValue', '$and/$or/$nor must be a nonempty array');
  return value.map((branch) => {
    if (!isDocument(branch))
      throw new EngineError('BadValue', '$or/$and/$nor entries need to be full objects');
    return compileDocument(branch, c);
  });
}

function compileTopLevel(op: string, value: unknown, c: FilterContext): Predicate | undefined {
  switch (op) {
    case '$and':
      return all(branches(op, value, c));
    case '$or':
      return any(branches(op, value, c));
    case '$nor':
      return not(any(branches(op, value, c)));
    case '$expr': {
      const test = c.expression(value);
      return { onDocument: (doc) => test(doc as Document), onElement: (doc) => test(doc as Document) };
    }
    case '$comment':
      return undefined;
    default:
      throw unknownHere('BadValue', `unknown top level operator: ${op}`);
  }
}

/** Compiles a whole filter document. */
export function compileDocument(filter: Document, c: FilterContext): Predicate {
  const inner: Predicate[] = [];
  for (const key of Object.keys(filter)) {
    const value = filter[key];
    const predicate = key.startsWith('$') ? compileTopLevel(key, value, c) : compileField(key, value, c);
    if (predicate) inner.push(predicate);
  }
  return all(inner);
}

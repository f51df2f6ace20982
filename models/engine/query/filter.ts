import { isIndex } from '../values/paths.ts';
import {
  getField,
  isDocument,
  type Document,
  type BSONRegExp,
  BSONSymbol,
  T,
  regexParts,
  typeOf,
} from '../values/types.ts';
import { EngineError, unknownHere } from '../errors.ts';
import { compileRegex } from './regex.ts';
import { isTruthy } from './compare.ts';
import {
  comparisonTest,
  memberTest,
  type Comparison,
  existsTest,
  sizeTest,
  typeTest,
  type ValueTest,
} from './value-tests.ts';

/** Whether an array at the end of a path is also looked into, element by element. */
type Leaf = 'elements-and-array' | 'array-only';

interface Walk {
  parts: readonly string[];
  leaf: Leaf;
  test: ValueTest;
}

function childOf(node: unknown, part: string): unknown {
  if (!Array.isArray(node)) return getField(node as Document, part);
  return isIndex(part) ? node[Number(part)] : undefined;
}

function walkObject(w: Walk, node: unknown, from: number): boolean {
  let value = node;
  for (let i = from; i < w.parts.length; i++) {
    value = childOf(value, w.parts[i] as string);
    if (Array.isArray(value)) return walkArray(w, value, i + 1);
    if (i + 1 < w.parts.length && !isDocument(value)) return w.test(undefined);
  }
  return w.test(value);
}

function walkElement(w: Walk, element: unknown, at: number, from: number): boolean {
  if (isDocument(element) && walkObject(w, element, from)) return true;
  if (w.parts[from] !== String(at)) return false;
  if (from + 1 === w.parts.length) return w.test(element);
  if (Array.isArray(element)) return walkArray(w, element, from + 1);
  return isDocument(element) && walkObject(w, element, from + 1);
}

/**
 * Tests every value a dotted path leads to, as MongoDB's queries do: through arrays of documents, and into an array by
 * a numeric part. A document without the path yields `undefined` (missing); a scalar in the middle of an array nothing.
 */
function walkArray(w: Walk, array: unknown[], from: number): boolean {
  if (from < w.parts.length) return array.some((element, i) => walkElement(w, element, i, from));
  return (w.leaf === 'elements-and-array' && array.some((element) => w.test(element))) || w.test(array);
}

/** Applies a test to the values of a path; a single field that is no array takes a short cut. */
function atPath(path: string, test: ValueTest, leaf: Leaf): ValueTest {
  const walk = { parts: path.split('.'), leaf, test };
  if (walk.parts.length > 1 || path in Object.prototype) return (doc) => walkObject(walk, doc, 0);
  return (doc) => {
    const value = (doc as Document)[path];
    return Array.isArray(value) || Array.isArray(doc) ? walkObject(walk, doc, 0) : test(value);
  };
}

/** A compiled condition: asked of a document it follows its path, asked of one value it looks at just that value. */
interface Predicate {
  onDocument: ValueTest;
  onElement: ValueTest;
}

/** A test of the values a path leads to. */
function leaf(path: string, test: ValueTest, arrays: Leaf = 'elements-and-array'): Predicate {
  return { onDocument: atPath(path, test, arrays), onElement: test };
}

/** Holds when the inner condition does not. */
function not(inner: Predicate): Predicate {
  return { onDocument: (doc) => !inner.onDocument(doc), onElement: (value) => !inner.onElement(value) };
}

/** All must hold. */
function all(inner: readonly Predicate[]): Predicate {
  const [only] = inner;
  if (only && inner.length === 1) return only;
  return {
    onDocument: (doc) => inner.every((p) => p.onDocument(doc)),
    onElement: (value) => inner.every((p) => p.onElement(value)),
  };
}

/** One must hold. */
function any(inner: readonly Predicate[]): Predicate {
  return {
    onDocument: (doc) => inner.some((p) => p.onDocument(doc)),
    onElement: (value) => inner.some((p) => p.onElement(value)),
  };
}

/** The same answer for every document. */
function always(result: boolean): Predicate {
  return { onDocument: () => result, onElement: () => result };
}

/** True for a regular expression value. */
export function isRegex(value: unknown): value is BSONRegExp | RegExp {
  return typeOf(value) === T.regex;
}

function testOf(pattern: string, options: string): ValueTest {
  const regex = compileRegex(pattern, options);
  return (value) => {
    if (typeof value === 'string') return regex.test(value);
    if (value instanceof BSONSymbol) return regex.test(value.value);
    if (!isRegex(value)) return false;
    const parts = regexParts(value);
    return parts.pattern === pattern && parts.options === options;
  };
}

/** The test of a regular expression: strings it matches, and values that are the very same expression. */
function regexTest(value: unknown): ValueTest {
  const { pattern, options } = regexParts(value);
  return testOf(pattern, options);
}

/** The test of `{ $regex: …, $options: … }`. */
function regexFromOperators(operators: Document): ValueTest {
  const regex = operators['$regex'];
  const given = operators['$options'];
  if (given !== undefined && typeof given !== 'string')
    throw new EngineError('BadValue', '$options has to be a string');
  if (typeof regex === 'string') return testOf(regex, given ?? '');
  if (!isRegex(regex)) throw new EngineError('BadValue', '$regex has to be a string');
  const { pattern, options } = regexParts(regex);
  if (options !== '' && given !== undefined && given !== '') {
    throw new EngineError(51075, 'options set in both $regex and $options');
  }
  return testOf(pattern, given || options);
}

type Compile = (path: string, value: unknown, siblings: Document) => Predicate | undefined;

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

const compileNot: Compile = (path, value) => {
  if (isRegex(value)) return not(leaf(path, regexTest(value)));
  if (!isDocument(value)) throw new EngineError('BadValue', '$not needs a regex or a document');
  if (Object.keys(value).length === 0) throw new EngineError('BadValue', '$not cannot be empty');
  return not(compileOperators(path, value));
};

const compileNe: Compile = (path, value) => {
  if (isRegex(value)) throw new EngineError('BadValue', "Can't have regex as arg to $ne.");
  return not(leaf(path, comparisonTest('$eq', value)));
};

const compileOptions: Compile = (_path, _value, siblings) => {
  if (!Object.hasOwn(siblings, '$regex')) throw new EngineError('BadValue', '$options needs a $regex');
  return undefined;
};

/** Whether an `$elemMatch` describes the elements themselves (`{ $gt: 1 }`) rather than documents in the array. */
function describesValues(spec: Document): boolean {
  const [first] = Object.keys(spec);
  return isOperatorDocument(spec) && !['$and', '$or', '$nor'].includes(first ?? '');
}

/** The test of `$elemMatch` on an array. */
function elemMatchTest(spec: unknown): ValueTest {
  if (!isDocument(spec)) throw new EngineError('BadValue', '$elemMatch needs an Object');
  const { onElement } = describesValues(spec)
    ? compileOperators('', spec)
    : elementDocuments(compileDocument(spec).onDocument);
  return (value) => Array.isArray(value) && value.some((element) => onElement(element));
}

function elementDocuments(test: ValueTest): { onElement: ValueTest } {
  return { onElement: (element) => (isDocument(element) || Array.isArray(element)) && test(element) };
}

const compileAll: Compile = (path, value) => {
  if (!Array.isArray(value)) throw new EngineError('BadValue', '$all needs an array');
  if (value.length === 0) return always(false);
  const isElemMatch = (v: unknown): v is Document => isDocument(v) && Object.keys(v)[0] === '$elemMatch';
  if (isElemMatch(value[0])) {
    return all(
      value.map((v) => {
        if (!isElemMatch(v)) throw new EngineError('BadValue', '$all/$elemMatch has to be consistent');
        return leaf(path, elemMatchTest(v['$elemMatch']), 'array-only');
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
  ['$regex', (path, _value, siblings) => leaf(path, regexFromOperators(siblings))],
  ['$options', compileOptions],
  ['$elemMatch', (path, value) => leaf(path, elemMatchTest(value), 'array-only')],
  ['$all', compileAll],
  ['$comment', () => undefined],
]);

function compileOperators(path: string, operators: Document): Predicate {
  const inner: Predicate[] = [];
  for (const op of Object.keys(operators)) {
    const compile = OPERATORS.get(op);
    if (!compile) throw unknownHere('BadValue', `unknown operator: ${op}`);
    const predicate = compile(path, operators[op], operators);
    if (predicate) inner.push(predicate);
  }
  return all(inner);
}

/** Compiles what a filter says about one path. */
export function compileField(path: string, value: unknown): Predicate {
  if (isRegex(value)) return leaf(path, regexTest(value));
  if (isOperatorDocument(value)) return compileOperators(path, value);
  return leaf(path, comparisonTest('$eq', value));
}

function branches(op: string, value: unknown): Predicate[] {
  if (!Array.isArray(value)) throw new EngineError('BadValue', `${op} argument must be an array`);
  if (value.length === 0) throw new EngineError('BadValue', '$and/$or/$nor must be a nonempty array');
  return value.map((branch) => {
    if (!isDocument(branch))
      throw new EngineError('BadValue', '$or/$and/$nor entries need to be full objects');
    return compileDocument(branch);
  });
}

function compileTopLevel(op: string, value: unknown): Predicate | undefined {
  switch (op) {
    case '$and':
      return all(branches(op, value));
    case '$or':
      return any(branches(op, value));
    case '$nor':
      return not(any(branches(op, value)));
    case '$comment':
      return undefined;
    default:
      throw unknownHere('BadValue', `unknown top level operator: ${op}`);
  }
}

/** Compiles a whole filter document. */
export function compileDocument(filter: Document): Predicate {
  const inner: Predicate[] = [];
  for (const key of Object.keys(filter)) {
    const value = filter[key];
    const predicate = key.startsWith('$') ? compileTopLevel(key, value) : compileField(key, value);
    if (predicate) inner.push(predicate);
  }
  return all(inner);
}

/** A predicate over documents. */
export type Matcher = (doc: Document) => boolean;

/**
 * Compiles a filter to a predicate.
 * @throws EngineError BadValue and others for what the server would refuse, and for what the engine does not have
 */
export function compileFilter(filter: Document): Matcher {
  return compileDocument(filter).onDocument;
}

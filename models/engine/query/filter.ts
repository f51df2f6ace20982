import { isIndex } from './extract.ts';
import {
  getField,
  isDocument,
  type Document,
  type BSONRegExp,
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
  type ValueTest,
} from './value-tests.ts';

/** Whether the elements of an array at the end of a path are tested too. */
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
 * Tests every value at a dotted path, as MongoDB's queries do: through arrays of documents, and into an array by
 * a numeric part. A document without the path yields `undefined` (missing); a scalar inside an array yields nothing.
 */
function walkArray(w: Walk, array: unknown[], from: number): boolean {
  if (from < w.parts.length) return array.some((element, i) => walkElement(w, element, i, from));
  return (w.leaf === 'elements-and-array' && array.some((element) => w.test(element))) || w.test(array);
}

/** A predicate over documents. */
export type Matcher = (doc: Document) => boolean;

/** Applies a test to the values at a path, with a fast path for a single non-array field. */
function atPath(path: string, test: ValueTest, leaf: Leaf = 'elements-and-array'): Matcher {
  const walk = { parts: path.split('.'), leaf, test };
  if (walk.parts.length > 1 || path in Object.prototype) return (doc) => walkObject(walk, doc, 0);
  return (doc) => {
    const value = doc[path];
    return Array.isArray(value) ? walkObject(walk, doc, 0) : test(value);
  };
}

/** True when the inner matcher is false. */
function not(inner: Matcher): Matcher {
  return (doc) => !inner(doc);
}

/** All must hold. */
function all(inner: readonly Matcher[]): Matcher {
  const [only] = inner;
  return only && inner.length === 1 ? only : (doc) => inner.every((matches) => matches(doc));
}

/** One must hold. */
function any(inner: readonly Matcher[]): Matcher {
  return (doc) => inner.some((matches) => matches(doc));
}

/** True for a regular expression value. */
export function isRegex(value: unknown): value is BSONRegExp | RegExp {
  return typeOf(value) === T.regex;
}

function testOf(pattern: string, options: string): ValueTest {
  const regex = compileRegex(pattern, options);
  return (value) => {
    if (typeof value === 'string') return regex.test(value);
    if (!isRegex(value)) return false;
    const parts = regexParts(value);
    return parts.pattern === pattern && parts.options === options;
  };
}

/** The test of a regular expression: true for strings it matches, and for values that are the same expression. */
function regexTest(value: unknown): ValueTest {
  const { pattern, options } = regexParts(value);
  return testOf(pattern, options);
}

/** The test of `{ $regex: …, $options: … }`. */
function regexFromOperators(operators: Document): ValueTest {
  const regex = operators['$regex'];
  const flags = operators['$options'];
  if (flags !== undefined && typeof flags !== 'string')
    throw new EngineError('BadValue', '$options has to be a string');
  if (typeof regex === 'string') return testOf(regex, flags ?? '');
  if (!isRegex(regex)) throw new EngineError('BadValue', '$regex has to be a string');
  const { pattern, options } = regexParts(regex);
  if (options !== '' && flags !== undefined && flags !== '') {
    throw new EngineError(51075, 'options set in both $regex and $options');
  }
  return testOf(pattern, flags || options);
}

type Compile = (path: string, value: unknown, siblings: Document) => Matcher | undefined;

/** True for documents such as `{ $gt: 1 }`, false for plain values and DBRefs. */
export function isOperatorDocument(value: unknown): value is Document {
  if (!isDocument(value)) return false;
  const [first] = Object.keys(value);
  if (first === undefined || !first.startsWith('$')) return false;
  return !(Object.hasOwn(value, '$ref') && Object.hasOwn(value, '$id'));
}

const comparison =
  (op: Comparison): Compile =>
  (path, value) =>
    atPath(path, comparisonTest(op, value));

function members(op: string, value: unknown): ValueTest {
  if (!Array.isArray(value)) throw new EngineError('BadValue', `${op} needs an array`);
  for (const member of value) {
    if (isOperatorDocument(member)) throw new EngineError('BadValue', `cannot nest $ under ${op}`);
  }
  const plain = value.filter((member) => !isRegex(member));
  const member = memberTest(plain);
  const regexes = value.filter(isRegex).map(regexTest);
  return regexes.length === 0 ? member : (v) => member(v) || regexes.some((test) => test(v));
}

const compileNot: Compile = (path, value) => {
  if (isRegex(value)) return not(atPath(path, regexTest(value)));
  if (!isDocument(value)) throw new EngineError('BadValue', '$not needs a regex or a document');
  if (Object.keys(value).length === 0) throw new EngineError('BadValue', '$not cannot be empty');
  return not(compileOperators(path, value));
};

const compileNe: Compile = (path, value) => {
  if (isRegex(value)) throw new EngineError('BadValue', "Can't have regex as arg to $ne.");
  return not(atPath(path, comparisonTest('$eq', value)));
};

const compileOptions: Compile = (_path, _value, siblings) => {
  if (!Object.hasOwn(siblings, '$regex')) throw new EngineError('BadValue', '$options needs a $regex');
  return undefined;
};

const OPERATORS: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ['$eq', comparison('$eq')],
  ['$gt', comparison('$gt')],
  ['$gte', comparison('$gte')],
  ['$lt', comparison('$lt')],
  ['$lte', comparison('$lte')],
  ['$ne', compileNe],
  ['$in', (path, value) => atPath(path, members('$in', value))],
  ['$nin', (path, value) => not(atPath(path, members('$nin', value)))],
  ['$not', compileNot],
  ['$exists', (path, value) => (isTruthy(value) ? atPath(path, existsTest) : not(atPath(path, existsTest)))],
  ['$size', (path, value) => atPath(path, sizeTest(value), 'array-only')],
  ['$regex', (path, _value, siblings) => atPath(path, regexFromOperators(siblings))],
  ['$options', compileOptions],
  ['$comment', () => undefined],
]);

function compileOperators(path: string, operators: Document): Matcher {
  const inner: Matcher[] = [];
  for (const op of Object.keys(operators)) {
    const compile = OPERATORS.get(op);
    if (!compile) throw unknownHere('BadValue', `unknown operator: ${op}`);
    const matcher = compile(path, operators[op], operators);
    if (matcher) inner.push(matcher);
  }
  return all(inner);
}

/** Compiles a filter's conditions on one path. */
function compileField(path: string, value: unknown): Matcher {
  if (isRegex(value)) return atPath(path, regexTest(value));
  if (isOperatorDocument(value)) return compileOperators(path, value);
  return atPath(path, comparisonTest('$eq', value));
}

function branches(op: string, value: unknown): Matcher[] {
  if (!Array.isArray(value)) throw new EngineError('BadValue', `${op} argument must be an array`);
  if (value.length === 0) throw new EngineError('BadValue', '$and/$or/$nor must be a nonempty array');
  return value.map((branch) => {
    if (!isDocument(branch))
      throw new EngineError('BadValue', '$or/$and/$nor entries need to be full objects');
    return compileFilter(branch);
  });
}

function compileTopLevel(op: string, value: unknown): Matcher | undefined {
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

/**
 * Compiles a filter into a predicate.
 * @throws EngineError BadValue and others for filters that the server would refuse or the engine does not support
 */
export function compileFilter(filter: Document): Matcher {
  const inner: Matcher[] = [];
  for (const key of Object.keys(filter)) {
    const value = filter[key];
    const matcher = key.startsWith('$') ? compileTopLevel(key, value) : compileField(key, value);
    if (matcher) inner.push(matcher);
  }
  return all(inner);
}

import { BSONRegExp, Binary, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';

/**
 * What filters, sorts and projections mean over all BSON types, written as plainly as MongoDB's manual says it and
 * without a line of the engine: values are taken apart into ranks and exact fractions.
 */
export type Doc = Record<string, unknown>;

const isArray = (value: unknown): value is unknown[] => Array.isArray(value);

/** Missing and null have one rank in sorting; a filter tells them apart by `$exists` and `$type` only. */
export function rank(value: unknown): number {
  if (value instanceof MinKey) return -1;
  if (value instanceof MaxKey) return 99;
  if (value === undefined || value === null) return 0;
  if (isNumber(value)) return 1;
  if (typeof value === 'string') return 2;
  if (isArray(value)) return 4;
  if (value instanceof Binary) return 5;
  if (value instanceof ObjectId) return 6;
  if (typeof value === 'boolean') return 7;
  if (value instanceof Date) return 8;
  if (value instanceof Timestamp) return 9;
  return value instanceof BSONRegExp ? 10 : 3;
}

function isNumber(value: unknown): boolean {
  if (typeof value === 'number' || value instanceof Double || value instanceof Int32) return true;
  return value instanceof Long && !(value instanceof Timestamp);
}

/** A number as a fraction of whole numbers; infinities by their sign alone. */
type Fraction = { special: 'nan' | 'high' | 'low' } | { special: undefined; over: bigint; under: bigint };

export function fraction(value: unknown): Fraction {
  if (value instanceof Long) return { special: undefined, over: BigInt(value.toString()), under: 1n };
  const plain = typeof value === 'number' ? value : (value as Double | Int32).value;
  if (Number.isNaN(plain)) return { special: 'nan' };
  if (!Number.isFinite(plain)) return { special: plain < 0 ? 'low' : 'high' };
  let [size, under] = [plain, 1n];
  for (; !Number.isInteger(size); size *= 2) under *= 2n;
  return { special: undefined, over: BigInt(size), under };
}

const SPECIAL = { nan: -2, low: -1, high: 1 };

function sign(n: bigint | number): number {
  return n < 0 ? -1 : n > 0 ? 1 : 0;
}

function compareNumbers(a: unknown, b: unknown): number {
  const [x, y] = [fraction(a), fraction(b)];
  if (x.special === undefined && y.special === undefined) return sign(x.over * y.under - y.over * x.under);
  return sign((x.special ? SPECIAL[x.special] : 0) - (y.special ? SPECIAL[y.special] : 0));
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compare(a[i], b[i]);
    if (order !== 0) return order;
  }
  return sign(a.length - b.length);
}

/** MongoDB's order of any two values. */
export function compare(a: unknown, b: unknown): number {
  if (rank(a) !== rank(b)) return sign(rank(a) - rank(b));
  const bytes = (value: unknown): Buffer => Buffer.from(String(value));
  switch (rank(a)) {
    case 1:
      return compareNumbers(a, b);
    case 2:
      return sign(Buffer.compare(bytes(a), bytes(b)));
    case 3: {
      const parts = (doc: unknown): unknown[] =>
        Object.entries(doc as Doc).flatMap(([name, value]) => [rank(value), name, value]);
      return compareLists(parts(a), parts(b));
    }
    case 4:
      return compareLists(a as unknown[], b as unknown[]);
    case 5: {
      const [x, y] = [a as Binary, b as Binary];
      return sign(x.length() - y.length() || x.sub_type - y.sub_type || Buffer.compare(x.value(), y.value()));
    }
    case 6:
      return sign(Buffer.compare(Buffer.from(String(a), 'hex'), Buffer.from(String(b), 'hex')));
    case 7:
    case 8:
      return sign(Number(a) - Number(b));
    case 9:
      return sign((a as Timestamp).t - (b as Timestamp).t || (a as Timestamp).i - (b as Timestamp).i);
    case 10: {
      const [x, y] = [a as BSONRegExp, b as BSONRegExp];
      return compareLists([x.pattern, x.options], [y.pattern, y.options]);
    }
    default:
      return 0;
  }
}

const isDoc = (value: unknown): value is Doc => rank(value) === 3;

/** A value that a path leads to; one that is addressed by its place in an array is not looked into. */
interface Reached {
  value: unknown;
  byPlace: boolean;
}

/** What a path leads to: through arrays it leads to several values, or to none. */
function reach(value: unknown, path: readonly string[], byPlace = false): Reached[] {
  const [name, ...rest] = path;
  if (name === undefined) return [{ value, byPlace }];
  if (isArray(value)) {
    const isPlace = /^\d+$/.test(name) && Number(name) < value.length;
    const at = isPlace ? reach(value[Number(name)], rest, true) : [];
    return [...value.filter(isDoc).flatMap((item) => reach(item, path)), ...at];
  }
  if (isDoc(value)) return reach(value[name], rest);
  // A document without the path lacks a value there, null for a filter; what is no document, inside an array, leads to nothing.
  return byPlace ? [] : [{ value: undefined, byPlace }];
}

type Test = (value: unknown) => boolean;

const isNaNValue = (value: unknown): boolean => isNumber(value) && fraction(value).special === 'nan';

function ordered(op: string, operand: unknown): Test {
  const holds: Record<string, (order: number) => boolean> = {
    $eq: (order) => order === 0,
    $gt: (order) => order > 0,
    $gte: (order) => order >= 0,
    $lt: (order) => order < 0,
    $lte: (order) => order <= 0,
  };
  return (value) => {
    if (rank(value) !== rank(operand)) {
      if (operand instanceof MaxKey) return op === '$lt' || op === '$lte';
      return operand instanceof MinKey && (op === '$gt' || op === '$gte');
    }
    if (op !== '$eq' && isNaNValue(value) !== isNaNValue(operand)) return false;
    return holds[op]?.(compare(value, operand)) === true;
  };
}

/** Strings that an expression finds, and the expression itself as a value. */
function found(pattern: string, options: string): Test {
  return (value) =>
    value instanceof BSONRegExp
      ? value.pattern === pattern && value.options === options
      : typeof value === 'string' && new RegExp(pattern, `${options}u`).test(value);
}

/** What stands for itself, but for an expression. */
const equal = (expected: unknown): Test =>
  expected instanceof BSONRegExp ? found(expected.pattern, expected.options) : ordered('$eq', expected);

/** Whether one value meets an operator; undefined for those that speak of a whole array or of presence. */
function valueTest(op: string, operand: unknown, options: unknown): Test | undefined {
  if (op === '$eq') return equal(operand);
  if (['$gt', '$gte', '$lt', '$lte'].includes(op)) return ordered(op, operand);
  if (op === '$in') return (value) => (operand as unknown[]).some((one) => equal(one)(value));
  if (op === '$regex') return found(operand as string, (options as string | undefined) ?? '');
  return undefined;
}

/** Whether all of a path's conditions are met. */
function meetsAll(doc: unknown, path: readonly string[], operators: Doc): boolean {
  const { $options, ...others } = operators;
  return Object.entries(others).every(([op, operand]) => meets(doc, path, op, operand, $options));
}

/** Whether a path's values meet one operator; elements of an array at its end count as well as the array. */
function meets(
  doc: unknown,
  path: readonly string[],
  op: string,
  operand: unknown,
  options?: unknown,
): boolean {
  const places = reach(doc, path);
  const reached = places.map(({ value }) => value);
  const wide = places.flatMap(({ value, byPlace }) =>
    isArray(value) && !byPlace ? [...value, value] : [value],
  );
  const test = valueTest(op, operand, options);
  if (test) return wide.some(test);
  switch (op) {
    case '$ne':
      return !wide.some(ordered('$eq', operand));
    case '$nin':
      return !meets(doc, path, '$in', operand);
    case '$not':
      return !(operand instanceof BSONRegExp
        ? wide.some(equal(operand))
        : meetsAll(doc, path, operand as Doc));
    case '$exists':
      return wide.some((value) => value !== undefined) === Boolean(operand);
    case '$size':
      return reached.some((value) => isArray(value) && value.length === operand);
    default:
      throw new Error(`the model has no ${op}`);
  }
}

/** Whether a document meets a filter. */
export function matches(doc: Doc, filter: Doc): boolean {
  return Object.entries(filter).every(([path, expected]) => {
    if (path === '$and') return (expected as Doc[]).every((part) => matches(doc, part));
    if (path === '$or') return (expected as Doc[]).some((part) => matches(doc, part));
    if (path === '$nor') return !(expected as Doc[]).some((part) => matches(doc, part));
    const operators =
      isDoc(expected) && Object.keys(expected)[0]?.startsWith('$') === true ? expected : { $eq: expected };
    return meetsAll(doc, path.split('.'), operators);
  });
}

/** The one value under a path that leads through documents only. */
function sortKey(doc: Doc, path: string): unknown {
  const at = (node: unknown, part: string): unknown => (isDoc(node) ? node[part] : undefined);
  return path.split('.').reduce(at, doc as unknown) ?? null;
}

/** The order of two documents under a sort pattern, on whose paths neither has an array. */
export function compareBy(pattern: Record<string, 1 | -1>): (a: Doc, b: Doc) => number {
  return (a, b) => {
    for (const [path, direction] of Object.entries(pattern)) {
      const order = direction * compare(sortKey(a, path), sortKey(b, path));
      if (order !== 0) return order;
    }
    return 0;
  };
}

import { EngineError, unknownHere, unsupported, type CodeName } from '../errors.ts';
import {
  exactLong,
  fitsLong,
  makeDouble,
  makeInteger,
  toBigInt,
  toDouble,
  truncateToLong,
  widerType,
} from '../values/arithmetic.ts';
import { cloneValue } from '../values/clone.ts';
import { showDocument } from '../values/show.ts';
import {
  getField,
  isDocument,
  isNumeric,
  Long,
  ObjectId,
  setField,
  T,
  Timestamp,
  typeNameOf,
  typeOf,
  type Document,
} from '../values/types.ts';
import { compareValues, isTruthy } from './compare.ts';

/** A compiled expression: its value for a document; `undefined` is a missing value. */
export type Expr = (root: Document) => unknown;

/** Compiles the argument of an operator. */
type Build = (spec: unknown, op: string) => Expr;

/** Missing, null, or the deprecated undefined. */
export function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined || typeOf(value) === T.undefined;
}

/** Throws unless a condition holds; messages are built only when needed. */
export function check(condition: boolean, code: CodeName | number, message: () => string): asserts condition {
  if (!condition) throw new EngineError(code, message());
}

/** The values of a path in the documents of an array; other elements, also arrays, are passed over. */
function throughArray(array: readonly unknown[], parts: readonly string[], from: number): unknown[] {
  return array
    .filter(isDocument)
    .map((element) => throughDocument(element, parts, from))
    .filter((value) => value !== undefined);
}

/** Follows a path as expressions do: through documents, and into every document of an array. */
function throughDocument(doc: Document, parts: readonly string[], from: number): unknown {
  let value: unknown = doc;
  for (let i = from; i < parts.length; i++) {
    if (Array.isArray(value)) return throughArray(value, parts, i);
    if (!isDocument(value)) return undefined;
    value = getField(value, parts[i] as string);
  }
  return value;
}

/**
 * The parts of a field path, checked.
 * @throws EngineError for empty parts, `$` at a part's start, or a null byte
 */
export function fieldPathParts(path: string): string[] {
  check(!path.endsWith('.'), 40353, () => "FieldPath must not end with a '.'.");
  const parts = path.split('.');
  for (const part of parts) {
    check(part !== '', 15998, () => 'FieldPath field names may not be empty strings.');
    check(!part.startsWith('$'), 16410, () => "FieldPath field names may not start with '$'.");
    check(!part.includes('\0'), 16411, () => 'FieldPath field names may not contain null bytes');
  }
  return parts;
}

/** Compiles `$path`, `$$ROOT` and `$$ROOT.path`. */
function compilePath(text: string): Expr {
  check(text.length > 1, 16872, () => "'$' by itself is not a valid FieldPath");
  if (text === '$$ROOT') return (root) => root;
  const isRoot = text.startsWith('$$ROOT.');
  if (text.startsWith('$$') && !isRoot)
    throw unknownHere(17276, `Use of undefined variable: ${text.slice(2)}`);
  const parts = fieldPathParts(text.slice(isRoot ? '$$ROOT.'.length : 1));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return (root) => getField(root, only);
  return (root) => throughDocument(root, parts, 0);
}

function compileObject(spec: Document): Expr {
  const fields = Object.keys(spec).map((name): [string, Expr] => {
    check(!name.includes('.'), 16412, () => "FieldPath field names may not contain '.'.");
    fieldPathParts(name);
    return [name, compileExpression(spec[name])];
  });
  return (root) => {
    const result: Document = {};
    for (const [name, value] of fields) {
      const computed = value(root);
      if (computed !== undefined) setField(result, name, computed);
    }
    return result;
  };
}

/**
 * Compiles any expression: a path, an operator, a document or an array of expressions, or a constant.
 * @throws EngineError 168 for an operator that is not here, 17276 for a variable other than `$$ROOT`
 */
export function compileExpression(spec: unknown): Expr {
  if (typeof spec === 'string' && spec.startsWith('$')) return compilePath(spec);
  if (Array.isArray(spec)) {
    const items = spec.map(compileExpression);
    return (root) => items.map((item) => item(root) ?? null);
  }
  if (!isDocument(spec)) return () => spec;
  if (Object.keys(spec)[0]?.startsWith('$') !== true) return compileObject(spec);
  const [op = '', other] = Object.keys(spec);
  check(other === undefined, 15983, () => {
    return `An object representing an expression must have exactly one field: ${showDocument(spec)}`;
  });
  if (!Object.hasOwn(OPERATORS, op))
    throw unknownHere('InvalidPipelineOperator', `Unrecognized expression '${op}'`);
  return (OPERATORS[op] as Build)(spec[op], op);
}

/** The operands an argument stands for, an array's elements or the one itself. */
function operandsOf(op: string, spec: unknown, min: number, max: number): Expr[] {
  const operands: unknown[] = Array.isArray(spec) ? spec : [spec];
  const count = operands.length;
  const wanted =
    min === max ? `exactly ${min} arguments.` : `at least ${min} arguments, and at most ${max}, but`;
  check(count >= min && count <= max, min === max ? 16020 : 28667, () => {
    return `Expression ${op} takes ${wanted} ${count} were passed in.`;
  });
  return operands.map(compileExpression);
}

/** The named arguments of an operator. @throws EngineError 9 for one that is unknown or missing */
function namedArguments(op: string, spec: unknown, required: string[], optional: string[] = []): Document {
  check(isDocument(spec), 'FailedToParse', () => `${op} only supports an object as its argument`);
  for (const name of Object.keys(spec)) {
    const known = required.includes(name) || optional.includes(name);
    check(known, 'FailedToParse', () => `Unrecognized argument to ${op}: ${name}`);
  }
  for (const name of required)
    check(Object.hasOwn(spec, name), 'FailedToParse', () => `Missing '${name}' parameter to ${op}`);
  return spec;
}

/** An operator of several operands, all evaluated first. */
function several(min: number, max: number, apply: (args: unknown[], op: string) => unknown): Build {
  return (spec, op) => {
    const operands = operandsOf(op, spec, min, max);
    return (root) =>
      apply(
        operands.map((operand) => operand(root)),
        op,
      );
  };
}

const unary = (apply: (value: unknown, op: string) => unknown): Build =>
  several(1, 1, ([value], op) => apply(value, op));

const binary = (apply: (a: unknown, b: unknown, op: string) => unknown): Build =>
  several(2, 2, ([a, b], op) => apply(a, b, op));

const comparison = (holds: (order: number) => unknown): Build => binary((a, b) => holds(compareValues(a, b)));

/** The wider type of two numbers; decimals are stored and compared, but never calculated with. */
export function arithmeticType(a: number, b: number): number {
  const type = widerType(a, b);
  if (type === T.decimal) throw unsupported('arithmetic with Decimal128');
  return type;
}

/** A date from milliseconds, refused outside of what a date can hold here. */
function makeDate(millis: number, op: string): Date {
  check(Math.abs(millis) <= 8.64e15, 'Overflow', () => `date overflow in ${op}`);
  return new Date(millis);
}

const EXACT = {
  add: (x: bigint, y: bigint) => x + y,
  subtract: (x: bigint, y: bigint) => x - y,
  multiply: (x: bigint, y: bigint) => x * y,
};
const ROUNDED = {
  add: (x: number, y: number) => x + y,
  subtract: (x: number, y: number) => x - y,
  multiply: (x: number, y: number) => x * y,
};

/** A result in the wider of two types: exact in int64 where it fits, a double beyond that. */
function calculated(operation: keyof typeof EXACT, a: unknown, b: unknown): unknown {
  const type = arithmeticType(typeOf(a), typeOf(b));
  const exact = type === T.double ? undefined : EXACT[operation](toBigInt(a), toBigInt(b));
  if (exact !== undefined && fitsLong(exact)) return makeInteger(exact, type);
  return makeDouble(ROUNDED[operation](toDouble(a), toDouble(b)));
}

/** `$add`: numbers, and at most one date, to which numbers are milliseconds. */
function add(args: unknown[], op: string): unknown {
  let total: unknown = 0;
  let date: Date | undefined;
  for (const value of args) {
    if (isNullish(value)) return null;
    const numeric = isNumeric(value);
    check(numeric || value instanceof Date, 'TypeMismatch', () => {
      return `$add only supports numeric or date types, not ${typeNameOf(value)}`;
    });
    check(numeric || date === undefined, 16612, () => 'only one date allowed in an $add expression');
    if (value instanceof Date) date = value;
    else total = calculated('add', total, value);
  }
  return date ? makeDate(date.getTime() + Math.round(toDouble(total)), op) : total;
}

function multiply(args: unknown[]): unknown {
  let product: unknown = 1;
  for (const value of args) {
    if (isNullish(value)) return null;
    check(isNumeric(value), 'TypeMismatch', () => {
      return `$multiply only supports numeric types, not ${typeNameOf(value)}`;
    });
    product = calculated('multiply', product, value);
  }
  return product;
}

function subtract(a: unknown, b: unknown, op: string): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (isNumeric(a) && isNumeric(b)) return calculated('subtract', a, b);
  check(a instanceof Date && (b instanceof Date || isNumeric(b)), 'TypeMismatch', () => {
    return `can't $subtract ${typeNameOf(b)} from ${typeNameOf(a)}`;
  });
  if (b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  return makeDate(a.getTime() - Number(truncateToLong(b) ?? NaN), op);
}

/** An operator of two numbers; null when one is null. */
function ofTwo(code: number | 'TypeMismatch', apply: (a: unknown, b: unknown) => unknown): Build {
  return binary((a, b, op) => {
    if (isNullish(a) || isNullish(b)) return null;
    check(isNumeric(a) && isNumeric(b), code, () => {
      return `${op} only supports numeric types, not ${typeNameOf(a)} and ${typeNameOf(b)}`;
    });
    arithmeticType(typeOf(a), typeOf(b));
    return apply(a, b);
  });
}

function divide(a: unknown, b: unknown): unknown {
  check(toDouble(b) !== 0, 'BadValue', () => "can't $divide by zero");
  return makeDouble(toDouble(a) / toDouble(b));
}

function remainder(a: unknown, b: unknown): unknown {
  check(toDouble(b) !== 0, 16610, () => "can't $mod by zero");
  const whole = exactLong(b);
  if (typeOf(a) === T.double || whole === undefined) return makeDouble(toDouble(a) % toDouble(b));
  return makeInteger(toBigInt(a) % whole, typeOf(a) === T.long || typeOf(b) === T.long ? T.long : T.int);
}

/** Numbers are cut off, a date is its milliseconds. Texts are refused rather than read. */
function toLong(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (typeof value === 'boolean') return Long.fromNumber(Number(value));
  if (value instanceof Date) return Long.fromNumber(value.getTime());
  if (typeof value === 'string') throw unsupported('reading a number from a text');
  const whole = truncateToLong(value);
  check(whole !== undefined, 'ConversionFailure', () => {
    return isNumeric(value)
      ? 'Conversion would overflow target type in $convert with no onError value'
      : `Unsupported conversion from ${typeNameOf(value)} to long in $convert with no onError value`;
  });
  return Long.fromBigInt(whole);
}

function concat(args: unknown[], op: string): unknown {
  let text = '';
  for (const part of args) {
    if (isNullish(part)) return null;
    check(typeof part === 'string', 16702, () => `${op} only supports strings, not ${typeNameOf(part)}`);
    text += part;
  }
  return text;
}

/** Upper and lower case know ASCII only, as the server's do. What is no text is refused rather than written as one. */
const changingCase = (letters: RegExp, change: (letters: string) => string): Build =>
  unary((value, op) => {
    if (isNullish(value)) return '';
    if (typeof value !== 'string') throw unsupported(`${op} of a ${typeNameOf(value)}`);
    return value.replace(letters, change);
  });

const cond: Build = (spec, op) => {
  const named = isDocument(spec) ? namedArguments(op, spec, ['if', 'then', 'else']) : undefined;
  const operands = named ? [named['if'], named['then'], named['else']] : spec;
  const [test, then, otherwise] = operandsOf(op, operands, 3, 3) as [Expr, Expr, Expr];
  return (root) => (isTruthy(test(root)) ? then(root) : otherwise(root));
};

const pad = (n: number, width: number): string => String(n).padStart(width, '0');

/** What the parts of a format stand for, in UTC. */
const FORMATS: Record<string, (date: Date) => string> = {
  Y: (date) => pad(date.getUTCFullYear(), 4),
  m: (date) => pad(date.getUTCMonth() + 1, 2),
  d: (date) => pad(date.getUTCDate(), 2),
  H: (date) => pad(date.getUTCHours(), 2),
  M: (date) => pad(date.getUTCMinutes(), 2),
  S: (date) => pad(date.getUTCSeconds(), 2),
  L: (date) => pad(date.getUTCMilliseconds(), 3),
  '%': () => '%',
};

function formatted(date: Date, format: string): string {
  check(date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999, 18537, () => {
    return 'Could not convert date to string: date component was outside the supported range of 0-9999';
  });
  return format.replace(/%(.?)/gs, (_, part: string) => {
    const write = Object.hasOwn(FORMATS, part) ? FORMATS[part] : undefined;
    if (!write) throw unknownHere(18536, `Invalid format character '%${part}' in format string`);
    return write(date);
  });
}

/** A value that is a date, or holds one. */
function dateFrom(value: unknown): Date {
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  if (value instanceof ObjectId) return value.getTimestamp();
  check(value instanceof Date, 16006, () => `can't convert from BSON type ${typeNameOf(value)} to Date`);
  return value;
}

const dateToString: Build = (spec, op) => {
  const args = namedArguments(op, spec, ['date'], ['format', 'timezone', 'onNull']);
  const { date, format = '%Y-%m-%dT%H:%M:%S.%LZ', timezone = 'UTC', onNull = null } = args;
  if (timezone !== 'UTC') throw unsupported(`${op} in another zone than UTC`);
  check(typeof format === 'string' && !format.startsWith('$'), 18533, () => {
    return `${op} requires that 'format' be a string`;
  });
  const [value, otherwise] = [compileExpression(date), compileExpression(onNull)];
  return (root) => {
    const given = value(root);
    return isNullish(given) ? otherwise(root) : formatted(dateFrom(given), format);
  };
};

const literal: Build = (spec) => {
  const value = cloneValue(spec);
  return () => value;
};

const OPERATORS: Record<string, Build> = {
  $literal: literal,
  $add: several(0, Infinity, add),
  $subtract: binary(subtract),
  $multiply: several(0, Infinity, multiply),
  $divide: ofTwo('TypeMismatch', divide),
  $mod: ofTwo(16611, remainder),
  $cmp: comparison((order) => order),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $and: (spec, op) => {
    const operands = operandsOf(op, spec, 0, Infinity);
    return (root) => operands.every((operand) => isTruthy(operand(root)));
  },
  $or: (spec, op) => {
    const operands = operandsOf(op, spec, 0, Infinity);
    return (root) => operands.some((operand) => isTruthy(operand(root)));
  },
  $not: unary((value) => !isTruthy(value)),
  $cond: cond,
  $ifNull: several(2, Infinity, (args) => args.find((value) => !isNullish(value)) ?? args.at(-1)),
  $size: unary((value) => {
    check(Array.isArray(value), 17124, () => {
      return `The argument to $size must be an array, but was of type: ${typeNameOf(value)}`;
    });
    return value.length;
  }),
  $type: unary(typeNameOf),
  $concat: several(0, Infinity, concat),
  $toLower: changingCase(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  $toUpper: changingCase(/[a-z]+/g, (letters) => letters.toUpperCase()),
  $toLong: unary(toLong),
  $dateToString: dateToString,
};

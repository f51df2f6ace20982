import { EngineError, unknownHere, unsupported, type CodeName } from '../errors.ts';
import { makeDouble, makeInteger, toBigInt, toDouble, truncateToLong } from '../values/numbers.ts';
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

/** A compiled expression, which returns its value for a document; `undefined` is a missing value. */
export type Expr = (root: Document) => unknown;

/** Compiles the argument of an operator. */
type Build = (spec: unknown, op: string) => Expr;

/** Missing, or null. */
export function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Throws unless a condition holds; messages are built only when needed. */
export function check(condition: boolean, code: CodeName | number, message: () => string): asserts condition {
  if (!condition) throw new EngineError(code, message());
}

/** The values of a path in the documents of an array; other elements, including arrays, are skipped. */
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

function checkFieldName(name: string): void {
  check(name !== '', 15998, () => 'FieldPath field names may not be empty strings.');
  check(!name.startsWith('$'), 16410, () => "FieldPath field names may not start with '$'.");
  check(!name.includes('\0'), 16411, () => 'FieldPath field names may not contain null bytes');
}

/**
 * The parts of a field path, checked.
 * @throws EngineError for an empty path or part, `$` at a part's start, or a null byte
 */
export function fieldPathParts(path: string): string[] {
  check(path !== '', 40352, () => 'FieldPath cannot be constructed with empty string');
  check(!path.endsWith('.'), 40353, () => "FieldPath must not end with a '.'.");
  const parts = path.split('.');
  parts.forEach(checkFieldName);
  return parts;
}

/** Compiles `$path`. */
function compilePath(text: string): Expr {
  check(text.length > 1, 16872, () => "'$' by itself is not a valid FieldPath");
  if (text.startsWith('$$')) throw unknownHere(17276, `Use of undefined variable: ${text.slice(2)}`);
  const parts = fieldPathParts(text.slice(1));
  return (root) => throughDocument(root, parts, 0);
}

function compileObject(spec: Document): Expr {
  const fields = Object.keys(spec).map((name): [string, Expr] => {
    check(!name.includes('.'), 16412, () => "FieldPath field names may not contain '.'.");
    checkFieldName(name);
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
 * Compiles any expression: a path, an operator, a document of expressions, or a constant.
 * @throws EngineError 168 for an unsupported operator, 17276 for a variable
 */
export function compileExpression(spec: unknown): Expr {
  if (typeof spec === 'string' && spec.startsWith('$')) return compilePath(spec);
  if (Array.isArray(spec)) throw unsupported('an array of expressions');
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

/** An operator with `count` operands: the elements of an array, or a single value. */
const operator =
  (count: number, apply: (operands: Expr[]) => Expr): Build =>
  (spec, op) => {
    const operands: unknown[] = Array.isArray(spec) ? spec : [spec];
    check(operands.length === count, 16020, () => {
      return `Expression ${op} takes exactly ${count} arguments. ${operands.length} were passed in.`;
    });
    return apply(operands.map(compileExpression));
  };

const binary = (apply: (a: unknown, b: unknown) => unknown): Build =>
  operator(2, (operands) => {
    const [a, b] = operands as [Expr, Expr];
    return (root) => apply(a(root), b(root));
  });

/** Subtracts milliseconds from a date, or one date from another. */
function subtract(a: unknown, b: unknown): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (!(a instanceof Date) || !isNumeric(b))
    throw unsupported(`$subtract of ${typeNameOf(b)} from ${typeNameOf(a)}`);
  const millis = a.getTime() - Number(truncateToLong(b) ?? NaN);
  check(Math.abs(millis) <= 8.64e15, 'Overflow', () => 'date overflow in $subtract');
  return new Date(millis);
}

function remainder(a: unknown, b: unknown): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  check(isNumeric(a) && isNumeric(b), 16611, () => {
    return `$mod only supports numeric types, not ${typeNameOf(a)} and ${typeNameOf(b)}`;
  });
  const divisor = toDouble(b);
  check(divisor !== 0, 16610, () => "can't $mod by zero");
  // A double counts as an integer divisor only if it fits into an int.
  if (typeOf(a) === T.double || (typeOf(b) === T.double && (divisor | 0) !== divisor))
    return makeDouble(toDouble(a) % divisor);
  const whole = typeOf(b) === T.double ? BigInt(divisor) : toBigInt(b);
  return makeInteger(toBigInt(a) % whole, typeOf(a) === T.long || typeOf(b) === T.long ? T.long : T.int);
}

const cond = operator(3, (operands) => {
  const [test, then, otherwise] = operands as [Expr, Expr, Expr];
  return (root) => (isTruthy(test(root)) ? then(root) : otherwise(root));
});

const pad = (n: number, width: number): string => String(n).padStart(width, '0');

/** Format specifiers, in UTC. */
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

/** The instant of a date, or the second stored in an ObjectId or timestamp. */
function dateOf(value: unknown): Date {
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  check(value instanceof Date, 16006, () => `can't convert from BSON type ${typeNameOf(value)} to Date`);
  return value;
}

const dateToString: Build = (spec, op) => {
  check(isDocument(spec), 'FailedToParse', () => `${op} only supports an object as its argument`);
  const { date, format = '%Y-%m-%dT%H:%M:%S.%LZ', ...others } = spec;
  for (const name of Object.keys(others))
    throw unknownHere('FailedToParse', `Unrecognized argument to ${op}: ${name}`);
  check(typeof format === 'string' && !format.startsWith('$'), 18533, () => {
    return `${op} requires that 'format' be a string`;
  });
  const value = compileExpression(date);
  return (root) => {
    const fields = value(root);
    return isNullish(fields) ? null : formatted(dateOf(fields), format);
  };
};

const OPERATORS: Record<string, Build> = {
  $subtract: binary(subtract),
  $mod: binary(remainder),
  $eq: binary((a, b) => compareValues(a, b) === 0),
  $cond: cond,
  $dateToString: dateToString,
};

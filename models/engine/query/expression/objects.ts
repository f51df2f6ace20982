import { EngineError } from '../../errors.ts';
import { encode } from '../../values/codec.ts';
import { Binary, getField, isDocument, setField, type Document } from '../../values/types.ts';
import {
  check,
  isNullish,
  nameOf,
  operators,
  several,
  unary,
  type Build,
  type Expr,
  type ExprContext,
} from './types.ts';

function merge(args: unknown[]): unknown {
  const result: Document = {};
  for (const arg of args) {
    if (isNullish(arg)) continue;
    check(
      isDocument(arg),
      40400,
      () => `$mergeObjects requires object inputs, but input ${nameOf(arg)} is of type ${nameOf(arg)}`,
    );
    for (const key of Object.keys(arg)) setField(result, key, arg[key]);
  }
  return result;
}

const mergeObjects: Build = (spec, c) => {
  const single = Array.isArray(spec) ? undefined : c.compile(spec, c);
  const many = Array.isArray(spec) ? spec.map((item) => c.compile(item, c)) : [];
  return (scope) => {
    if (!single) return merge(many.map((item) => item(scope)));
    const value = single(scope);
    return merge(Array.isArray(value) ? value : [value]);
  };
};

/** A field name that has to be known beforehand: a text, or one in `$literal`. */
function constantName(spec: unknown, op: string): string {
  if (typeof spec === 'string' && spec.startsWith('$')) {
    throw new EngineError(
      5654600,
      `'${spec}' is a field path reference which is not allowed in this context. Did you mean {$literal: '${spec}'}?`,
    );
  }
  const literal = isDocument(spec) ? (getField(spec, '$literal') ?? getField(spec, '$const')) : spec;
  check(
    !isDocument(spec) || literal !== undefined,
    5654601,
    () => `${op} requires 'field' to evaluate to a constant, but got a non-constant argument`,
  );
  check(
    typeof literal === 'string',
    5654602,
    () => `${op} requires 'field' to evaluate to type String, but got ${nameOf(literal)}`,
  );
  return literal;
}

function checkKnown(spec: Document, known: readonly string[], code: number, op: string): void {
  for (const key of Object.keys(spec))
    check(known.includes(key), code, () => `${op} found an unknown argument: ${key}`);
}

const getFieldOperator: Build = (spec, c, op) => {
  const whole = !isDocument(spec) || Object.keys(spec)[0]?.startsWith('$') === true;
  if (!whole) {
    checkKnown(spec, ['field', 'input'], 3041701, op);
    check(Object.hasOwn(spec, 'field'), 3041702, () => `${op} requires 'field' to be specified`);
    check(Object.hasOwn(spec, 'input'), 3041703, () => `${op} requires 'input' to be specified`);
  }
  const name = constantName(whole ? spec : spec['field'], op);
  const input: Expr = whole ? (scope) => scope.root : c.compile(spec['input'], c);
  return (scope) => {
    const doc = input(scope);
    if (isDocument(doc)) return getField(doc, name);
    return doc === null ? null : undefined;
  };
};

function replaceField(name: string, input: Expr, value: Expr, op: string): Expr {
  return (scope) => {
    const doc = input(scope);
    if (isNullish(doc)) return null;
    check(isDocument(doc), 4161105, () => `${op} requires 'input' to evaluate to type Object`);
    const result = { ...doc };
    const computed = value(scope);
    if (computed === undefined) delete result[name];
    else setField(result, name, computed);
    return result;
  };
}

function fieldSetter(remove: boolean): Build {
  return (spec, c: ExprContext, op) => {
    check(isDocument(spec), 4161100, () => `${op} only supports an object as its argument`);
    checkKnown(spec, remove ? ['field', 'input'] : ['field', 'input', 'value'], 4161101, op);
    check(Object.hasOwn(spec, 'field'), 4161102, () => `${op} requires 'field' to be specified`);
    check(remove || Object.hasOwn(spec, 'value'), 4161103, () => `${op} requires 'value' to be specified`);
    check(Object.hasOwn(spec, 'input'), 4161109, () => `${op} requires 'input' to be specified`);
    const name = constantName(spec['field'], op);
    return replaceField(
      name,
      c.compile(spec['input'], c),
      remove ? () => undefined : c.compile(spec['value'], c),
      op,
    );
  };
}

function toArray(value: unknown): unknown {
  if (isNullish(value)) return null;
  check(isDocument(value), 40390, () => `$objectToArray requires a document input, found: ${nameOf(value)}`);
  return Object.keys(value).map((k) => ({ k, v: value[k] }));
}

function binarySize(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (typeof value === 'string') return Buffer.byteLength(value);
  check(
    value instanceof Binary,
    51276,
    () => `$binarySize requires a string or BinData argument, found: ${nameOf(value)}`,
  );
  return value.value().length;
}

function bsonSize(value: unknown): unknown {
  if (isNullish(value)) return null;
  check(isDocument(value), 31393, () => `$bsonSize requires a document input, found: ${nameOf(value)}`);
  return encode(value).length;
}

/** Operators on embedded documents. */
export const objectOperators = operators({
  $mergeObjects: mergeObjects,
  $getField: getFieldOperator,
  $setField: fieldSetter(false),
  $unsetField: fieldSetter(true),
  $objectToArray: unary(toArray),
  $binarySize: unary(binarySize),
  $bsonSize: unary(bsonSize),
  $rand: several(0, 1, () => Math.random()),
});

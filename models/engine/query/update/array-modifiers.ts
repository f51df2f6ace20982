import { EngineError } from '../../errors.ts';
import { cloneValue } from '../../values/clone.ts';
import { exactLong, truncateToLong } from '../../values/integers.ts';
import { showDocument, showValue } from '../../values/show.ts';
import { isDocument, isNumeric, typeNameOf, type Document } from '../../values/types.ts';
import { equalValues } from '../compare.ts';
import { compileDocument, compileField, isOperatorDocument } from '../filter/compile.ts';
import { isRegex } from '../filter/regex-test.ts';
import { comparePatterns, sortPattern } from '../sort-pattern.ts';
import { ValueSet } from '../value-map.ts';
import type { ReadModifier, Site } from './modifier.ts';
import { idText, lastPart } from './messages.ts';

function hasEach(argument: unknown): argument is Document {
  return isDocument(argument) && Object.hasOwn(argument, '$each');
}

function wholeNumber(value: unknown, message: string): number {
  const n = exactLong(value);
  if (n === undefined) throw new EngineError('BadValue', `${message}: ${typeNameOf(value)}`);
  return Number(n);
}

interface PushClauses {
  values: unknown[];
  position: number;
  slice: number | undefined;
  sort: ((a: unknown, b: unknown) => number) | undefined;
}

const CLAUSES = new Set(['$each', '$slice', '$sort', '$position']);

function readPush(argument: unknown): PushClauses {
  if (!hasEach(argument))
    return { values: [argument], position: Infinity, slice: undefined, sort: undefined };
  for (const key of Object.keys(argument)) {
    if (!CLAUSES.has(key)) throw new EngineError('BadValue', `Unrecognized clause in $push: ${key}`);
  }
  const { $each: values, $slice: slice, $sort: sort, $position: position } = argument;
  if (!Array.isArray(values)) {
    throw new EngineError(
      'BadValue',
      `The argument to $each in $push must be an array but it was of type: ${typeNameOf(values)}`,
    );
  }
  const pattern =
    sort === undefined
      ? undefined
      : sortPattern(sort, { document: 'BadValue', number: 'BadValue', other: 'BadValue' });
  return {
    values,
    slice:
      slice === undefined
        ? undefined
        : wholeNumber(slice, 'The value for $slice must be an integer value but was given type'),
    position:
      position === undefined
        ? Infinity
        : wholeNumber(position, 'The value for $position must be an integer value, not of type'),
    sort: pattern && comparePatterns(pattern),
  };
}

function pushInto(array: unknown[], { values, position, slice, sort }: PushClauses): unknown[] {
  const at = position < 0 ? Math.max(0, array.length + position) : Math.min(position, array.length);
  let result = [...array.slice(0, at), ...values.map(cloneValue), ...array.slice(at)];
  if (sort) result.sort(sort);
  if (slice !== undefined) result = slice >= 0 ? result.slice(0, slice) : result.slice(slice);
  return result;
}

/** `$push`, with `$each`, `$position`, `$sort` and `$slice`. */
export const push: ReadModifier = (argument) => {
  const clauses = readPush(argument);
  return {
    change(value, site) {
      if (Array.isArray(value)) return pushInto(value, clauses);
      throw new EngineError(
        'BadValue',
        `The field '${site.path}' must be an array but is of type ${typeNameOf(value)} in document ${idText(site.doc)}`,
      );
    },
    create: () => pushInto([], clauses),
  };
};

function readAddToSet(argument: unknown): unknown[] {
  if (!isDocument(argument) || Object.keys(argument)[0] !== '$each') return [argument];
  const each = argument['$each'];
  if (!Array.isArray(each)) {
    throw new EngineError(
      'TypeMismatch',
      `The argument to $each in $addToSet must be an array but it was of type ${typeNameOf(each)}`,
    );
  }
  if (Object.keys(argument).length > 1) {
    throw new EngineError(
      'BadValue',
      `Found unexpected fields after $each in $addToSet: ${showDocument(argument)}`,
    );
  }
  return each;
}

function addMissing(array: readonly unknown[], values: readonly unknown[]): unknown[] {
  const present = new ValueSet();
  for (const element of array) present.add(element);
  return [...array, ...values.filter((value) => present.add(value)).map(cloneValue)];
}

/** `$addToSet`, with `$each`. */
export const addToSet: ReadModifier = (argument) => {
  const values = readAddToSet(argument);
  return {
    change(value, site) {
      if (Array.isArray(value)) return addMissing(value, values);
      throw new EngineError(
        'BadValue',
        `Cannot apply $addToSet to non-array field. Field named '${lastPart(site.path)}' has non-array type ${typeNameOf(value)}`,
      );
    },
    create: () => addMissing([], values),
  };
};

/** `$pop`: 1 takes the last element, -1 the first. */
export const pop: ReadModifier = (argument, path) => {
  if (!isNumeric(argument)) {
    throw new EngineError('FailedToParse', `Expected a number in: ${path}: ${showValue(argument)}`);
  }
  const n = truncateToLong(argument);
  if (exactLong(argument) === undefined) {
    throw new EngineError('FailedToParse', `Expected an integer: ${path}: ${showValue(argument)}`);
  }
  if (n !== 1n && n !== -1n)
    throw new EngineError('FailedToParse', `$pop expects 1 or -1, found: ${showValue(argument)}`);
  return {
    strictPath: true,
    change(value, site: Site) {
      if (Array.isArray(value)) return n === 1n ? value.slice(0, -1) : value.slice(1);
      throw new EngineError(
        'TypeMismatch',
        `Path '${site.path}' contains an element of non-array type '${typeNameOf(value)}'`,
      );
    },
  };
};

function culling(op: string, leaves: (element: unknown) => boolean): ReturnType<ReadModifier> {
  return {
    strictPath: true,
    change(value) {
      if (Array.isArray(value)) return value.filter((element) => !leaves(element));
      throw new EngineError('BadValue', `Cannot apply ${op} to a non-array value`);
    },
  };
}

/** `$pull`: elements that equal a value, or match a query on documents, or conditions on values. */
export const pull: ReadModifier = (argument, _path, c) => {
  if (isOperatorDocument(argument) || isRegex(argument)) {
    const { onDocument } = compileField('', argument, c.filter);
    return culling('$pull', (element) => onDocument({ '': element }));
  }
  if (isDocument(argument)) {
    const { onDocument } = compileDocument(argument, c.filter);
    return culling('$pull', (element) => isDocument(element) && onDocument(element));
  }
  return culling('$pull', (element) => equalValues(element, argument));
};

/** `$pullAll`: elements that equal one of a list. */
export const pullAll: ReadModifier = (argument) => {
  if (!Array.isArray(argument)) {
    throw new EngineError(
      'BadValue',
      `$pullAll requires an array argument but was given a ${typeNameOf(argument)}`,
    );
  }
  const values = new ValueSet();
  for (const value of argument) values.add(value);
  return culling('$pullAll', (element) => values.has(element));
};

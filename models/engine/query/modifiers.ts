import { EngineError, unknownHere } from '../errors.ts';
import { calculate, exactLong } from '../values/arithmetic.ts';
import { cloneValue } from '../values/clone.ts';
import { showDocument, showValue } from '../values/show.ts';
import { isDocument, isNumeric, typeNameOf, type Document } from '../values/types.ts';
import { compareValues, equalValues } from './compare.ts';
import { compileDocument, compileField, isOperatorDocument, isRegex } from './filter.ts';
import { ValueSet } from './value-map.ts';

/** Where a modifier is applied, for messages. */
interface Site {
  path: string;
  doc: Document;
}

/** The field is to be removed. */
export const REMOVE = Symbol('remove');

/** What an operator does at the end of a path. */
export interface Modifier {
  /** The new value of a field that exists, or {@link REMOVE}; the value may be changed in place. */
  change(value: unknown, site: Site): unknown;
  /** The value of a field that does not exist yet; without it such a field stays missing. */
  create?: (site: Site) => unknown;
  /** A path that leads through a scalar is an error although nothing would be created. */
  strictPath?: boolean;
  /** Applied only when an upsert inserts. */
  insertOnly?: boolean;
}

/** Reads the argument of an operator for one path. */
type ReadModifier = (argument: unknown, path: string) => Modifier;

/** `{_id: 1}`, the way messages name a document. */
function idText(doc: Document): string {
  return Object.hasOwn(doc, '_id') ? `{_id: ${showValue(doc['_id'])}}` : '{no id}';
}

/** The last part of a dotted path. */
function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function hasEach(argument: unknown): argument is Document {
  return isDocument(argument) && Object.hasOwn(argument, '$each');
}

interface PushClauses {
  values: unknown[];
  slice: number | undefined;
}

function readPush(argument: unknown): PushClauses {
  if (!hasEach(argument)) return { values: [argument], slice: undefined };
  const { $each: values, $slice: slice, ...others } = argument;
  for (const key of Object.keys(others))
    throw unknownHere('BadValue', `Unrecognized clause in $push: ${key}`);
  if (!Array.isArray(values)) {
    throw new EngineError(
      'BadValue',
      `The argument to $each in $push must be an array but it was of type: ${typeNameOf(values)}`,
    );
  }
  if (slice === undefined) return { values, slice };
  const n = exactLong(slice);
  if (n !== undefined) return { values, slice: Number(n) };
  throw new EngineError(
    'BadValue',
    `The value for $slice must be an integer value but was given type: ${typeNameOf(slice)}`,
  );
}

function pushInto(array: unknown[], { values, slice }: PushClauses): unknown[] {
  const result = [...array, ...values.map(cloneValue)];
  if (slice === undefined) return result;
  return slice >= 0 ? result.slice(0, slice) : result.slice(slice);
}

/** `$push`, with `$each` and `$slice`. */
const push: ReadModifier = (argument) => {
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
const addToSet: ReadModifier = (argument) => {
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
const pop: ReadModifier = (argument, path) => {
  if (!isNumeric(argument)) {
    throw new EngineError('FailedToParse', `Expected a number in: ${path}: ${showValue(argument)}`);
  }
  const n = exactLong(argument);
  if (n === undefined) {
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
const pull: ReadModifier = (argument) => {
  if (isOperatorDocument(argument) || isRegex(argument)) {
    const { onDocument } = compileField('', argument);
    return culling('$pull', (element) => onDocument({ '': element }));
  }
  if (isDocument(argument)) {
    const { onDocument } = compileDocument(argument);
    return culling('$pull', (element) => isDocument(element) && onDocument(element));
  }
  return culling('$pull', (element) => equalValues(element, argument));
};

/** `$pullAll`: elements that equal one of a list. */
const pullAll: ReadModifier = (argument) => {
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

const set: ReadModifier = (argument) => ({
  change: () => cloneValue(argument),
  create: () => cloneValue(argument),
});

const unset: ReadModifier = () => ({ change: () => REMOVE });

const arithmetic =
  (op: '$inc' | '$mul'): ReadModifier =>
  (argument, path) => {
    const verb = op === '$inc' ? 'increment' : 'multiply';
    if (!isNumeric(argument)) {
      throw new EngineError(
        'TypeMismatch',
        `Cannot ${verb} with non-numeric argument: {${path}: ${showValue(argument)}}`,
      );
    }
    return {
      change(value, site) {
        if (!isNumeric(value)) {
          throw new EngineError(
            'TypeMismatch',
            `Cannot apply ${op} to a value of non-numeric type. ${idText(site.doc)} has the field '${lastPart(site.path)}' of non-numeric type ${typeNameOf(value)}`,
          );
        }
        const result = calculate(op === '$inc' ? 'add' : 'multiply', value, argument);
        if (result !== undefined) return result;
        throw new EngineError(
          'BadValue',
          `Failed to apply ${op} operations to current value ((NumberLong)${showValue(value)}) for document ${idText(site.doc)}`,
        );
      },
      create: () => (op === '$inc' ? argument : calculate('multiply', 0, argument)),
    };
  };

const extreme =
  (sign: 1 | -1): ReadModifier =>
  (argument) => ({
    change: (value) => (sign * compareValues(argument, value) < 0 ? cloneValue(argument) : value),
    create: () => cloneValue(argument),
  });

/** All operators by name. */
export const MODIFIERS: ReadonlyMap<string, ReadModifier> = new Map<string, ReadModifier>([
  ['$set', set],
  ['$setOnInsert', (argument, path) => ({ ...set(argument, path), insertOnly: true })],
  ['$unset', unset],
  ['$inc', arithmetic('$inc')],
  ['$mul', arithmetic('$mul')],
  ['$min', extreme(1)],
  ['$max', extreme(-1)],
  ['$push', push],
  ['$addToSet', addToSet],
  ['$pop', pop],
  ['$pull', pull],
  ['$pullAll', pullAll],
]);

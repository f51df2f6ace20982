import { EngineError, unknownHere, unsupported } from '../errors.ts';
import { add, exactLong } from '../values/numbers.ts';
import { cloneValue } from '../values/clone.ts';
import { showDocument, showValue } from '../values/show.ts';
import { isDocument, isNumeric, typeNameOf, typeOf, type Document } from '../values/types.ts';
import { keyOf } from '../values/key.ts';
import { compareValues, equalValues } from './compare.ts';
import { compileFilter, isOperatorDocument, isRegex } from './filter.ts';

/** Where a modifier is applied, for messages. */
interface Site {
  path: string;
  doc: Document;
}

/** Returned to remove the field. */
export const REMOVE = Symbol('remove');

/** The effect of an operator at the end of a path. */
export interface Modifier {
  /** The new value of a field that exists, or {@link REMOVE}; the value may be changed in place. */
  change(value: unknown, site: Site): unknown;
  /** The value of a field that does not exist yet; without it such a field stays missing. */
  create?: (site: Site) => unknown;
  /** A path through a scalar is an error even if nothing would be created. */
  strictPath?: boolean;
  /** Applied only when an upsert inserts. */
  insertOnly?: boolean;
}

/** Reads the argument of an operator for one path. */
type ReadModifier = (argument: unknown, path: string) => Modifier;

/** `{_id: 1}`, as messages refer to a document. */
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
  const present = new Set(array.map(keyOf));
  const isNew = (value: unknown): boolean => present.size < present.add(keyOf(value)).size;
  return [...array, ...values.filter(isNew).map(cloneValue)];
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

function culling(leaves: (element: unknown) => boolean): Modifier {
  return {
    strictPath: true,
    change(value) {
      if (Array.isArray(value)) return value.filter((element) => !leaves(element));
      throw new EngineError('BadValue', 'Cannot apply $pull to a non-array value');
    },
  };
}

/** `$pull`: elements that equal a value, or documents that match a filter. */
const pull: ReadModifier = (argument) => {
  if (isOperatorDocument(argument) || isRegex(argument)) throw unsupported('$pull by conditions on values');
  if (!isDocument(argument)) return culling((element) => equalValues(element, argument));
  const matches = compileFilter(argument);
  return culling((element) => isDocument(element) && matches(element));
};

const set: ReadModifier = (argument) => ({
  change: () => cloneValue(argument),
  create: () => cloneValue(argument),
});

const unset: ReadModifier = () => ({ change: () => REMOVE });

const inc: ReadModifier = (argument, path) => {
  if (!isNumeric(argument)) {
    throw new EngineError(
      'TypeMismatch',
      `Cannot increment with non-numeric argument: {${path}: ${showValue(argument)}}`,
    );
  }
  return {
    change(value, site) {
      if (!isNumeric(value)) {
        throw new EngineError(
          'TypeMismatch',
          `Cannot apply $inc to a value of non-numeric type. ${idText(site.doc)} has the field '${lastPart(site.path)}' of non-numeric type ${typeNameOf(value)}`,
        );
      }
      const result = add(value, argument);
      // Adding nothing keeps -0.
      const isAsBefore = typeOf(result) === typeOf(value) && equalValues(result, value);
      if (result !== undefined) return isAsBefore ? value : result;
      throw new EngineError(
        'BadValue',
        `Failed to apply $inc operations to current value ((NumberLong)${showValue(value)}) for document ${idText(site.doc)}`,
      );
    },
    create: () => argument,
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
  ['$inc', inc],
  ['$min', extreme(1)],
  ['$max', extreme(-1)],
  ['$push', push],
  ['$addToSet', addToSet],
  ['$pull', pull],
]);

import { type Document, isDocument, isNumeric, typeNameOf, Timestamp } from '../../values/types.ts';
import {
  type FilterContext,
  compileDocument,
  compileField,
  isOperatorDocument,
  isRegex,
} from '../filter/compile.ts';
import { showValue, showDocument } from '../../values/show.ts';
import { EngineError } from '../../errors.ts';
import { cloneValue } from '../../values/clone.ts';
import { exactLong, truncateToLong, calculate } from '../../values/arithmetic.ts';
import { equalValues, compareValues } from '../compare.ts';
import { comparePatterns, sortPattern } from '../sort-pattern.ts';
import { ValueSet } from '../value-map.ts';

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
  /** The path the value comes from, of a `$rename`. */
  source?: string[];
}

/** What operators need to be read. */
export interface ModifierContext {
  now: Date;
  filter: FilterContext;
}

/** Reads the argument of an operator for one path. */
type ReadModifier = (argument: unknown, path: string, c: ModifierContext) => Modifier;

/** `{_id: 1}`, the way messages name a document. */
export function idText(doc: Document): string {
  return Object.hasOwn(doc, '_id') ? `{_id: ${showValue(doc['_id'])}}` : '{no id}';
}

/** The last part of a dotted path. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

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
const pull: ReadModifier = (argument, _path, c) => {
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

/** Counts timestamps given within one second of one process, so that each is greater than the one before. */
let timestampCounter = 0;

function timestampFrom(now: Date): Timestamp {
  timestampCounter = (timestampCounter + 1) >>> 0 || 1;
  return new Timestamp({ t: Math.floor(now.getTime() / 1000), i: timestampCounter });
}

function currentDateType(argument: unknown): 'date' | 'timestamp' {
  if (typeof argument === 'boolean') return 'date';
  if (!isDocument(argument)) {
    throw new EngineError(
      'BadValue',
      `${typeNameOf(argument)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  }
  for (const key of Object.keys(argument)) {
    if (key !== '$type') throw new EngineError('BadValue', `Unrecognized $currentDate option: ${key}`);
  }
  const type = argument['$type'];
  if (type === 'date' || type === 'timestamp') return type;
  throw new EngineError(
    'BadValue',
    "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}",
  );
}

const currentDate: ReadModifier = (argument, _path, c) => {
  const type = currentDateType(argument);
  const value = (): unknown => (type === 'date' ? new Date(c.now) : timestampFrom(c.now));
  return { change: value, create: value };
};

/** All operators by name; `$rename` is read elsewhere, because it touches two paths. */
export const MODIFIERS: ReadonlyMap<string, ReadModifier> = new Map<string, ReadModifier>([
  ['$set', set],
  ['$setOnInsert', (argument, path, c) => ({ ...set(argument, path, c), insertOnly: true })],
  ['$unset', unset],
  ['$inc', arithmetic('$inc')],
  ['$mul', arithmetic('$mul')],
  ['$min', extreme(1)],
  ['$max', extreme(-1)],
  ['$currentDate', currentDate],
  ['$push', push],
  ['$addToSet', addToSet],
  ['$pop', pop],
  ['$pull', pull],
  ['$pullAll', pullAll],
]);

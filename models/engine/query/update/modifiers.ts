import { EngineError } from '../../errors.ts';
import { cloneValue } from '../../values/clone.ts';
import { showValue } from '../../values/show.ts';
import { Timestamp, isDocument, isNumeric, typeNameOf } from '../../values/types.ts';
import { calculate } from '../../values/arithmetic.ts';
import { compareValues } from '../compare.ts';
import { addToSet, pop, pull, pullAll, push } from './array-modifiers.ts';
import { REMOVE, type ReadModifier } from './modifier.ts';
import { idText, lastPart } from './messages.ts';

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

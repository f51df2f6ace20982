import { toDouble } from '../../values/arithmetic.ts';
import { showValue } from '../../values/show.ts';
import { isDocument, isNumeric, setField, type Document } from '../../values/types.ts';
import type { Collation } from '../collation.ts';
import { compareValues } from '../compare.ts';
import { ValueSet } from '../value-map.ts';
import { Spread, Summation } from './summation.ts';
import { check, isNullish, nameOf } from './types.ts';

/** Takes values one by one and gives one result; a missing result stands for null in a group. */
export interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

/** Makes an accumulator for one group. */
export type MakeAccumulator = (collation: Collation | undefined) => Accumulator;

function sum(): Accumulator {
  const s = new Summation();
  return { add: (value) => void (isNumeric(value) && s.add(value)), result: () => s.total };
}

function average(): Accumulator {
  const s = new Summation();
  return { add: (value) => void (isNumeric(value) && s.add(value)), result: () => s.mean };
}

const extreme =
  (sign: 1 | -1): MakeAccumulator =>
  (collation) => {
    let best: unknown;
    return {
      add(value) {
        if (isNullish(value)) return;
        if (best === undefined || sign * compareValues(value, best, collation) < 0) best = value;
      },
      result: () => best ?? null,
    };
  };

function first(): Accumulator {
  let seen = false;
  let kept: unknown;
  return {
    add(value) {
      if (!seen) kept = value;
      seen = true;
    },
    result: () => kept,
  };
}

function last(): Accumulator {
  let kept: unknown;
  return {
    add(value) {
      kept = value;
    },
    result: () => kept,
  };
}

function push(): Accumulator {
  const values: unknown[] = [];
  return { add: (value) => void (value !== undefined && values.push(value)), result: () => values };
}

function addToSet(collation: Collation | undefined): Accumulator {
  const set = new ValueSet(collation);
  return { add: (value) => void (value !== undefined && set.add(value)), result: () => [...set.values()] };
}

const deviation =
  (sample: boolean): MakeAccumulator =>
  () => {
    const spread = new Spread();
    return {
      add: (value) => void (isNumeric(value) && spread.add(toDouble(value))),
      result: () => spread.deviation(sample),
    };
  };

function mergeObjects(): Accumulator {
  const result: Document = {};
  return {
    add(value) {
      if (isNullish(value)) return;
      check(
        isDocument(value),
        40400,
        () =>
          `$mergeObjects requires object inputs, but input ${showValue(value)} is of type ${nameOf(value)}`,
      );
      for (const key of Object.keys(value)) setField(result, key, value[key]);
    },
    result: () => result,
  };
}

/** Accumulators of one value, by name. */
export const ACCUMULATORS: ReadonlyMap<string, MakeAccumulator> = new Map<string, MakeAccumulator>([
  ['$sum', sum],
  ['$avg', average],
  ['$min', extreme(1)],
  ['$max', extreme(-1)],
  ['$first', first],
  ['$last', last],
  ['$push', push],
  ['$addToSet', addToSet],
  ['$stdDevPop', deviation(false)],
  ['$stdDevSamp', deviation(true)],
  ['$mergeObjects', mergeObjects],
]);

/** The `n` smallest or largest values that are not null, best first. */
export function extremesOf(
  values: readonly unknown[],
  n: number,
  sign: 1 | -1,
  collation: Collation | undefined,
): unknown[] {
  return values
    .filter((value) => !isNullish(value))
    .sort((a, b) => sign * compareValues(a, b, collation))
    .slice(0, n);
}

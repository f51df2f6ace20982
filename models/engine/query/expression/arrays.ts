import { exactLong } from '../../values/integers.ts';
import { toDouble } from '../../values/arithmetic.ts';
import { showValue } from '../../values/show.ts';
import { isDocument, isNumeric, setField, type Document } from '../../values/types.ts';
import { compareValues, equalValues } from '../compare.ts';
import { comparePatterns, sortPattern } from '../sort-pattern.ts';
import { namedArguments, type ArgumentRules } from './named-arguments.ts';
import {
  binary,
  check,
  isNullish,
  nameOf,
  operators,
  several,
  unary,
  type Build,
  type Expr,
} from './types.ts';

/** A number as a 32-bit integer, `undefined` when it is none. */
export function int32Of(value: unknown): number | undefined {
  const n = exactLong(value);
  return n !== undefined && Number(n) === (Number(n) | 0) ? Number(n) : undefined;
}

function elementAt(array: unknown, position: unknown, op: string): unknown {
  if (isNullish(array) || isNullish(position)) return null;
  const which = op === '$arrayElemAt' ? 'first argument' : 'argument';
  check(Array.isArray(array), 28689, () => `${op}'s ${which} must be an array, but is ${nameOf(array)}`);
  check(
    isNumeric(position),
    28690,
    () => `${op}'s second argument must be a numeric value, but is ${nameOf(position)}`,
  );
  const index = int32Of(position);
  check(
    index !== undefined,
    28691,
    () => `${op}'s second argument must be representable as a 32-bit integer: ${toDouble(position)}`,
  );
  return array.at(index);
}

function pairFrom(element: unknown, asArrays: boolean): [string, unknown] {
  let pair: unknown[];
  if (asArrays) {
    check(
      Array.isArray(element),
      40396,
      () =>
        `$arrayToObject requires a consistent input format. Elements mustall be arrays or all be objects. Array was detected, now found: ${nameOf(element)}`,
    );
    check(
      element.length === 2,
      40397,
      () => `$arrayToObject requires an array of size 2 arrays,found array of size: ${element.length}`,
    );
    pair = element;
  } else {
    check(
      isDocument(element),
      40391,
      () =>
        `$arrayToObject requires a consistent input format. Elements mustall be arrays or all be objects. Object was detected, now found: ${nameOf(element)}`,
    );
    const keys = Object.keys(element);
    check(
      keys.length === 2,
      40392,
      () =>
        `$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:${keys.length}`,
    );
    check(
      Object.hasOwn(element, 'k') && Object.hasOwn(element, 'v'),
      40393,
      () =>
        `$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys from: ${showValue(element)}`,
    );
    pair = [element['k'], element['v']];
  }
  const [key, value] = pair;
  check(
    typeof key === 'string',
    asArrays ? 40395 : 40394,
    () =>
      `$arrayToObject requires ${asArrays ? 'an array of key-value pairs, where the key' : "an object with keys 'k' and 'v', where the value of 'k'"} must be of type string. Found ${asArrays ? 'key ' : ''}type: ${nameOf(key)}`,
  );
  check(!key.includes('\0'), 4940400, () => 'Key field cannot contain an embedded null byte');
  return [key, value];
}

function arrayToObject(value: unknown): unknown {
  if (isNullish(value)) return null;
  check(Array.isArray(value), 40386, () => `$arrayToObject requires an array input, found: ${nameOf(value)}`);
  const result: Document = {};
  const [first] = value;
  check(
    value.length === 0 || Array.isArray(first) || isDocument(first),
    40398,
    () => `Unrecognised input type format for $arrayToObject: ${nameOf(first)}`,
  );
  for (const element of value) setField(result, ...pairFrom(element, Array.isArray(first)));
  return result;
}

function concat(args: unknown[]): unknown {
  const result: unknown[] = [];
  for (const arg of args) {
    if (isNullish(arg)) return null;
    check(Array.isArray(arg), 28664, () => `$concatArrays only supports arrays, not ${nameOf(arg)}`);
    for (const element of arg) result.push(element);
  }
  return result;
}

/** A start or end position of a search. */
export function searchBound(value: unknown, op: string, which: string): number {
  const n = int32Of(value);
  check(
    n !== undefined,
    40096,
    () =>
      `${op}requires an integral ${which}, found a value of type: ${nameOf(value)}, with value: ${showValue(value)}`,
  );
  check(n >= 0, 40097, () => `${op} requires a nonnegative ${which}, found: ${showValue(value)}`);
  return n;
}

const indexOfArray: Build = several(2, 4, (args, c, op) => {
  const [array, wanted, from, to] = args;
  if (isNullish(array)) return null;
  check(
    Array.isArray(array),
    40090,
    () => `$indexOfArray requires an array as a first argument, found: ${nameOf(array)}`,
  );
  const start = args.length > 2 ? searchBound(from, op, 'starting index') : 0;
  const end = args.length > 3 ? Math.min(array.length, searchBound(to, op, 'ending index')) : array.length;
  for (let i = start; i < end; i++) if (equalValues(array[i], wanted, c.collation)) return i;
  return -1;
});

function rangeArgument(value: unknown, codes: [number, number], name: string): number {
  const article = name === 'ending value' ? 'an' : 'a';
  check(
    isNumeric(value),
    codes[0],
    () => `$range requires a numeric ${name}, found value of type: ${nameOf(value)}`,
  );
  const n = int32Of(value);
  check(
    n !== undefined,
    codes[1],
    () =>
      `$range requires ${article} ${name} that can be represented as a 32-bit integer, found value: ${showValue(value)}`,
  );
  return n;
}

const MAX_RANGE = 5_000_000;

const range: Build = several(2, 3, (args) => {
  const start = rangeArgument(args[0], [34443, 34444], 'starting value');
  const end = rangeArgument(args[1], [34445, 34446], 'ending value');
  const step = args.length > 2 ? rangeArgument(args[2], [34447, 34448], 'step value') : 1;
  check(step !== 0, 34449, () => '$range requires a non-zero step value');
  const count = Math.max(0, Math.ceil((end - start) / step));
  check(
    count <= MAX_RANGE,
    'ExceededMemoryLimit',
    () =>
      `$range would use too much memory (${count * 16} bytes) and cannot spill to disk. Memory limit: 104857600 bytes`,
  );
  return Array.from({ length: count }, (_, i) => start + i * step);
});

function reverse(value: unknown): unknown {
  if (isNullish(value)) return null;
  check(
    Array.isArray(value),
    34435,
    () => `The argument to $reverseArray must be an array, but was of type: ${nameOf(value)}`,
  );
  return [...value].reverse();
}

function sliceNumber(value: unknown, which: string, codes: [number, number]): number {
  const verb =
    which === 'Third' ? 'must be numeric, but is of type' : 'must be a numeric value, but is of type';
  check(isNumeric(value), codes[0], () => `${which} argument to $slice ${verb}: ${nameOf(value)}`);
  const n = int32Of(value);
  check(
    n !== undefined,
    codes[1],
    () => `${which} argument to $slice can't be represented as a 32-bit integer: ${toDouble(value)}`,
  );
  return n;
}

const slice: Build = several(2, 3, (args) => {
  const [array, second, third] = args;
  if (isNullish(array) || isNullish(second)) return null;
  check(
    Array.isArray(array),
    28724,
    () => `First argument to $slice must be an array, but is of type: ${nameOf(array)}`,
  );
  const n = sliceNumber(second, 'Second', [28725, 28726]);
  if (args.length === 2) return n >= 0 ? array.slice(0, n) : array.slice(Math.max(0, array.length + n));
  if (isNullish(third)) return null;
  const count = sliceNumber(third, 'Third', [28727, 28728]);
  check(count > 0, 28729, () => `Third argument to $slice must be positive: ${count}`);
  const start = n < 0 ? Math.max(0, array.length + n) : n;
  return array.slice(start, start + count);
});

const SORT_ARRAY: ArgumentRules = {
  required: ['input', 'sortBy'],
  notObject: [2942500, (found) => `$sortArray requires an object as an argument, found: ${found}`],
  unknown: [2942501, (name) => `$sortArray found an unknown argument: ${name}`],
  missing: {
    input: [2942502, "$sortArray requires 'input' to be specified"],
    sortBy: [2942503, "$sortArray requires 'sortBy' to be specified"],
  },
};

const sortArray: Build = (spec, c) => {
  const args = namedArguments(spec, SORT_ARRAY);
  const input = c.compile(args['input'], c);
  const pattern = sortPattern(args['sortBy'], { document: 2942505, number: 2942506, other: 2942507 });
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    check(
      Array.isArray(array),
      2942504,
      () => `The input argument to $sortArray must be an array, but was of type: ${nameOf(array)}`,
    );
    return [...array].sort(comparePatterns(pattern, c.collation));
  };
};

const ZIP: ArgumentRules = {
  required: [],
  optional: ['inputs', 'defaults', 'useLongestLength'],
  notObject: [34460, (found) => `$zip only supports an object as an argument, found ${found}`],
  unknown: [34464, (name) => `$zip found an unknown argument: ${name}`],
  missing: {},
};

function zipInputs(inputs: Expr[], defaults: Expr[], longest: boolean): Expr {
  return (scope) => {
    const arrays: unknown[][] = [];
    for (const input of inputs) {
      const array = input(scope);
      if (isNullish(array)) return null;
      check(
        Array.isArray(array),
        34468,
        () => `$zip found a non-array expression in input: ${showValue(array)}`,
      );
      arrays.push(array);
    }
    const lengths = arrays.map((array) => array.length);
    const fill = defaults.map((value) => value(scope) ?? null);
    const rows = longest ? Math.max(...lengths) : Math.min(...lengths);
    return Array.from({ length: rows }, (_, row) =>
      arrays.map((array, column) => (row < array.length ? array[row] : (fill[column] ?? null))),
    );
  };
}

const zip: Build = (spec, c) => {
  const args = namedArguments(spec, ZIP);
  const inputs = args['inputs'] ?? [];
  const defaults = args['defaults'] ?? [];
  const longest = args['useLongestLength'] ?? false;
  check(
    Array.isArray(inputs),
    34461,
    () => `inputs must be an array of expressions, found ${nameOf(inputs)}`,
  );
  check(
    Array.isArray(defaults),
    34462,
    () => `defaults must be an array of expressions, found ${nameOf(defaults)}`,
  );
  check(typeof longest === 'boolean', 34463, () => `useLongestLength must be a bool, found ${nameOf(spec)}`);
  check(inputs.length > 0, 34465, () => '$zip requires at least one input array');
  check(
    longest || defaults.length === 0,
    34466,
    () => 'cannot specify defaults unless useLongestLength is true',
  );
  check(
    defaults.length === 0 || defaults.length === inputs.length,
    34467,
    () => 'defaults and inputs must have the same length',
  );
  return zipInputs(
    inputs.map((item) => c.compile(item, c)),
    defaults.map((item) => c.compile(item, c)),
    longest,
  );
};

function size(value: unknown): number {
  check(
    Array.isArray(value),
    17124,
    () => `The argument to $size must be an array, but was of type: ${nameOf(value)}`,
  );
  return value.length;
}

/** Operators on arrays; those that bind variables are in `binding.ts`, sets in `sets.ts`. */
export const arrayOperators = operators({
  $arrayElemAt: binary((array, position, _c, op) => elementAt(array, position, op)),
  $first: unary((array, _c, op) => elementAt(array, 0, op)),
  $last: unary((array, _c, op) => elementAt(array, -1, op)),
  $arrayToObject: unary(arrayToObject),
  $concatArrays: several(0, Infinity, concat),
  $in: binary((value, array, c) => {
    check(
      Array.isArray(array),
      40081,
      () => `$in requires an array as a second argument, found: ${nameOf(array)}`,
    );
    return array.some((element) => compareValues(element, value, c.collation) === 0);
  }),
  $indexOfArray: indexOfArray,
  $isArray: unary((value) => Array.isArray(value)),
  $range: range,
  $reverseArray: unary(reverse),
  $size: unary(size),
  $slice: slice,
  $sortArray: sortArray,
  $zip: zip,
});

import type { Collation } from '../collation.ts';
import { compareValues } from '../compare.ts';
import { isTruthy } from '../truth.ts';
import { ValueSet } from '../value-map.ts';
import { binary, check, isNullish, nameOf, operators, several, unary } from './types.ts';

function sorted(values: Iterable<unknown>, collation: Collation | undefined): unknown[] {
  return [...values].sort((a, b) => compareValues(a, b, collation));
}

function setOf(values: readonly unknown[], collation: Collation | undefined): ValueSet {
  const set = new ValueSet(collation);
  for (const value of values) set.add(value);
  return set;
}

function union(args: unknown[], collation: Collation | undefined): unknown {
  const set = new ValueSet(collation);
  for (const arg of args) {
    if (isNullish(arg)) return null;
    check(
      Array.isArray(arg),
      17043,
      () => `All operands of $setUnion must be arrays. One argument is of type: ${nameOf(arg)}`,
    );
    for (const value of arg) set.add(value);
  }
  return sorted(set.values(), collation);
}

function intersection(args: unknown[], collation: Collation | undefined): unknown {
  let common: unknown[] | undefined;
  for (const arg of args) {
    if (isNullish(arg)) return null;
    check(
      Array.isArray(arg),
      17047,
      () => `All operands of $setIntersection must be arrays. One argument is of type: ${nameOf(arg)}`,
    );
    const set = setOf(arg, collation);
    common = common === undefined ? [...set.values()] : common.filter((value) => set.has(value));
  }
  return sorted(common ?? [], collation);
}

function difference(a: unknown, b: unknown, collation: Collation | undefined): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  check(
    Array.isArray(a),
    17048,
    () => `both operands of $setDifference must be arrays. First argument is of type: ${nameOf(a)}`,
  );
  check(
    Array.isArray(b),
    17049,
    () => `both operands of $setDifference must be arrays. Second argument is of type: ${nameOf(b)}`,
  );
  const seen = setOf(b, collation);
  return a.filter((value) => seen.add(value));
}

function equal(args: unknown[], collation: Collation | undefined): boolean {
  check(args.length >= 2, 17045, () => `$setEquals needs at least two arguments had: ${args.length}`);
  const sets = args.map((arg, i) => {
    check(
      Array.isArray(arg),
      17044,
      () => `All operands of $setEquals must be arrays. ${i + 1}-th argument is of type: ${nameOf(arg)}`,
    );
    return setOf(arg, collation);
  });
  const [first, ...others] = sets as [ValueSet, ...ValueSet[]];
  return others.every(
    (other) => other.size === first.size && [...first.values()].every((value) => other.has(value)),
  );
}

function subset(a: unknown, b: unknown, collation: Collation | undefined): boolean {
  check(
    Array.isArray(a),
    17046,
    () => `both operands of $setIsSubset must be arrays. First argument is of type: ${nameOf(a)}`,
  );
  check(
    Array.isArray(b),
    17042,
    () => `both operands of $setIsSubset must be arrays. Second argument is of type: ${nameOf(b)}`,
  );
  const set = setOf(b, collation);
  return a.every((value) => set.has(value));
}

function elements(value: unknown, op: string, code: number): unknown[] {
  check(Array.isArray(value), code, () => `${op}'s argument must be an array, but is ${nameOf(value)}`);
  return value;
}

/** Arrays taken as sets. Unions and intersections come out sorted, as the server's do. */
export const setOperators = operators({
  $setUnion: several(0, Infinity, (args, c) => union(args, c.collation)),
  $setIntersection: several(0, Infinity, (args, c) => intersection(args, c.collation)),
  $setDifference: binary((a, b, c) => difference(a, b, c.collation)),
  $setEquals: several(0, Infinity, (args, c) => equal(args, c.collation)),
  $setIsSubset: binary((a, b, c) => subset(a, b, c.collation)),
  $allElementsTrue: unary((value, _c, op) => elements(value, op, 17040).every(isTruthy)),
  $anyElementTrue: unary((value, _c, op) => elements(value, op, 17041).some(isTruthy)),
});

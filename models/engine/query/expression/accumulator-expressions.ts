import { exactLong } from '../../values/integers.ts';
import { showValue } from '../../values/show.ts';
import { isNumeric } from '../../values/types.ts';
import { ACCUMULATORS, extremesOf } from './accumulators.ts';
import { compileArguments, namedArguments, valueOf, type ArgumentRules } from './named-arguments.ts';
import {
  check,
  compileOperands,
  isNullish,
  nameOf,
  operators,
  type Build,
  type ExprContext,
} from './types.ts';

/** An accumulator used as an expression: over the elements of its one array, or over its operands. */
const overOperands: Build = (spec, c, op) => {
  const make = ACCUMULATORS.get(op);
  const operands = compileOperands(op, spec, c, 0, Infinity);
  return (scope) => {
    const accumulator = make?.(c.collation);
    const values = operands.map((operand) => operand(scope));
    const [only] = values;
    for (const value of values.length === 1 && Array.isArray(only) ? only : values) accumulator?.add(value);
    return accumulator?.result();
  };
};

/** How many elements `$firstN` and its like may give. */
export function countFrom(value: unknown): number {
  check(
    isNumeric(value),
    5787902,
    () => `Value for 'n' must be of integral type, but found ${showValue(value)}`,
  );
  const n = exactLong(value);
  check(
    n !== undefined,
    5787903,
    () => `Value for 'n' must be of integral type, but found ${showValue(value)}`,
  );
  check(n > 0n, 5787908, () => `'n' must be greater than 0, found ${showValue(value)}`);
  return Number(n);
}

/** The rules of operators with `n` and `input`. */
export const N_RULES = (op: string): ArgumentRules => ({
  required: ['n', 'input'],
  notObject: [5787900, (found) => `specification must be an object; found ${op} :${found}`],
  unknown: [5787901, (name) => `Unknown argument to ${op}: ${name}`],
  missing: { n: [5787906, `Missing value for 'n'`], input: [5787907, `Missing value for 'input'`] },
});

type Pick = (values: readonly unknown[], n: number, c: ExprContext) => unknown[];

const fromArray =
  (pick: Pick): Build =>
  (spec, c, op) => {
    const args = compileArguments(namedArguments(spec, N_RULES(op)), c);
    return (scope) => {
      const n = countFrom(valueOf(args, 'n', scope));
      const array = valueOf(args, 'input', scope);
      if (isNullish(array)) return null;
      check(Array.isArray(array), 5788200, () => `Input must be an array; found ${nameOf(array)}`);
      return pick(array, n, c);
    };
  };

/** Accumulators that may be used in any expression. */
export const accumulatorExpressions = operators({
  $sum: overOperands,
  $avg: overOperands,
  $min: overOperands,
  $max: overOperands,
  $stdDevPop: overOperands,
  $stdDevSamp: overOperands,
  $firstN: fromArray((values, n) => values.slice(0, n)),
  $lastN: fromArray((values, n) => values.slice(-n)),
  $minN: fromArray((values, n, c) => extremesOf(values, n, 1, c.collation)),
  $maxN: fromArray((values, n, c) => extremesOf(values, n, -1, c.collation)),
});

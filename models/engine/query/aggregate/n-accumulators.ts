import type { Collation } from '../collation.ts';
import { countFrom, N_RULES } from '../expression/accumulator-expressions.ts';
import { extremesOf, type Accumulator } from '../expression/accumulators.ts';
import { compileOperand } from '../expression/compile.ts';
import { namedArguments, type ArgumentRules } from '../expression/named-arguments.ts';
import { check, type ExprContext } from '../expression/types.ts';
import { isDocument, type Document } from '../../values/types.ts';
import { compileSorter, type SortKey, type Sorter } from '../sort.ts';
import type { GroupField } from './group-field.ts';

type BuildField = (name: string, op: string, spec: unknown, c: ExprContext) => GroupField;

/** Collects all values of a group and picks from them at the end; a missing one counts as null. */
function collecting(pick: (values: unknown[]) => unknown): Accumulator {
  const values: unknown[] = [];
  return { add: (value) => void values.push(value ?? null), result: () => pick(values) };
}

const ofValues =
  (pick: (values: unknown[], n: number, collation: Collation | undefined) => unknown[]): BuildField =>
  (name, op, spec, c) => {
    const args = namedArguments(spec, N_RULES(op));
    const n = compileOperand(args['n'], c);
    return {
      name,
      input: compileOperand(args['input'], c),
      make: (key) => {
        const count = countFrom(n(key));
        return collecting((values) => pick(values, count, c.collation));
      },
    };
  };

const SORTED_RULES = (op: string, many: boolean): ArgumentRules => ({
  required: many ? ['n', 'sortBy', 'output'] : ['sortBy', 'output'],
  notObject: [5788001, (found) => `specification must be an object; found ${op} :${found}`],
  unknown: [5788002, (name) => `Unknown argument to ${op} '${name}'`],
  missing: {
    n: [5788003, "Missing value for 'n'"],
    output: [5788004, `Missing value for 'output'`],
    sortBy: [5788005, `Missing value for 'sortBy'`],
  },
});

interface Ranked {
  key: SortKey;
  output: unknown;
}

function ranked(sorter: Sorter, sign: 1 | -1, n: number | undefined): Accumulator {
  const kept: Ranked[] = [];
  return {
    add: (value) => void kept.push(value as Ranked),
    result: () => {
      const sorted = kept.sort((a, b) => sorter.compareKeys(a.key, b.key));
      const outputs = (list: Ranked[]): unknown[] => list.map(({ output }) => output ?? null);
      if (n === undefined) return outputs(sorted).at(sign === 1 ? 0 : -1);
      return outputs(sign === 1 ? sorted.slice(0, n) : sorted.slice(-n));
    },
  };
}

const bySort =
  (sign: 1 | -1, many: boolean): BuildField =>
  (name, op, spec, c) => {
    const args = namedArguments(spec, SORTED_RULES(op, many));
    const pattern = args['sortBy'];
    check(isDocument(pattern), 10065, () => `invalid parameter: expected an object (sortBy)`);
    const sorter = compileSorter(pattern as Document, c.collation);
    const output = compileOperand(args['output'], c);
    const n = many ? compileOperand(args['n'], c) : undefined;
    return {
      name,
      input: (scope) => ({ key: sorter.keyOf(scope.root), output: output(scope) }) satisfies Ranked,
      make: (key) => ranked(sorter, sign, n && countFrom(n(key))),
    };
  };

/** Accumulators that keep several values, or order them. */
export const N_ACCUMULATORS: ReadonlyMap<string, BuildField> = new Map<string, BuildField>([
  ['$firstN', ofValues((values, n) => values.slice(0, n))],
  ['$lastN', ofValues((values, n) => values.slice(-n))],
  ['$minN', ofValues((values, n, collation) => extremesOf(values, n, 1, collation))],
  ['$maxN', ofValues((values, n, collation) => extremesOf(values, n, -1, collation))],
  ['$top', bySort(1, false)],
  ['$bottom', bySort(-1, false)],
  ['$topN', bySort(1, true)],
  ['$bottomN', bySort(-1, true)],
]);

import { exactLong } from '../../values/integers.ts';
import { showValue } from '../../values/show.ts';
import { isDocument } from '../../values/types.ts';
import { isTruthy } from '../truth.ts';
import { namedArguments, type ArgumentRules } from './named-arguments.ts';
import { checkNewVariable } from './paths.ts';
import {
  bind,
  check,
  isNullish,
  nameOf,
  operators,
  withNames,
  type Build,
  type Expr,
  type Scope,
} from './types.ts';

const LET: ArgumentRules = {
  required: ['vars', 'in'],
  notObject: [16874, () => '$let only supports an object as its argument'],
  unknown: [16875, (name) => `Unrecognized parameter to $let: ${name}`],
  missing: {
    vars: [16876, "Missing 'vars' parameter to $let"],
    in: [16877, "Missing 'in' parameter to $let"],
  },
};

const letOperator: Build = (spec, c) => {
  const args = namedArguments(spec, LET);
  const vars = args['vars'];
  check(isDocument(vars), 10065, () => `invalid parameter: expected an object (vars)`);
  const bound = Object.keys(vars).map((name): [string, Expr] => [
    checkNewVariable(name),
    c.compile(vars[name], c),
  ]);
  const names = bound.map(([name]) => name);
  const inner = c.compile(args['in'], withNames(c, names));
  return (scope) => inner(bound.reduce((within, [name, value]) => bind(within, name, value(scope)), scope));
};

/** The name `as` gives, `this` without one. */
function nameFrom(as: unknown): string {
  return as === undefined ? 'this' : checkNewVariable(typeof as === 'string' ? as : '');
}

const MAP: ArgumentRules = {
  required: ['input', 'in'],
  optional: ['as'],
  notObject: [16878, () => '$map only supports an object as its argument'],
  unknown: [16879, (name) => `Unrecognized parameter to $map: ${name}`],
  missing: {
    input: [16880, "Missing 'input' parameter to $map"],
    in: [16882, "Missing 'in' parameter to $map"],
  },
};

const map: Build = (spec, c) => {
  const args = namedArguments(spec, MAP);
  const name = nameFrom(args['as']);
  const input = c.compile(args['input'], c);
  const each = c.compile(args['in'], withNames(c, [name]));
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    check(Array.isArray(array), 16883, () => `input to $map must be an array not ${nameOf(array)}`);
    return array.map((element) => each(bind(scope, name, element)) ?? null);
  };
};

const FILTER: ArgumentRules = {
  required: ['input', 'cond'],
  optional: ['as', 'limit'],
  notObject: [28646, () => '$filter only supports an object as its argument'],
  unknown: [28647, (name) => `Unrecognized parameter to $filter: ${name}`],
  missing: {
    input: [28648, "Missing 'input' parameter to $filter"],
    cond: [28650, "Missing 'cond' parameter to $filter"],
  },
};

function limitOf(limit: Expr | undefined, scope: Scope): number {
  const value = limit?.(scope);
  if (isNullish(value)) return Infinity;
  const n = exactLong(value);
  check(
    n !== undefined && Number(n) === (Number(n) | 0),
    327391,
    () => `$filter: limit must be represented as a 32-bit integral value: ${showValue(value)}`,
  );
  check(n > 0n, 327392, () => `$filter: limit must be greater than 0: ${showValue(value)}`);
  return Number(n);
}

const filter: Build = (spec, c) => {
  const args = namedArguments(spec, FILTER);
  const name = nameFrom(args['as']);
  const input = c.compile(args['input'], c);
  const test = c.compile(args['cond'], withNames(c, [name]));
  const limit = Object.hasOwn(args, 'limit') ? c.compile(args['limit'], c) : undefined;
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    check(Array.isArray(array), 28651, () => `input to $filter must be an array not ${nameOf(array)}`);
    if (array.length === 0) return array;
    const most = limitOf(limit, scope);
    const kept: unknown[] = [];
    for (const element of array) {
      if (isTruthy(test(bind(scope, name, element)))) kept.push(element);
      if (kept.length >= most) break;
    }
    return kept;
  };
};

const REDUCE: ArgumentRules = {
  required: ['input', 'initialValue', 'in'],
  notObject: [40075, (found) => `$reduce requires an object as an argument, found: ${found}`],
  unknown: [40076, (name) => `$reduce found an unknown argument: ${name}`],
  missing: {
    input: [40077, "$reduce requires 'input' to be specified"],
    initialValue: [40078, "$reduce requires 'initialValue' to be specified"],
    in: [40079, "$reduce requires 'in' to be specified"],
  },
};

const reduce: Build = (spec, c) => {
  const args = namedArguments(spec, REDUCE);
  const input = c.compile(args['input'], c);
  const initial = c.compile(args['initialValue'], c);
  const step = c.compile(args['in'], withNames(c, ['this', 'value']));
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    check(
      Array.isArray(array),
      40080,
      () => `$reduce requires that 'input' be an array, found: ${showValue(array)}`,
    );
    return array.reduce(
      (value: unknown, element) => step(bind(bind(scope, 'value', value), 'this', element)),
      initial(scope),
    );
  };
};

/** Operators that bind variables. */
export const bindingOperators = operators({ $let: letOperator, $map: map, $filter: filter, $reduce: reduce });

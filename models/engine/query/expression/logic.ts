import { isDocument, type Document } from '../../values/types.ts';
import { compareValues } from '../compare.ts';
import { isTruthy } from '../truth.ts';
import { compileArguments, namedArguments, type ArgumentRules } from './named-arguments.ts';
import {
  binary,
  check,
  compileOperands,
  isNullish,
  nameOf,
  operators,
  unary,
  type Build,
  type Expr,
} from './types.ts';

const comparison = (holds: (order: number) => unknown): Build =>
  binary((a, b, c) => holds(compareValues(a, b, c.collation)));

const and: Build = (spec, c, op) => {
  const operands = compileOperands(op, spec, c, 0, Infinity);
  return (scope) => operands.every((operand) => isTruthy(operand(scope)));
};

const or: Build = (spec, c, op) => {
  const operands = compileOperands(op, spec, c, 0, Infinity);
  return (scope) => operands.some((operand) => isTruthy(operand(scope)));
};

const COND: ArgumentRules = {
  required: ['if', 'then', 'else'],
  notObject: [16020, () => ''],
  unknown: [17083, (name) => `Unrecognized parameter to $cond: ${name}`],
  missing: {
    if: [17080, "Missing 'if' parameter to $cond"],
    then: [17081, "Missing 'then' parameter to $cond"],
    else: [17082, "Missing 'else' parameter to $cond"],
  },
};

const cond: Build = (spec, c, op) => {
  let parts: Expr[];
  if (isDocument(spec)) {
    const args = compileArguments(namedArguments(spec, COND), c);
    parts = ['if', 'then', 'else'].map((name) => args.get(name) as Expr);
  } else {
    parts = compileOperands(op, spec, c, 3, 3);
  }
  const [test, then, otherwise] = parts as [Expr, Expr, Expr];
  return (scope) => (isTruthy(test(scope)) ? then(scope) : otherwise(scope));
};

const ifNull: Build = (spec, c, op) => {
  const operands = compileOperands(op, spec, c, 0, Infinity);
  check(operands.length >= 2, 1257300, () => `$ifNull needs at least two arguments, had: ${operands.length}`);
  return (scope) => {
    let value: unknown;
    for (const operand of operands) {
      value = operand(scope);
      if (!isNullish(value)) return value;
    }
    return value;
  };
};

function branchOf(branch: unknown): Document {
  check(
    isDocument(branch),
    40062,
    () => `$switch expected each branch to be an object, found: ${nameOf(branch)}`,
  );
  for (const key of Object.keys(branch)) {
    check(
      key === 'case' || key === 'then',
      40063,
      () => `$switch found an unknown argument to a branch: ${key}`,
    );
  }
  check(Object.hasOwn(branch, 'case'), 40064, () => "$switch requires each branch have a 'case' expression");
  check(Object.hasOwn(branch, 'then'), 40065, () => "$switch requires each branch have a 'then' expression.");
  return branch;
}

const switchOperator: Build = (spec, c) => {
  check(isDocument(spec), 40060, () => `$switch requires an object as an argument, found: ${nameOf(spec)}`);
  for (const key of Object.keys(spec)) {
    check(key === 'branches' || key === 'default', 40067, () => `$switch found an unknown argument: ${key}`);
  }
  const list = spec['branches'] ?? [];
  check(Array.isArray(list), 40061, () => `$switch expected an array for 'branches', found: ${nameOf(list)}`);
  check(list.length > 0, 40068, () => '$switch requires at least one branch.');
  const branches = list
    .map(branchOf)
    .map((b): [Expr, Expr] => [c.compile(b['case'], c), c.compile(b['then'], c)]);
  const otherwise = Object.hasOwn(spec, 'default') ? c.compile(spec['default'], c) : undefined;
  return (scope) => {
    const found = branches.find(([test]) => isTruthy(test(scope)));
    if (found) return found[1](scope);
    check(
      otherwise !== undefined,
      40066,
      () => '$switch could not find a matching branch for an input, and no default was specified.',
    );
    return otherwise(scope);
  };
};

/** Comparison, boolean and conditional operators. */
export const logicOperators = operators({
  $cmp: comparison((order) => order),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $and: and,
  $or: or,
  $not: unary((value) => !isTruthy(value)),
  $cond: cond,
  $ifNull: ifNull,
  $switch: switchOperator,
});

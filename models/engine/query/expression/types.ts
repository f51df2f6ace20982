import { EngineError, type CodeName } from '../../errors.ts';
import { T, typeNameOf, typeOf, type Document } from '../../values/types.ts';
import type { Collation } from '../collation.ts';

/** Variables that are bound while an expression is evaluated, the innermost first. */
export interface Bindings {
  name: string;
  value: unknown;
  outer: Bindings | undefined;
}

/** What an expression is evaluated against. */
export interface Scope {
  root: Document;
  bindings: Bindings | undefined;
}

/** A compiled expression; `undefined` is a missing value. */
export type Expr = (scope: Scope) => unknown;

/** What is known while an expression is compiled. */
export interface ExprContext {
  now: Date;
  collation: Collation | undefined;
  /** Values of the command's `let`. */
  variables: Document;
  /** Names bound by an enclosing `$let`, `$map`, …; those of a `$lookup`'s `let` too. */
  names: ReadonlySet<string>;
  /** Compiles an operand. */
  compile(spec: unknown, c: ExprContext): Expr;
}

/** Compiles the argument of an operator. */
export type Build = (spec: unknown, c: ExprContext, op: string) => Expr;

/** A family of operators by name. */
export type Operators = ReadonlyMap<string, Build>;

/** A family of operators from an object literal. */
export function operators(entries: Record<string, Build>): Operators {
  return new Map(Object.entries(entries));
}

/** Missing, null, or the deprecated undefined. */
export function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined || typeOf(value) === T.undefined;
}

/** Throws unless a condition holds; messages are built only when needed. */
export function check(condition: boolean, code: CodeName | number, message: () => string): asserts condition {
  if (!condition) throw new EngineError(code, message());
}

/** The type name of a value as messages give it. */
export const nameOf = typeNameOf;

/** The operands an argument stands for: an array's elements, or the one operand itself. */
export function operandsOf(spec: unknown): unknown[] {
  return Array.isArray(spec) ? spec : [spec];
}

function checkArity(op: string, count: number, min: number, max: number): void {
  if (min === max) {
    check(
      count === min,
      16020,
      () => `Expression ${op} takes exactly ${min} arguments. ${count} were passed in.`,
    );
  } else {
    check(
      count >= min && count <= max,
      28667,
      () =>
        `Expression ${op} takes at least ${min} arguments, and at most ${max}, but ${count} were passed in.`,
    );
  }
}

/** Compiles operands and checks how many there are. */
export function compileOperands(op: string, spec: unknown, c: ExprContext, min: number, max: number): Expr[] {
  const operands = operandsOf(spec);
  checkArity(op, operands.length, min, max);
  return operands.map((operand) => c.compile(operand, c));
}

/** An operator of one operand. */
export function unary(apply: (value: unknown, c: ExprContext, op: string) => unknown): Build {
  return (spec, c, op) => {
    const [operand] = compileOperands(op, spec, c, 1, 1) as [Expr];
    return (scope) => apply(operand(scope), c, op);
  };
}

/** An operator of two operands. */
export function binary(apply: (a: unknown, b: unknown, c: ExprContext, op: string) => unknown): Build {
  return (spec, c, op) => {
    const [a, b] = compileOperands(op, spec, c, 2, 2) as [Expr, Expr];
    return (scope) => apply(a(scope), b(scope), c, op);
  };
}

/** An operator of several operands, all evaluated first. */
export function several(
  min: number,
  max: number,
  apply: (args: unknown[], c: ExprContext, op: string) => unknown,
): Build {
  return (spec, c, op) => {
    const operands = compileOperands(op, spec, c, min, max);
    return (scope) =>
      apply(
        operands.map((operand) => operand(scope)),
        c,
        op,
      );
  };
}

/** Binds a variable for the evaluation of an inner expression. */
export function bind(scope: Scope, name: string, value: unknown): Scope {
  return { root: scope.root, bindings: { name, value, outer: scope.bindings } };
}

/** The context for compiling an expression that may use further variables. */
export function withNames(c: ExprContext, names: readonly string[]): ExprContext {
  return { ...c, names: new Set([...c.names, ...names]) };
}

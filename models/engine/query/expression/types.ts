import { EngineError, type CodeName } from '../../errors.ts';
import { T, typeOf, type Document } from '../../values/types.ts';

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
  /** Values of the command's `let`. */
  variables: Document;
  /** Names bound by an enclosing `$let`, `$map` or `$filter`. */
  names: ReadonlySet<string>;
  /** Compiles an operand. */
  compile(spec: unknown, c: ExprContext): Expr;
}

/** Compiles the argument of an operator. */
export type Build = (spec: unknown, c: ExprContext, op: string) => Expr;

/** Missing, null, or the deprecated undefined. */
export function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined || typeOf(value) === T.undefined;
}

/** Throws unless a condition holds; messages are built only when needed. */
export function check(condition: boolean, code: CodeName | number, message: () => string): asserts condition {
  if (!condition) throw new EngineError(code, message());
}

/** Compiles the operands an argument stands for, an array's elements or the one itself, and checks how many there are. */
export function compileOperands(op: string, spec: unknown, c: ExprContext, min: number, max: number): Expr[] {
  const operands: unknown[] = Array.isArray(spec) ? spec : [spec];
  const count = operands.length;
  const wanted =
    min === max ? `exactly ${min} arguments.` : `at least ${min} arguments, and at most ${max}, but`;
  check(count >= min && count <= max, min === max ? 16020 : 28667, () => {
    return `Expression ${op} takes ${wanted} ${count} were passed in.`;
  });
  return operands.map((operand) => c.compile(operand, c));
}

/**
 * The named arguments of an operator, each compiled with the names it may use.
 * @throws EngineError FailedToParse for one that is unknown or missing
 */
export function namedArguments(
  op: string,
  spec: unknown,
  required: readonly string[],
  optional: readonly string[] = [],
): Document {
  check(isPlain(spec), 'FailedToParse', () => `${op} only supports an object as its argument`);
  for (const name of Object.keys(spec)) {
    const known = required.includes(name) || optional.includes(name);
    check(known, 'FailedToParse', () => `Unrecognized argument to ${op}: ${name}`);
  }
  for (const name of required) {
    check(Object.hasOwn(spec, name), 'FailedToParse', () => `Missing '${name}' parameter to ${op}`);
  }
  return spec;
}

function isPlain(spec: unknown): spec is Document {
  return typeOf(spec) === T.object;
}

/** An operator of several operands, all evaluated first. */
export function several(
  min: number,
  max: number,
  apply: (args: unknown[], c: ExprContext, op: string) => unknown,
): Build {
  return (spec, c, op) => {
    const operands = compileOperands(op, spec, c, min, max);
    const evaluate = (scope: Scope): unknown[] => operands.map((operand) => operand(scope));
    return (scope) => apply(evaluate(scope), c, op);
  };
}

/** An operator of one operand. */
export function unary(apply: (value: unknown, op: string, c: ExprContext) => unknown): Build {
  return several(1, 1, ([value], c, op) => apply(value, op, c));
}

/** An operator of two operands. */
export function binary(apply: (a: unknown, b: unknown, op: string, c: ExprContext) => unknown): Build {
  return several(2, 2, ([a, b], c, op) => apply(a, b, op, c));
}

/** Binds a variable for the evaluation of an inner expression. */
export function bind(scope: Scope, name: string, value: unknown): Scope {
  return { root: scope.root, bindings: { name, value, outer: scope.bindings } };
}

/** The context for compiling an expression that may use further variables. */
export function withNames(c: ExprContext, names: readonly string[]): ExprContext {
  return { ...c, names: new Set([...c.names, ...names]) };
}

import { isDocument, type Document } from '../../values/types.ts';
import { check, nameOf, type Expr, type ExprContext, type Scope } from './types.ts';

/** How an operator with named arguments words its complaints. */
export interface ArgumentRules {
  required: readonly string[];
  optional?: readonly string[];
  notObject: [code: number, message: (found: string) => string];
  unknown: [code: number, message: (name: string) => string];
  missing: Record<string, [code: number, message: string]>;
}

/** The named arguments of an operator, not compiled yet. */
export function namedArguments(spec: unknown, rules: ArgumentRules): Document {
  check(isDocument(spec), rules.notObject[0], () => rules.notObject[1](nameOf(spec)));
  const known = [...rules.required, ...(rules.optional ?? [])];
  for (const name of Object.keys(spec)) {
    check(known.includes(name), rules.unknown[0], () => rules.unknown[1](name));
  }
  for (const name of rules.required) {
    const [code, message] = rules.missing[name] ?? [9, `Missing '${name}'`];
    check(Object.hasOwn(spec, name), code, () => message);
  }
  return spec;
}

/** Compiles each named argument. */
export function compileArguments(args: Document, c: ExprContext): Map<string, Expr> {
  return new Map(Object.keys(args).map((name) => [name, c.compile(args[name], c)]));
}

/** Evaluates a named argument; `undefined` when it was not given. */
export function valueOf(args: ReadonlyMap<string, Expr>, name: string, scope: Scope): unknown {
  return args.get(name)?.(scope);
}

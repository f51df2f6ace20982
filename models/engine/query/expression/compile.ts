import { unknownHere } from '../../errors.ts';
import { cloneValue } from '../../values/clone.ts';
import { showDocument } from '../../values/show.ts';
import { isDocument, setField, type Document } from '../../values/types.ts';
import { OPERATORS } from './operators.ts';
import { compilePath } from './paths.ts';
import { check, type Expr, type ExprContext } from './types.ts';

function compileOperator(spec: Document, c: ExprContext): Expr {
  const keys = Object.keys(spec);
  check(keys.length === 1, 15983, () => {
    return `An object representing an expression must have exactly one field: ${showDocument(spec)}`;
  });
  const [op = ''] = keys;
  if (op === '$literal' || op === '$const') {
    const value = cloneValue(spec[op]);
    return () => value;
  }
  const build = OPERATORS.get(op);
  if (build) return build(spec[op], c, op);
  throw unknownHere('InvalidPipelineOperator', `Unrecognized expression '${op}'`);
}

function checkFieldName(name: string): void {
  check(!name.startsWith('$'), 16410, () => "FieldPath field names may not start with '$'.");
  check(!name.includes('.'), 16412, () => "FieldPath field names may not contain '.'.");
  check(name !== '', 15998, () => 'FieldPath field names may not be empty strings.');
}

function compileObject(spec: Document, c: ExprContext): Expr {
  const fields = Object.keys(spec).map((name): [string, Expr] => {
    checkFieldName(name);
    return [name, compileOperand(spec[name], c)];
  });
  return (scope) => {
    const result: Document = {};
    for (const [name, value] of fields) {
      const computed = value(scope);
      if (computed !== undefined) setField(result, name, computed);
    }
    return result;
  };
}

function compileArray(spec: readonly unknown[], c: ExprContext): Expr {
  const items = spec.map((item) => compileOperand(item, c));
  return (scope) => items.map((item) => item(scope) ?? null);
}

/** Compiles any expression: a path, a variable, an operator, a document or an array of expressions, or a constant. */
export function compileOperand(spec: unknown, c: ExprContext): Expr {
  if (typeof spec === 'string' && spec.startsWith('$')) return compilePath(spec, c);
  if (Array.isArray(spec)) return compileArray(spec, c);
  if (!isDocument(spec)) return () => spec;
  return Object.keys(spec)[0]?.startsWith('$') ? compileOperator(spec, c) : compileObject(spec, c);
}

/** A context for expressions that stand by themselves. */
export function expressionContext(o: { now?: Date; variables?: Document }): ExprContext {
  return {
    now: o.now ?? new Date(),
    variables: o.variables ?? {},
    names: new Set(),
    compile: compileOperand,
  };
}

/** True when a document is an operator expression rather than a document of fields. */
export function isExpressionDocument(value: unknown): value is Document {
  return isDocument(value) && Object.keys(value)[0]?.startsWith('$') === true;
}

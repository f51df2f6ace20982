import { getField, isDocument, type Document } from '../../values/types.ts';
import { check, type Expr, type ExprContext, type Scope } from './types.ts';

/** The values of a path in the documents of an array; other elements, also arrays, are passed over. */
function throughArray(array: readonly unknown[], parts: readonly string[], from: number): unknown[] {
  const found: unknown[] = [];
  for (const element of array) {
    if (!isDocument(element)) continue;
    const value = throughDocument(element, parts, from);
    if (value !== undefined) found.push(value);
  }
  return found;
}

function throughDocument(doc: Document, parts: readonly string[], from: number): unknown {
  let value: unknown = doc;
  for (let i = from; i < parts.length; i++) {
    if (Array.isArray(value)) return throughArray(value, parts, i);
    if (!isDocument(value)) return undefined;
    value = getField(value, parts[i] as string);
  }
  return value;
}

/** Follows the parts of a path as expressions do: through documents, and into every document of an array. */
function followPath(value: unknown, parts: readonly string[]): unknown {
  if (Array.isArray(value)) return parts.length === 0 ? value : throughArray(value, parts, 0);
  if (parts.length === 0) return value;
  return isDocument(value) ? throughDocument(value, parts, 0) : undefined;
}

/**
 * The parts of a field path, checked.
 * @throws EngineError for empty parts, `$` at a part's start, or a null byte
 */
export function fieldPathParts(path: string): string[] {
  check(!path.endsWith('.'), 40353, () => "FieldPath must not end with a '.'.");
  const parts = path.split('.');
  for (const part of parts) {
    check(part !== '', 15998, () => 'FieldPath field names may not be empty strings.');
    check(!part.startsWith('$'), 16410, () => "FieldPath field names may not start with '$'.");
    check(!part.includes('\0'), 16411, () => 'FieldPath field names may not contain null bytes');
  }
  return parts;
}

/** Checks the name a `$let`, `$map` or `$filter` gives to a variable. */
export function checkNewVariable(name: unknown): string {
  check(typeof name === 'string' && /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name), 16867, () => {
    return `'${String(name)}' is not a valid name for a user variable`;
  });
  return name;
}

function lookUp(scope: Scope, name: string): unknown {
  for (let b = scope.bindings; b; b = b.outer) if (b.name === name) return b.value;
  return undefined;
}

function compileVariable(text: string, c: ExprContext): Expr {
  const [name = '', ...rest] = text.split('.');
  const parts = rest.length > 0 ? fieldPathParts(rest.join('.')) : [];
  if (c.names.has(name)) return (scope) => followPath(lookUp(scope, name), parts);
  switch (name) {
    case 'ROOT':
    case 'CURRENT':
      return (scope) => followPath(scope.root, parts);
    case 'NOW':
      return () => followPath(c.now, parts);
    case 'REMOVE':
      return () => undefined;
    default: {
      check(Object.hasOwn(c.variables, name), 17276, () => `Use of undefined variable: ${name}`);
      const value = followPath(c.variables[name], parts);
      return () => value;
    }
  }
}

/** Compiles `$path` and `$$variable.path`. */
export function compilePath(text: string, c: ExprContext): Expr {
  check(text.length > 1, 16872, () => "'$' by itself is not a valid FieldPath");
  if (text.startsWith('$$')) {
    check(text.length > 2, 16869, () => 'empty variable names are not allowed');
    return compileVariable(text.slice(2), c);
  }
  const parts = fieldPathParts(text.slice(1));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return (scope) => getField(scope.root, only);
  return (scope) => throughDocument(scope.root, parts, 0);
}

import type { Document } from '../../values/types.ts';
import { compileOperand, expressionContext } from '../expression/compile.ts';
import type { Bindings, ExprContext } from '../expression/types.ts';
import { isTruthy } from '../compare.ts';
import { compileDocument, type FilterContext } from './compile.ts';

/** What a filter may need beside its conditions. */
export interface FilterOptions {
  /** The time `$$NOW` stands for. */
  now?: Date;
  /** The command's `let`, for `$expr`. */
  variables?: Document;
}

/** A predicate over documents. */
export type Matcher = (doc: Document) => boolean;

/** What a filter needs, with its `$expr` compiled in a context of expressions. */
export function filterContextOf(c: ExprContext, bindings?: Bindings): FilterContext {
  return {
    expression(spec) {
      const expression = compileOperand(spec, c);
      return (root) => isTruthy(expression({ root, bindings }));
    },
  };
}

/** What a filter of a command needs. */
export function filterContext(o: FilterOptions): FilterContext {
  return filterContextOf(expressionContext(o));
}

/**
 * Compiles a filter to a predicate.
 * @throws EngineError BadValue and others for what the server would refuse, CommandNotSupported for what only the engine does
 */
export function compileFilter(filter: Document, o: FilterOptions = {}): Matcher {
  const predicate = compileDocument(filter, filterContext(o));
  return (doc) => predicate.onDocument(doc);
}

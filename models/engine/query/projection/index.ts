import { isDocument, type Document } from '../../values/types.ts';
import { expressionContext } from '../expression/compile.ts';
import type { ExprContext, Scope } from '../expression/types.ts';
import { filterContext } from '../filter/index.ts';
import { compileDocument } from '../filter/compile.ts';
import { ProjectionParser, parseAddedFields, type Projection } from './parse.ts';
import { computeInto, projectDocument } from './tree.ts';

/** What a projection may need beside its specification. */
export interface ProjectionOptions {
  /** The query the documents were found with, for the positional projection. */
  filter?: Document;
  now?: Date;
  variables?: Document;
}

function apply({ mode, branch, finish }: Projection): (doc: Document, scope?: Scope) => Document {
  return (doc, scope) => {
    let result = projectDocument(branch, mode, doc);
    if (branch.order.length > 0) computeInto(branch, result, scope ?? { root: doc, bindings: undefined });
    for (const step of finish) result = step(result, doc);
    return result;
  };
}

/**
 * Compiles the projection of a find. The document given to the result is not changed; values are shared with it.
 * @throws EngineError for a specification the server would refuse
 */
export function compileProjection(spec: Document, o: ProjectionOptions = {}): (doc: Document) => Document {
  if (!isDocument(spec) || Object.keys(spec).length === 0) return (doc) => doc;
  const filter = filterContext(o);
  const matches = o.filter && compileDocument(o.filter, filter).onDocument;
  return apply(new ProjectionParser(expressionContext(o), { filter, matches }).parse(spec));
}

/** Compiles the specification of a `$project` stage. */
export function compileStageProjection(
  spec: Document,
  c: ExprContext,
): (doc: Document, scope?: Scope) => Document {
  return apply(new ProjectionParser(c, undefined).parse(spec));
}

/** Compiles the specification of an `$addFields` stage. */
export function compileAddedFields(
  spec: Document,
  c: ExprContext,
): (doc: Document, scope?: Scope) => Document {
  const branch = parseAddedFields(spec, c);
  return (doc, scope) => {
    const result = { ...doc };
    computeInto(branch, result, scope ?? { root: doc, bindings: undefined });
    return result;
  };
}

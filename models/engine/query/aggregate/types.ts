import type { Document } from '../../values/types.ts';
import type { Collation } from '../collation.ts';
import type { Bindings, ExprContext } from '../expression/types.ts';

/** What a pipeline needs of the outside. */
export interface PipelineContext {
  /** The time `$$NOW` stands for. */
  now: Date;
  collation?: Collation;
  /** The command's `let`. */
  variables?: Document;
  /** The documents of another collection of the same database that match a filter. */
  find(collection: string, filter: Document): Iterable<Document>;
}

/** What is known while a stage is compiled. */
export interface StageContext {
  expressions: ExprContext;
  find: PipelineContext['find'];
  /** How many documents of a `$sort` the stages after it want. */
  wanted?: number;
  /** Compiles a pipeline within the pipeline. */
  compile(stages: unknown, c: StageContext, inside: string): Stage;
}

/** A compiled stage, run with the variables that an enclosing `$lookup` binds. */
export type Stage = (input: Iterable<Document>, bindings: Bindings | undefined) => Iterable<Document>;

/** Compiles the argument of a stage. */
export type BuildStage = (spec: unknown, c: StageContext, name: string) => Stage;

/** A stage that treats each document by itself. */
export function mapping(each: (doc: Document, bindings: Bindings | undefined) => Document): Stage {
  return function* (input, bindings) {
    for (const doc of input) yield each(doc, bindings);
  };
}

import { PAUSE, type Pausing } from '../../budget.ts';
import type { Document } from '../../values/types.ts';
import type { Bindings, ExprContext } from '../expression/types.ts';

/** What a pipeline needs of the outside. */
export interface PipelineContext {
  /** The time `$$NOW` stands for. */
  now: Date;
  /** The command's `let`. */
  variables?: Document;
}

/** What is known while a stage is compiled. */
export interface StageContext {
  expressions: ExprContext;
  /** How many documents of a `$sort` the stages after it want. */
  wanted?: number;
  /** Compiles the stages that one stage stands for. */
  compile(stages: readonly unknown[], c: StageContext): Stage;
}

/** A compiled stage, run with the variables that are bound around it. It hands pauses on. */
export type Stage = (input: Pausing<Document>, bindings: Bindings | undefined) => Pausing<Document>;

/** Compiles the argument of a stage. */
export type BuildStage = (spec: unknown, c: StageContext, name: string) => Stage;

/** A stage that treats each document by itself. */
export function mapping(each: (doc: Document, bindings: Bindings | undefined) => Document): Stage {
  return function* (input, bindings) {
    for (const doc of input) yield doc === PAUSE ? PAUSE : each(doc, bindings);
  };
}

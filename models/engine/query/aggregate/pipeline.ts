import type { Pausing } from '../../budget.ts';
import { unknownHere } from '../../errors.ts';
import { exactLong } from '../../values/arithmetic.ts';
import { isDocument, type Document } from '../../values/types.ts';
import { expressionContext } from '../expression/compile.ts';
import { check } from '../expression/types.ts';
import { groupStage } from './group.ts';
import { simpleStages } from './simple-stages.ts';
import { unwindStage } from './unwind.ts';
import type { BuildStage, PipelineContext, Stage, StageContext } from './types.ts';

const STAGES: ReadonlyMap<string, BuildStage> = new Map<string, BuildStage>([
  ...simpleStages,
  ['$group', groupStage],
  ['$unwind', unwindStage],
]);

function stageOf(spec: unknown, c: StageContext): Stage {
  check(isDocument(spec), 'TypeMismatch', () => "Each element of the 'pipeline' array must be an object");
  const names = Object.keys(spec);
  check(
    names.length === 1,
    40323,
    () => 'A pipeline stage specification object must contain exactly one field.',
  );
  const [name = ''] = names;
  const build = STAGES.get(name);
  if (build) return build(spec[name], c, name);
  throw unknownHere(40324, `Unrecognized pipeline stage name: '${name}'`);
}

function numberOf(stage: unknown, name: string): number | undefined {
  const n = isDocument(stage) && Object.hasOwn(stage, name) ? exactLong(stage[name]) : undefined;
  return n === undefined ? undefined : Number(n);
}

/** How many documents stages take at most: a `$limit`, with a `$skip` before it. */
function wantedOf(stages: readonly unknown[]): number {
  const skip = numberOf(stages[0], '$skip');
  const limit = numberOf(stages[skip === undefined ? 0 : 1], '$limit');
  return limit === undefined ? Infinity : (skip ?? 0) + limit;
}

function compileStages(stages: readonly unknown[], c: StageContext): Stage {
  const compiled = stages.map((stage, i) => stageOf(stage, { ...c, wanted: wantedOf(stages.slice(i + 1)) }));
  return (input, bindings) => compiled.reduce((docs, stage) => stage(docs, bindings), input);
}

/**
 * Compiles a pipeline; nothing is read before the result is iterated.
 * @throws EngineError 40324 for an unknown stage, and those of each stage
 */
export function compilePipeline(
  stages: Document[],
  ctx: PipelineContext,
): (input: Pausing<Document>) => Pausing<Document> {
  const context: StageContext = { expressions: expressionContext(ctx), compile: compileStages };
  const pipeline = compileStages(stages, context);
  return (input) => pipeline(input, undefined);
}

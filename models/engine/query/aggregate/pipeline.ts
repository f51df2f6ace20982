import { EngineError, unsupported } from '../../errors.ts';
import { exactLong } from '../../values/integers.ts';
import { isDocument, setField, typeNameOf, type Document } from '../../values/types.ts';
import { expressionContext } from '../expression/compile.ts';
import { check } from '../expression/types.ts';
import { bucketAutoStage, bucketStage } from './bucket.ts';
import { graphLookupStage } from './graph-lookup.ts';
import { groupStage } from './group.ts';
import { lookupStage, unionWithStage } from './lookup.ts';
import { simpleStages } from './simple-stages.ts';
import { unwindStage } from './unwind.ts';
import type { BuildStage, PipelineContext, Stage, StageContext } from './types.ts';

/** Stages MongoDB has and the engine does not. */
const REFUSED = new Set([
  ...[
    '$out',
    '$merge',
    '$geoNear',
    '$redact',
    '$densify',
    '$fill',
    '$setWindowFields',
    '$search',
    '$searchMeta',
  ],
  ...['$changeStream', '$collStats', '$currentOp', '$indexStats', '$listLocalSessions', '$listSessions'],
  ...['$planCacheStats', '$shardedDataDistribution', '$vectorSearch', '$listSearchIndexes'],
]);

const NOT_IN_FACET = new Set([
  '$facet',
  '$documents',
  '$out',
  '$merge',
  '$geoNear',
  '$indexStats',
  '$collStats',
]);

const facet: BuildStage = (spec, c) => {
  check(
    isDocument(spec),
    40169,
    () => `the $facet specification must be a non-empty object, but found: ${typeNameOf(spec)}`,
  );
  const names = Object.keys(spec);
  check(names.length > 0, 40169, () => 'the $facet specification must be a non-empty object, but found: {}');
  const pipelines = names.map((name): [string, Stage] => {
    const stages = spec[name];
    check(
      Array.isArray(stages),
      40170,
      () => `arguments to $facet must be arrays, ${name} is type ${typeNameOf(stages)}`,
    );
    check(
      !name.startsWith('$'),
      16410,
      () => `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
    );
    check(!name.includes('.'), 16412, () => "FieldPath field names may not contain '.'.");
    for (const stage of stages) {
      const [inner = ''] = isDocument(stage) ? Object.keys(stage) : [];
      check(
        !NOT_IN_FACET.has(inner),
        40600,
        () => `${inner} is not allowed to be used within a $facet stage`,
      );
    }
    return [name, c.compile(stages, c, '$facet')];
  });
  return (input, bindings) => {
    const docs = [...input];
    const result: Document = {};
    for (const [name, pipeline] of pipelines) setField(result, name, [...pipeline(docs, bindings)]);
    return [result];
  };
};

const STAGES: ReadonlyMap<string, BuildStage> = new Map<string, BuildStage>([
  ...simpleStages,
  ['$group', groupStage],
  ['$bucket', bucketStage],
  ['$bucketAuto', bucketAutoStage],
  ['$unwind', unwindStage],
  ['$lookup', lookupStage],
  ['$graphLookup', graphLookupStage],
  ['$unionWith', unionWithStage],
  ['$facet', facet],
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
  if (REFUSED.has(name)) throw unsupported(name);
  throw new EngineError(40324, `Unrecognized pipeline stage name: '${name}'`);
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

/** Deeper pipelines within pipelines than any reader could follow. */
const MAX_NESTED = 20;

function compileStages(stages: unknown, c: StageContext, inside: string): Stage {
  check(
    Array.isArray(stages),
    'TypeMismatch',
    () => `'pipeline' option must be specified as an array${inside === '' ? '' : ` in ${inside}`}`,
  );
  const compiled = stages.map((stage, i) => stageOf(stage, { ...c, wanted: wantedOf(stages.slice(i + 1)) }));
  return (input, bindings) => compiled.reduce((docs, stage) => stage(docs, bindings), input);
}

function nesting(depth: number): StageContext['compile'] {
  return (stages, c, inside) => {
    check(
      depth < MAX_NESTED,
      'BadValue',
      () => `Maximum number of nested sub-pipelines exceeded. Limit is ${MAX_NESTED}`,
    );
    return compileStages(stages, { ...c, compile: nesting(depth + 1) }, inside);
  };
}

/**
 * Compiles a pipeline; nothing is read before the result is iterated.
 * @throws EngineError 40324 for an unknown stage, CommandNotSupported for one the engine does not do, and those of each stage
 */
export function compilePipeline(
  stages: Document[],
  ctx: PipelineContext,
): (input: Iterable<Document>) => Iterable<Document> {
  const context: StageContext = { expressions: expressionContext(ctx), find: ctx.find, compile: nesting(0) };
  const pipeline = compileStages(stages, context, '');
  return (input) => pipeline(input, undefined);
}

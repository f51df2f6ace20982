import { unpaused, type Pausing } from '../../budget.ts';
import { isDocument, type Document } from '../../values/types.ts';
import { compilePipeline } from './pipeline.ts';
import type { PipelineContext } from './types.ts';

export type { PipelineContext } from './types.ts';
export { compilePipeline } from './pipeline.ts';

/**
 * Checks a pipeline without running it.
 * @throws EngineError as {@link compilePipeline}
 */
export function validatePipeline(stages: Document[], variables?: Document): void {
  compilePipeline(stages, { now: new Date(0), ...(variables ? { variables } : {}) });
}

/** Runs a pipeline; documents flow one by one where the stages allow it, with pauses between them. */
export function flow(stages: Document[], input: Pausing<Document>, ctx: PipelineContext): Pausing<Document> {
  return compilePipeline(stages, ctx)(input);
}

/** Runs a pipeline without pauses. */
export function runPipeline(
  stages: Document[],
  input: Iterable<Document>,
  ctx: PipelineContext,
): Iterable<Document> {
  return unpaused(flow(stages, input, ctx));
}

/** The part of a pipeline that a find can do, so that indexes serve it, and the stages that are left. */
export interface LeadingQuery {
  filter: Document;
  sort: Document | undefined;
  skip: number | undefined;
  limit: number | undefined;
  rest: Document[];
}

/** Splits off what stands at the beginning: `$match`es, then a `$sort`, a `$skip` and a `$limit`. */
export function leadingQuery(stages: readonly Document[]): LeadingQuery {
  const rest = [...stages];
  const take = (name: string): unknown => {
    const [stage] = rest;
    const wanted = stage !== undefined && Object.keys(stage).length === 1 && Object.hasOwn(stage, name);
    return wanted ? (rest.shift() as Document)[name] : undefined;
  };
  const takeNumber = (name: string): number | undefined => {
    const value = rest[0]?.[name];
    return typeof value === 'number' && Number.isInteger(value) && value > 0
      ? (take(name), value)
      : undefined;
  };
  const filters: Document[] = [];
  for (let filter = take('$match'); isDocument(filter); filter = take('$match')) filters.push(filter);
  const sort = isDocument(rest[0]?.['$sort']) ? (take('$sort') as Document) : undefined;
  const skip = takeNumber('$skip');
  const limit = takeNumber('$limit');
  return {
    filter: filters.length > 1 ? { $and: filters } : (filters[0] ?? {}),
    sort,
    skip,
    limit,
    rest,
  };
}

import { EngineError } from '../errors.ts';
import { leadingQuery, runPipeline, validatePipeline, type PipelineContext } from '../query/index.ts';
import type { Query, ReadView } from '../storage/index.ts';
import { encode } from '../values/codec.ts';
import type { Document } from '../values/types.ts';
import { isSource, sourceOf } from './aggregate-sources.ts';
import type { CommandContext } from './context.ts';
import { DEFAULT_BATCH } from './cursors.ts';
import { field, required, type Arguments } from './fields.ts';
import { queryOf } from './find.ts';
import { namespaceOf } from './namespaces.ts';
import { toNumber } from './numbers.ts';

/** Arguments of `aggregate`. */
export const AGGREGATE_TABLE = {
  aggregate: required(field.any),
  pipeline: required(field.documents),
  cursor: field.document,
  explain: field.bool,
  allowDiskUse: field.bool,
  bypassDocumentValidation: field.bool,
  collation: field.simpleCollation,
  hint: field.stringOrDocument,
  let: field.document,
};

export type Aggregate = Arguments<typeof AGGREGATE_TABLE>;

/** A pipeline cut in two: what the store answers with its indexes, and the stages after that. */
export interface SplitPipeline {
  query: Query;
  rest: Document[];
}

/** `db.collection`, or `db.$cmd.aggregate` for pipelines that read no collection. */
export function aggregateNamespace(context: CommandContext, target: unknown): string {
  if (typeof target === 'string') return namespaceOf(context, target);
  if (toNumber(target) !== 1) {
    throw new EngineError(
      'FailedToParse',
      "Invalid command format: the 'aggregate' field must specify a collection name or 1",
    );
  }
  return `${context.db}.$cmd.aggregate`;
}

/** Takes off the front of a pipeline what a query can do, so that indexes serve it. */
export function splitPipeline(context: CommandContext, args: Aggregate): SplitPipeline {
  const { filter, sort, skip, limit, rest } = leadingQuery(args.pipeline);
  const query: Query = {
    ...queryOf(context, { ...args, filter }),
    ...(sort ? { sort } : {}),
    ...(skip ? { skip } : {}),
    ...(limit ? { limit } : {}),
  };
  return { query, rest };
}

/** What the stages need. */
function pipelineContext(context: CommandContext, query: Query): PipelineContext {
  return {
    now: context.now,
    ...(query.variables ? { variables: query.variables } : {}),
  };
}

function* documentsOf(
  context: CommandContext,
  view: ReadView,
  ns: string,
  query: Query,
): Generator<Document> {
  for (const found of context.timed(view.find(ns, query))) yield found.doc;
}

/** The documents a pipeline gives. */
function results(context: CommandContext, view: ReadView, ns: string, args: Aggregate): Iterable<Document> {
  const source = sourceOf(context, view, ns, args.pipeline[0]);
  if (source)
    return runPipeline(args.pipeline.slice(1), source, pipelineContext(context, queryOf(context, args)));
  if (ns.endsWith('.$cmd.aggregate')) {
    throw new EngineError(
      'InvalidNamespace',
      `{aggregate: 1} is not valid for '${Object.keys(args.pipeline[0] ?? {})[0] ?? 'an empty pipeline'}'; a collection is required.`,
    );
  }
  const { query, rest } = splitPipeline(context, args);
  const found = documentsOf(context, view, ns, query);
  return rest.length === 0 ? found : runPipeline(rest, found, pipelineContext(context, query));
}

/** Runs a pipeline and opens a cursor on what it gives. */
export async function runAggregate(context: CommandContext, args: Aggregate): Promise<Document> {
  const ns = aggregateNamespace(context, args.aggregate);
  if (!args.cursor) {
    throw new EngineError(
      'FailedToParse',
      "The 'cursor' option is required, except for aggregate with the explain argument",
    );
  }
  const stages = isSource(args.pipeline[0]) ? args.pipeline.slice(1) : args.pipeline;
  validatePipeline(stages, queryOf(context, args).variables);
  const owner = {
    ns,
    session: context.request.session?.id ?? null,
    inTransaction: context.request.transaction !== null,
  };
  const batchSize = batchSizeOf(args.cursor);
  const { view, close } = context.longView();
  try {
    const documents = encodeLazily(context.timed(results(context, view, ns, args)));
    return { cursor: context.engine.cursors.start({ documents, close }, owner, batchSize) };
  } catch (error) {
    close();
    throw error;
  }
}

function* encodeLazily(documents: Iterable<Document>): Generator<Uint8Array> {
  for (const doc of documents) yield encode(doc);
}

function batchSizeOf(cursor: Document | undefined): number {
  const sent = cursor?.['batchSize'];
  return sent === undefined ? DEFAULT_BATCH : field.count.read(sent, 'aggregate.cursor.batchSize');
}

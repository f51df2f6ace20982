import { EngineError } from '../errors.ts';
import { PAUSE, type Pause, type Pausing, type Steps } from '../budget.ts';
import { compilePipeline, leadingQuery } from '../query/index.ts';
import type { Query, ReadView } from '../storage/index.ts';
import { encode } from '../values/encode.ts';
import { Binary, type Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { DEFAULT_BATCH } from './cursors.ts';
import { field, required, type Arguments } from './fields.ts';
import { mapLazily, queryOf } from './find.ts';
import { namespaceOf } from './namespaces.ts';
import { toNumber, wholeNumber } from '../values/numbers.ts';

const AGGREGATE_TABLE = {
  aggregate: required(field.any),
  pipeline: required(field.documents),
  cursor: required(field.document),
  allowDiskUse: field.bool,
  bypassDocumentValidation: field.bool,
  collation: field.simpleCollation,
  hint: field.stringOrDocument,
};

type Aggregate = Arguments<typeof AGGREGATE_TABLE>;

/** A pipeline split in two: the part that the store answers with its indexes, and the remaining stages. */
interface SplitPipeline {
  query: Query;
  rest: Document[];
}

/** `db.collection`, or `db.$cmd.aggregate` for pipelines that read no collection. */
function aggregateNamespace(context: CommandContext, target: unknown): string {
  if (typeof target === 'string') return namespaceOf(context, target);
  if (toNumber(target) !== 1) {
    throw new EngineError(
      'FailedToParse',
      "Invalid command format: the 'aggregate' field must specify a collection name or 1",
    );
  }
  return `${context.db}.$cmd.aggregate`;
}

/** Splits off the front of a pipeline that a query can answer, so that indexes are used. */
function splitPipeline(args: Aggregate): SplitPipeline {
  const { filter, sort, skip, limit, rest } = leadingQuery(args.pipeline);
  const query: Query = {
    ...queryOf({ ...args, filter }),
    ...(sort ? { sort } : {}),
    ...(skip ? { skip } : {}),
    ...(limit ? { limit } : {}),
  };
  return { query, rest };
}

function currentOp({ engine }: CommandContext): Document[] {
  return engine.running.all().map(({ id, command, ns, client, session, since }) => ({
    type: 'op',
    host: engine.address,
    desc: `conn${client.id}`,
    connectionId: client.id,
    active: true,
    opid: id,
    op: 'command',
    command: { [command]: 1 },
    ns,
    microsecs_running: wholeNumber(Math.round((performance.now() - since) * 1000)),
    ...(session ? { lsid: { id: new Binary(Buffer.from(session.id, 'hex'), Binary.SUBTYPE_UUID) } } : {}),
  }));
}

/** True for the stage that produces documents instead of reading them. */
function isCurrentOp(stage: Document | undefined): boolean {
  return stage !== undefined && Object.hasOwn(stage, '$currentOp');
}

function* documentsOf(view: ReadView, ns: string, query: Query): Generator<Document | Pause> {
  for (const found of view.search(ns, query)) yield found === PAUSE ? PAUSE : found.doc;
}

/** The documents that a pipeline returns. */
function results(context: CommandContext, view: ReadView, ns: string, args: Aggregate): Pausing<Document> {
  if (isCurrentOp(args.pipeline[0])) return compilePipeline(args.pipeline.slice(1))(currentOp(context));
  if (ns.endsWith('.$cmd.aggregate')) {
    throw new EngineError(
      'InvalidNamespace',
      `{aggregate: 1} is not valid for '${Object.keys(args.pipeline[0] ?? {})[0] ?? 'an empty pipeline'}'; a collection is required.`,
    );
  }
  const { query, rest } = splitPipeline(args);
  const found = documentsOf(view, ns, query);
  return rest.length === 0 ? found : compilePipeline(rest)(found);
}

/** Runs a pipeline and opens a cursor on its result. */
async function runAggregate(context: CommandContext, args: Aggregate): Promise<Document> {
  const ns = aggregateNamespace(context, args.aggregate);
  if (isCurrentOp(args.pipeline[0]) && context.request.transaction)
    throw new EngineError(
      'OperationNotSupportedInTransaction',
      'Stage not supported inside of a multi-document transaction: $currentOp',
    );
  const stages = isCurrentOp(args.pipeline[0]) ? args.pipeline.slice(1) : args.pipeline;
  compilePipeline(stages);
  const batchSize = batchSizeOf(args.cursor);
  return context.run(openResults(context, ns, args, batchSize));
}

function* openResults(
  context: CommandContext,
  ns: string,
  args: Aggregate,
  batchSize: number,
): Steps<Document> {
  const { view, close } = context.longView();
  let documents: Generator<Uint8Array | Pause>;
  try {
    documents = mapLazily(results(context, view, ns, args), encode);
  } catch (error) {
    close();
    throw error;
  }
  const { cursors } = context.engine;
  const owner = context.cursorOwner(ns);
  return { cursor: yield* cursors.start({ documents, close }, owner, context.request.budget, batchSize) };
}

function batchSizeOf(cursor: Document): number {
  const sent = cursor['batchSize'];
  return sent === undefined ? DEFAULT_BATCH : field.count.read(sent, 'aggregate.cursor.batchSize');
}

/** The aggregation pipeline. */
export const aggregateCommands: Command[] = [
  defineCommand(
    'aggregate',
    { endsWithClient: true, transaction: 'statement' },
    AGGREGATE_TABLE,
    runAggregate,
  ),
];

import { EngineError, unknownHere } from '../errors.ts';
import type { PlanSummary, Query } from '../storage/index.ts';
import type { Document } from '../values/types.ts';
import { AGGREGATE_TABLE, aggregateNamespace, splitPipeline } from './aggregate.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field, readFields, required } from './fields.ts';
import { COUNT_TABLE, FIND_TABLE, findQuery, queryOf } from './find.ts';
import { SERVER_VERSION } from './handshake.ts';
import { namespaceOf } from './namespaces.ts';

interface Explained {
  ns: string;
  query: Query;
  count?: boolean;
  /** Stages that run on what the query gives. */
  rest?: Document[];
}

type Reader = (context: CommandContext, body: Document) => Explained;

const READERS: Record<string, Reader> = {
  find: (context, body) => {
    const args = readFields('find', body, FIND_TABLE);
    return { ns: namespaceOf(context, args.find), query: findQuery(args) };
  },
  count: (context, body) => {
    const args = readFields('count', body, COUNT_TABLE);
    const query = queryOf({ ...args, filter: args.query ?? {} });
    return { ns: namespaceOf(context, args.count), query, count: true };
  },
  aggregate: (context, body) => {
    const args = readFields('aggregate', body, AGGREGATE_TABLE);
    return { ns: aggregateNamespace(context, args.aggregate), ...splitPipeline(args) };
  },
};

const VERBOSITIES = new Set(['queryPlanner', 'executionStats', 'allPlansExecution']);

/** Tells which way a command would go. */
export async function explainCommand(
  context: CommandContext,
  command: Document,
  verbosity: string,
): Promise<Document> {
  if (!VERBOSITIES.has(verbosity))
    throw new EngineError(
      'FailedToParse',
      `verbosity string must be one of {'queryPlanner', 'executionStats', 'allPlansExecution'}`,
    );
  const name = Object.keys(command)[0] ?? '';
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (!reader) throw unknownHere('CommandNotFound', `Explain failed due to unknown command: ${name}`);
  const { $db: _db, ...body } = command;
  const explained = reader(context, body);
  const execute = verbosity !== 'queryPlanner';
  const plan = await context.readSteps((view) =>
    view.explain(explained.ns, explained.query, { execute, count: explained.count ?? false }),
  );
  const planned = {
    ...planReply(plan, explained.query),
    ...(execute ? { executionStats: statsReply(plan) } : {}),
  };
  const stages =
    explained.rest && explained.rest.length > 0
      ? { stages: [{ $cursor: planned }, ...explained.rest] }
      : planned;
  return {
    explainVersion: '1',
    ...stages,
    command: body,
    serverInfo: {
      host: context.engine.address,
      port: 0,
      version: SERVER_VERSION,
      gitVersion: 'vialbook-embedded',
    },
  };
}

function planReply(plan: PlanSummary, query: Query): Document {
  return {
    queryPlanner: {
      namespace: plan.namespace,
      indexFilterSet: false,
      parsedQuery: query.filter ?? {},
      winningPlan: plan.winningPlan,
      rejectedPlans: [],
    },
  };
}

function statsReply(plan: PlanSummary): Document {
  return {
    executionSuccess: true,
    nReturned: plan.nReturned,
    executionTimeMillis: plan.executionTimeMillis,
    totalKeysExamined: plan.keysExamined,
    totalDocsExamined: plan.docsExamined,
    executionStages: plan.winningPlan,
  };
}

/** `explain`, which answers the plan of another command without running its writes. */
export const explainCommands: Command[] = [
  defineCommand(
    'explain',
    {},
    { explain: required(field.document), verbosity: field.string },
    (context, args) => explainCommand(context, args.explain, args.verbosity ?? 'allPlansExecution'),
  ),
];

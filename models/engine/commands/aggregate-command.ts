import { AGGREGATE_TABLE, runAggregate } from './aggregate.ts';
import { defineCommand, type Command } from './command.ts';
import { explainCommand } from './explain.ts';

/** The aggregation pipeline. */
export const aggregateCommands: Command[] = [
  defineCommand(
    'aggregate',
    { writes: true, reads: true, endsWithClient: true },
    AGGREGATE_TABLE,
    (context, args) =>
      args.explain ? explainCommand(context, context.body, 'queryPlanner') : runAggregate(context, args),
  ),
];

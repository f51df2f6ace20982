import { unknownHere } from '../errors.ts';
import type { Query } from '../storage/index.ts';
import type { Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field, readFields, required } from './fields.ts';
import { COUNT_TABLE, countQuery, FIND_TABLE, findQuery } from './find.ts';
import { namespaceOf } from './namespaces.ts';

interface Explained {
  target: unknown;
  query: Query;
  isCount: boolean;
}

function explained({ $db: _db, ...command }: Document): Explained {
  const name = Object.keys(command)[0] ?? '';
  if (name === 'find') {
    const args = readFields(name, command, FIND_TABLE);
    return { target: args.find, query: findQuery(args), isCount: false };
  }
  if (name === 'count') {
    const args = readFields(name, command, COUNT_TABLE);
    return { target: args.count, query: countQuery(args), isCount: true };
  }
  throw unknownHere('CommandNotFound', `Explain failed due to unknown command: ${name}`);
}

/** Runs a read command and reports its plan, whatever verbosity is requested. */
async function explain(context: CommandContext, command: Document): Promise<Document> {
  const { target, query, isCount } = explained(command);
  const namespace = namespaceOf(context, target);
  const plan = await context.readSteps((view) => view.explain(namespace, query, isCount));
  return {
    explainVersion: '1',
    queryPlanner: { namespace, winningPlan: plan.winningPlan },
    executionStats: {
      nReturned: plan.nReturned,
      totalKeysExamined: plan.keysExamined,
      totalDocsExamined: plan.docsExamined,
    },
    command,
  };
}

/** `explain`, which returns the plan of a find or a count. */
export const explainCommands: Command[] = [
  defineCommand(
    'explain',
    {},
    { explain: required(field.document), verbosity: field.string },
    (context, args) => explain(context, args.explain),
  ),
];

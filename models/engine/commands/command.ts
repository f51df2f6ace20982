import type { Document } from '../values/types.ts';
import type { CommandContext } from './context.ts';
import { readFields, type Arguments, type FieldTable } from './fields.ts';

/** How a command relates to retries, transactions and sign-in. */
export interface CommandTraits {
  /** Other names it is known by. */
  aliases?: string[];
  /** May only be run against the `admin` database (13). */
  adminOnly?: boolean;
  /** May be run before signing in. */
  open?: boolean;
  /** Is aborted when its client disconnects; other commands finish. */
  endsWithClient?: boolean;
  /** May carry the number of a retryable write. */
  retryable?: boolean;
  /** What it can be in a transaction: a statement, something that may only come after the first one, or its end. */
  transaction?: 'statement' | 'later' | 'end';
}

/** One command of the wire protocol. */
export interface Command extends CommandTraits {
  name: string;
  /** Answers the request; `ok` is added by the dispatcher. */
  run(context: CommandContext, body: Document): Document | Promise<Document>;
}

/** A command whose arguments are validated by a table before it runs. */
export function defineCommand<F extends FieldTable>(
  name: string,
  traits: CommandTraits,
  fields: F,
  run: (context: CommandContext, args: Arguments<F>) => Document | Promise<Document>,
): Command {
  return { ...traits, name, run: (context, body) => run(context, readFields(name, body, fields)) };
}

/** A command that accepts any arguments, as the informational ones do. */
export function looseCommand(name: string, traits: CommandTraits, run: Command['run']): Command {
  return { ...traits, name, run };
}

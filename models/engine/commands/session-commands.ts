import { EngineError } from '../errors.ts';
import type { Document } from '../values/types.ts';
import { looseCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { forgetOutcomes } from './outcomes.ts';
import { sessionIdOf } from './sessions.ts';

async function endSessions({ engine }: CommandContext, { endSessions: sent }: Document): Promise<Document> {
  if (!Array.isArray(sent))
    throw new EngineError(
      'TypeMismatch',
      "BSON field 'endSessions' is the wrong type, expected type 'array'",
    );
  const ids = sent.map(sessionIdOf);
  for (const id of ids) engine.sessions.end(id);
  await forgetOutcomes(engine.store, ids);
  return {};
}

/** Session commands. A session is created by its first use. */
export const sessionCommands: Command[] = [looseCommand('endSessions', {}, endSessions)];

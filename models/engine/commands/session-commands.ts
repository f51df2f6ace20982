import type { Document } from '../values/types.ts';
import { looseCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { typeMismatch } from './fields.ts';
import { forgetOutcomes } from './outcomes.ts';
import { sessionIdOf } from './sessions.ts';

async function endSessions({ engine }: CommandContext, { endSessions: sent }: Document): Promise<Document> {
  if (!Array.isArray(sent)) throw typeMismatch('endSessions', sent, 'array');
  const ids = sent.map(sessionIdOf);
  for (const id of ids) engine.sessions.end(id);
  await forgetOutcomes(engine.store, ids);
  return {};
}

/** Ends the commands of sessions, or of all; closes their cursors and aborts their transactions. */
function killSessions({ engine, request }: CommandContext, { killSessions: sent }: Document): Document {
  if (!Array.isArray(sent)) throw typeMismatch('killSessions', sent, 'array');
  const ids: (string | undefined)[] = sent.length > 0 ? sent.map(sessionIdOf) : [undefined];
  for (const id of ids) {
    engine.running.endOf(id, request.budget);
    engine.sessions.kill(id);
  }
  return {};
}

/** Session commands. A session is created by its first use. */
export const sessionCommands: Command[] = [
  looseCommand('endSessions', {}, endSessions),
  looseCommand('killSessions', {}, killSessions),
];

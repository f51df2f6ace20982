import { randomBytes } from 'node:crypto';
import { EngineError } from '../errors.ts';
import { Binary, type Document } from '../values/types.ts';
import { looseCommand, type Command } from './command.ts';
import type { Engine } from './context.ts';
import { forgetOutcomes } from './outcomes.ts';
import { SESSION_TIMEOUT_MINUTES, sessionIdOf } from './sessions.ts';

/** The session ids listed under `name` in a command. */
function sessionIds(body: Document, name: string): string[] {
  const sent = body[name];
  if (!Array.isArray(sent))
    throw new EngineError('TypeMismatch', `BSON field '${name}' is the wrong type, expected type 'array'`);
  return sent.map(sessionIdOf);
}

async function endThose({ sessions, store }: Engine, body: Document, name: string): Promise<Document> {
  const ids = sessionIds(body, name);
  for (const id of ids) sessions.end(id);
  await forgetOutcomes(store, ids);
  return {};
}

/** The commands by which a client cares for its sessions. */
export const sessionCommands: Command[] = [
  looseCommand('startSession', {}, (context) => {
    const id = randomBytes(16);
    context.engine.sessions.use(id.toString('hex'));
    return { id: { id: new Binary(id, Binary.SUBTYPE_UUID) }, timeoutMinutes: SESSION_TIMEOUT_MINUTES };
  }),
  looseCommand('endSessions', {}, (context, body) => endThose(context.engine, body, 'endSessions')),
  looseCommand('killSessions', {}, (context, body) => {
    const listed = sessionIds(body, 'killSessions');
    if (listed.length > 0) return endThose(context.engine, body, 'killSessions');
    context.engine.sessions.endAll();
    return {};
  }),
  looseCommand('killAllSessions', {}, (context) => {
    context.engine.sessions.endAll();
    return {};
  }),
  looseCommand('refreshSessions', {}, (context, body) => {
    for (const id of sessionIds(body, 'refreshSessions')) context.engine.sessions.use(id);
    return {};
  }),
];

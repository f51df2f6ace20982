import { EngineError } from '../errors.ts';
import type { Document } from '../values/types.ts';
import { looseCommand, type Command } from './command.ts';
import type { CommandContext, Engine } from './context.ts';
import { SERVER_VERSION } from './handshake.ts';
import { toNumber, wholeNumber } from '../values/numbers.ts';
import { compactStore } from './outcomes.ts';

const MEBIBYTE = 1_048_576;

function serverStatus({ engine, now }: CommandContext): Document {
  const uptimeMs = now.getTime() - engine.startedAt.getTime();
  const memory = process.memoryUsage();
  return {
    host: engine.address,
    version: SERVER_VERSION,
    process: 'vialbook',
    pid: process.pid,
    uptime: uptimeMs / 1000,
    uptimeMillis: wholeNumber(uptimeMs),
    localTime: now,
    connections: {
      current: engine.connections.current,
      available: 1000,
      totalCreated: engine.connections.created,
    },
    globalLock: { activeClients: { total: engine.running.size - 1 } },
    mem: { bits: 64, resident: Math.round(memory.rss / MEBIBYTE), virtual: 0, supported: true },
    opcounters: opcounters(engine.counters),
    metrics: { cursor: { open: { total: engine.cursors.count } }, commands: engine.counters },
    logicalSessionRecordCache: { activeSessionsCount: engine.sessions.count },
    storageEngine: { name: 'sqlite', supportsCommittedReads: true, persistent: true, ...sizes(engine) },
  };
}

function sizes({ store }: Engine): Document {
  const { fileBytes, freeBytes } = store.size();
  return { fileBytes: wholeNumber(fileBytes), freeBytes: wholeNumber(freeBytes) };
}

/** Compacts all collections, whichever is named, because they share one file. */
async function compact({ engine, request }: CommandContext): Promise<Document> {
  const { before, after } = await compactStore(engine.store, request.budget);
  return { bytesFreed: wholeNumber(before.fileBytes - after.fileBytes), before, after };
}

function opcounters(counters: Record<string, number>): Document {
  const of = (name: string) => counters[name] ?? 0;
  const total = Object.values(counters).reduce((sum, value) => sum + value, 0);
  return {
    insert: of('insert'),
    query: of('find'),
    update: of('update'),
    delete: of('delete'),
    getmore: of('getMore'),
    command: total,
  };
}

function killOp({ engine }: CommandContext, body: Document): Document {
  const id = toNumber(body['op']);
  if (!Number.isInteger(id))
    throw new EngineError('TypeMismatch', "killOp needs the number of a command as 'op'");
  engine.running.end(id);
  return { info: 'attempting to kill op' };
}

const PARAMETERS: Document = {
  featureCompatibilityVersion: { version: '7.0' },
  authenticationMechanisms: ['SCRAM-SHA-256'],
  enableTestCommands: false,
  ttlMonitorEnabled: true,
};

function getParameter(body: Document): Document {
  if (body['getParameter'] === '*') return PARAMETERS;
  const names = Object.keys(body).filter((name) => Object.hasOwn(PARAMETERS, name));
  if (names.length === 0) throw new EngineError('InvalidOptions', 'no option found to get');
  return Object.fromEntries(names.map((name) => [name, PARAMETERS[name]]));
}

function getLog(body: Document): Document {
  if (body['getLog'] === '*') return { names: ['global', 'startupWarnings'] };
  if (body['getLog'] === 'global' || body['getLog'] === 'startupWarnings')
    return { totalLinesWritten: 0, log: [] };
  throw new EngineError('OperationFailed', `No log named '${String(body['getLog'])}'`);
}

/** Read-only commands with which tools inspect the server. */
export const diagnosticCommands: Command[] = [
  looseCommand('serverStatus', {}, serverStatus),
  looseCommand('compact', { endsWithClient: true }, compact),
  looseCommand('killOp', { adminOnly: true }, killOp),
  looseCommand('getParameter', { adminOnly: true }, (_context, body) => getParameter(body)),
  looseCommand('getCmdLineOpts', { adminOnly: true }, () => ({ argv: ['vialbook'], parsed: {} })),
  looseCommand('getLog', { adminOnly: true }, (_context, body) => getLog(body)),
];

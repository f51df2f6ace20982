import { Budget } from '../budget.ts';
import { EngineError } from '../errors.ts';
import { isNumeric, type Document } from '../values/types.ts';
import type { Client } from '../wire/connection.ts';
import type { RefusedRequest, WireRequest } from '../wire/message.ts';
import type { Command } from './command.ts';
import { checkReadConcern, checkWriteConcern } from './concerns.ts';
import { CommandContext, type Engine, type Request } from './context.ts';
import { typeMismatch } from './fields.ts';
import { checkDatabaseName } from './namespaces.ts';
import { toNumber } from './numbers.ts';
import { findCommand } from './registry.ts';
import { failedReply, succeeded } from './reply.ts';
import { sessionIdOf, type Session } from './sessions.ts';
import { abandonTransaction, checkNumber, enterTransaction, transactionNumber } from './transactions.ts';

/** Codes after which a driver may send a retryable write again. */
const RETRYABLE_CODES = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Answers one request; errors are answers too. */
export async function dispatch(
  engine: Engine,
  request: WireRequest | RefusedRequest,
  client: Client,
): Promise<Document> {
  if ('refused' in request) return failedReply(request.refused);
  try {
    return await run(engine, request, client);
  } catch (error) {
    return failedReply(asEngineError(error, engine, request.body));
  }
}

function asEngineError(error: unknown, engine: Engine, body: Document): EngineError {
  if (error instanceof EngineError) return error;
  const command = Object.keys(body)[0] ?? '';
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  engine.log('error', 'a command failed in a way that was not foreseen', { command, reason });
  return new EngineError(
    'InternalError',
    `the command failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}

async function run(engine: Engine, { body, moreToCome }: WireRequest, client: Client): Promise<Document> {
  const name = Object.keys(body)[0] ?? '';
  const command = findCommand(name);
  if (!command) throw new EngineError('CommandNotFound', `no such command: '${name}'`);
  engine.counters[command.name] = (engine.counters[command.name] ?? 0) + 1;
  const db = databaseOf(body);
  checkAllowed(command, client, db);
  checkApiVersion(body);
  const writeConcernError = checkWriteConcern(command, body['writeConcern']);
  const session = body['lsid'] === undefined ? null : engine.sessions.use(sessionIdOf(body['lsid']));
  const budget = new Budget(timeLimitOf(body));
  const answer = () => runPrepared(command, prepare({ engine, command, client, body, db, session, budget }));
  const target = body[name];
  const ns = `${db}.${typeof target === 'string' ? target : `$cmd.${command.name}`}`;
  const leave = engine.running.begin({ command: command.name, ns, client, session, budget });
  // Who expects no answer may go at once.
  if (command.endsWithClient && !moreToCome) {
    client.onGone = () => budget.end(clientGone());
    if (client.isGone) client.onGone();
  }
  try {
    // Commands of one transaction, and the attempts of one retryable write, come one after the other.
    const reply = await (session && body['txnNumber'] !== undefined ? inTurn(session, answer) : answer());
    return succeeded(writeConcernError ? { ...reply, writeConcernError } : reply);
  } finally {
    client.onGone = null;
    leave();
  }
}

function clientGone(): EngineError {
  return new EngineError('ClientDisconnect', 'operation was interrupted because its client went away');
}

async function inTurn<T>(session: Session, run: () => Promise<T>): Promise<T> {
  const before = session.lastCommand;
  let done = () => undefined as void;
  session.lastCommand = new Promise((resolve) => {
    done = resolve;
  });
  await before;
  try {
    return await run();
  } finally {
    done();
  }
}

/** What is known of a request before its command is asked. */
interface Asked {
  engine: Engine;
  command: Command;
  client: Client;
  body: Document;
  db: string;
  session: Session | null;
  budget: Budget;
}

function databaseOf(body: Document): string {
  const db = body['$db'];
  if (db === undefined) throw new EngineError(40571, 'OP_MSG requests require a $db argument');
  if (typeof db !== 'string') throw typeMismatch('$db', db, 'string');
  checkDatabaseName(db === '$external' ? 'external' : db);
  return db;
}

function checkAllowed(command: Command, client: Client, db: string): void {
  if (!client.authenticated && !command.open) {
    throw new EngineError('Unauthorized', `Command ${command.name} requires authentication`);
  }
  if (command.adminOnly && db !== 'admin') {
    throw new EngineError('Unauthorized', `${command.name} may only be run against the admin database.`);
  }
}

function checkApiVersion(body: Document): void {
  const version = body['apiVersion'];
  if (version === undefined) {
    if (body['apiStrict'] === undefined && body['apiDeprecationErrors'] === undefined) return;
    throw new EngineError(
      'InvalidOptions',
      'Provided apiStrict and/or apiDeprecationErrors without passing apiVersion',
    );
  }
  if (version !== '1') throw new EngineError(322, 'API version must be "1"');
}

function prepare({ engine, command, client, body, db, session, budget }: Asked): Request {
  const request: Request = {
    engine,
    client,
    command: command.name,
    body,
    db,
    session,
    transaction: null,
    retryNumber: null,
    budget,
  };
  const number = transactionNumber(body);
  const isTransaction = body['autocommit'] === false;
  const starts = body['startTransaction'] === true;
  if (starts && !isTransaction)
    throw new EngineError('InvalidOptions', "'startTransaction' requires 'autocommit: false'");
  checkReadConcern(command, body['readConcern'], starts, isTransaction);
  if (number === null) {
    if (isTransaction)
      throw new EngineError(
        'InvalidOptions',
        "'autocommit' field requires a transaction number to also be specified",
      );
    return request;
  }
  if (!session)
    throw new EngineError('InvalidOptions', 'Transaction number requires a session ID to also be specified');
  if (isTransaction)
    return { ...request, transaction: joinTransaction(engine, command, session, number, starts, body) };
  return { ...request, retryNumber: retryNumber(command, session, number) };
}

function joinTransaction(
  engine: Engine,
  command: Command,
  session: Session,
  number: bigint,
  starts: boolean,
  body: Document,
) {
  if (!command.inTransaction) {
    throw new EngineError(
      'OperationNotSupportedInTransaction',
      `Cannot run '${command.name}' in a multi-document transaction.`,
    );
  }
  const isEnd = command.name === 'commitTransaction' || command.name === 'abortTransaction';
  if (!isEnd && body['writeConcern'] !== undefined) {
    throw new EngineError(
      'InvalidOptions',
      `${command.name} is not allowed with writeConcern in a multi-document transaction`,
    );
  }
  return enterTransaction(engine, session, number, starts, isEnd);
}

function retryNumber(command: Command, session: Session, number: bigint): bigint {
  if (!command.retryable) {
    throw new EngineError(
      50768,
      `txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and ${command.name} is not a retryable write command.`,
    );
  }
  checkNumber(session, number);
  if (session.highest < number) {
    session.highest = number;
    if (session.transaction?.state === 'open')
      throw new EngineError(117, 'a transaction is in progress on this session');
  }
  return number;
}

/** Milliseconds; null for as long as it takes. */
function timeLimitOf(body: Document): number | null {
  const limit = body['maxTimeMS'];
  if (limit === undefined || limit === null) return null;
  if (!isNumeric(limit)) throw typeMismatch('maxTimeMS', limit, 'long, int, decimal, double');
  const ms = toNumber(limit);
  if (!Number.isInteger(ms) || ms < 0)
    throw new EngineError('BadValue', `${ms} value for maxTimeMS is out of range [0, 2147483647]`);
  return ms === 0 ? null : ms;
}

async function runPrepared(command: Command, request: Request): Promise<Document> {
  const { engine, session, transaction, retryNumber: retry, body } = request;
  try {
    const reply = await command.run(new CommandContext(request), body);
    // A failed statement inside a transaction ends the transaction, also where it is answered as a write error.
    if (transaction && session && Array.isArray(reply['writeErrors'])) abandonTransaction(engine, session);
    return reply;
  } catch (error) {
    if (transaction && session && command.name !== 'commitTransaction') abandonTransaction(engine, session);
    if (!(error instanceof EngineError) || retry === null || !RETRYABLE_CODES.has(error.code)) throw error;
    throw new EngineError(error.code, error.message, {
      extra: error.extra,
      labels: [...error.labels, 'RetryableWriteError'],
      cause: error,
    });
  }
}

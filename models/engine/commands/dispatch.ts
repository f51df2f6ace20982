import { CODES, EngineError, unknownHere, unsupported } from '../errors.ts';
import { isDocument, type Document, isNumeric, Long } from '../values/types.ts';
import { typeMismatch } from './fields.ts';
import { toNumber } from '../values/numbers.ts';
import { Budget } from '../budget.ts';
import type { Client } from '../wire/connection.ts';
import type { RefusedRequest, WireRequest } from '../wire/message.ts';
import type { Command } from './command.ts';
import { CommandContext, type Engine, type Request } from './context.ts';
import { checkDatabaseName } from './namespaces.ts';
import { notAWrite } from './outcomes.ts';
import { findCommand } from './registry.ts';
import { failedReply, succeeded } from './reply.ts';
import { sessionIdOf, type Session } from './sessions.ts';
import {
  beginNumber,
  checkNumber,
  checkTransactionConcerns,
  currentTransaction,
  joinTransaction,
  transactionTerms,
  type TransactionTerms,
} from './transaction-terms.ts';

const READ_LEVELS = new Set<unknown>([undefined, 'local', 'available', 'majority', 'linearizable']);

/**
 * Checks a command's read and write concern. A single node that only answers with what is on disk meets all of them except
 * reads of the past and a second copy.
 * @throws EngineError 14, and 115 for what one node cannot provide
 */
function checkConcerns({ readConcern = {}, writeConcern = {} }: Document): void {
  if (!isDocument(readConcern)) throw typeMismatch('readConcern', readConcern, 'object');
  if (!READ_LEVELS.has(readConcern['level']))
    throw unsupported(`the read concern ${String(readConcern['level'])}`);
  if (!isDocument(writeConcern)) throw typeMismatch('writeConcern', writeConcern, 'object');
  const { w = 1 } = writeConcern;
  if (w !== 'majority' && !(toNumber(w) <= 1)) throw unsupported(`the write concern ${String(w)}`);
}

/** Error codes after which a driver may resend a retryable write. */
const RETRYABLE_CODES = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Error codes after which a driver may begin a transaction again. */
const TRANSIENT_CODES = new Set([...RETRYABLE_CODES, CODES.LockTimeout, CODES.WriteConflict]);

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
  engine.log('error', 'a command failed unexpectedly', { command, reason });
  return new EngineError(
    'InternalError',
    `the command failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}

async function run(engine: Engine, { body, moreToCome }: WireRequest, client: Client): Promise<Document> {
  const name = Object.keys(body)[0] ?? '';
  const command = findCommand(name);
  if (!command) throw unknownHere('CommandNotFound', `no such command: '${name}'`);
  engine.counters[command.name] = (engine.counters[command.name] ?? 0) + 1;
  const db = databaseOf(body);
  checkAllowed(command, client, db);
  const terms = transactionTerms(command, body, db);
  const isStatement = terms !== null && command.transaction !== 'end';
  if (isStatement) checkTransactionConcerns(terms, body);
  else checkConcerns(body);
  const session = body['lsid'] === undefined ? null : engine.sessions.use(sessionIdOf(body['lsid']));
  const budget = new Budget(timeLimitOf(body));
  const answer = () => runLabelled({ engine, command, client, body, db, session, budget, terms });
  const target = body[name];
  const ns = `${db}.${typeof target === 'string' ? target : `$cmd.${command.name}`}`;
  const leave = engine.running.begin({ command: command.name, ns, client, session, budget });
  // A client that expects no answer may disconnect at once.
  if ((command.endsWithClient || isStatement) && !moreToCome) {
    client.onGone = () => budget.end(clientGone());
    if (client.isGone) client.onGone();
  }
  try {
    // Attempts of one retryable write run one after the other.
    const reply = await (session && body['txnNumber'] !== undefined ? inTurn(session, answer) : answer());
    return succeeded(reply);
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

/** What is known about a request before its command runs. */
interface CommandCall {
  engine: Engine;
  command: Command;
  client: Client;
  body: Document;
  db: string;
  session: Session | null;
  budget: Budget;
  terms: TransactionTerms | null;
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

/** Runs a command as a part of its transaction, or by itself. */
async function runPrepared(call: CommandCall): Promise<Document> {
  const { engine, command, client, body, db, session, budget, terms } = call;
  const request: Request = {
    engine,
    client,
    command: command.name,
    body,
    db,
    session,
    budget,
    retryNumber: terms ? null : retryNumber(command, session, body['txnNumber']),
    transactionNumber: terms?.number ?? null,
    transaction: null,
  };
  const answer = async (transaction: Request['transaction']) =>
    command.run(new CommandContext({ ...request, transaction }), body);
  if (!session || !terms || command.transaction === 'end') return answer(null);
  const transaction = joinTransaction(engine, session, terms);
  const reply = await transaction.run(client, budget, () => answer(transaction));
  if (Object.hasOwn(reply, 'writeErrors')) transaction.abort();
  return reply;
}

/** The number of a retryable write; null for everything else. @throws EngineError 14, 72, 225 or 50768 */
function retryNumber(command: Command, session: Session | null, sent: unknown): bigint | null {
  if (sent === undefined) return null;
  if (!(sent instanceof Long)) throw typeMismatch('txnNumber', sent, 'long');
  if (!session)
    throw new EngineError('InvalidOptions', 'Transaction number requires a session ID to also be specified');
  if (!command.retryable) {
    throw new EngineError(
      50768,
      `txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and ${command.name} is not a retryable write command.`,
    );
  }
  const number = sent.toBigInt();
  checkNumber(session, number);
  if (currentTransaction(session, number)) throw notAWrite(number);
  beginNumber(session, number);
  return number;
}

/** Milliseconds; null for no limit. */
function timeLimitOf(body: Document): number | null {
  const limit = body['maxTimeMS'];
  if (limit === undefined || limit === null) return null;
  if (!isNumeric(limit)) throw typeMismatch('maxTimeMS', limit, 'long, int, decimal, double');
  const ms = toNumber(limit);
  if (!Number.isInteger(ms) || ms < 0)
    throw new EngineError('BadValue', `${ms} value for maxTimeMS is out of range [0, 2147483647]`);
  return ms === 0 ? null : ms;
}

async function runLabelled(call: CommandCall): Promise<Document> {
  try {
    return await runPrepared(call);
  } catch (error) {
    const label = error instanceof EngineError ? labelOf(error.code, call) : null;
    if (!(error instanceof EngineError) || label === null) throw error;
    throw new EngineError(error.code, error.message, {
      extra: error.extra,
      labels: [...error.labels, label],
      cause: error,
    });
  }
}

/** What a driver may do after a failure: begin the transaction again, or send the command again. */
function labelOf(code: number, { command, terms, body }: CommandCall): string | null {
  const isEnd = command.transaction === 'end';
  if (terms && (code === CODES.NoSuchTransaction || (!isEnd && TRANSIENT_CODES.has(code))))
    return 'TransientTransactionError';
  const isRetryable = isEnd || (!terms && body['txnNumber'] !== undefined);
  return isRetryable && RETRYABLE_CODES.has(code) ? 'RetryableWriteError' : null;
}

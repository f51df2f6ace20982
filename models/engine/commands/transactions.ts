import { EngineError } from '../errors.ts';
import type { StoreTransaction } from '../storage/index.ts';
import { Long, type Document } from '../values/types.ts';
import { decode, encode } from '../values/codec.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext, Engine } from './context.ts';
import { field } from './fields.ts';
import { abortTransaction, type Session, type SessionTransaction } from './sessions.ts';

/** Where the outcome of a session's last retryable write or transaction is kept. */
export function outcomeKey(session: string): string {
  return `t${session}`;
}

const TRANSIENT = { labels: ['TransientTransactionError'] };

function noSuchTransaction(number: bigint, session: Session): EngineError {
  const message = `Given transaction number ${number} does not match any in-progress transactions. The active transaction number is ${session.highest}`;
  return new EngineError('NoSuchTransaction', message, TRANSIENT);
}

/**
 * The transaction a request belongs to, begun when it says so. null for commit and abort of one that is not open any more.
 * @throws EngineError 225, 251 or 256
 */
export function enterTransaction(
  engine: Engine,
  session: Session,
  number: bigint,
  starts: boolean,
  isEnd: boolean,
): StoreTransaction | null {
  checkNumber(session, number);
  if (starts) return beginTransaction(engine, session, number);
  const transaction = session.transaction;
  if (transaction?.number !== number) {
    if (isEnd) return null;
    throw noSuchTransaction(number, session);
  }
  if (transaction.state === 'open') return transaction.store;
  if (isEnd) return null;
  if (transaction.state === 'committed') {
    throw new EngineError(
      'TransactionCommitted',
      `Transaction with { txnNumber: ${number} } has been committed.`,
    );
  }
  throw new EngineError(
    'NoSuchTransaction',
    `Transaction with { txnNumber: ${number} } has been aborted.`,
    TRANSIENT,
  );
}

/** @throws EngineError 225 when the session has gone on to a higher number. */
export function checkNumber(session: Session, number: bigint): void {
  if (number < session.highest) {
    const message = `Cannot start transaction ${number} on session ${session.id} because a newer transaction ${session.highest} has already started.`;
    throw new EngineError('TransactionTooOld', message);
  }
}

function beginTransaction(engine: Engine, session: Session, number: bigint): StoreTransaction {
  if (number === session.highest) {
    throw new EngineError(
      117,
      `Only servers in a sharded cluster can start a new transaction at the active transaction number ${number}`,
    );
  }
  abortTransaction(session);
  engine.cursors.killSession(session.id, true);
  const store = engine.store.begin();
  session.highest = number;
  session.transaction = { number, state: 'open', store, startedAt: Date.now() };
  return store;
}

/** Ends a transaction one of whose statements failed: MongoDB aborts it as well. */
export function abandonTransaction(engine: Engine, session: Session): void {
  abortTransaction(session);
  engine.cursors.killSession(session.id, true);
}

function requireEnding(context: CommandContext): { session: Session; number: bigint } {
  const { session, body } = context.request;
  const number = transactionNumber(body);
  if (!session || number === null)
    throw new EngineError('InvalidOptions', `${context.request.command} must be run within a transaction`);
  return { session, number };
}

/** The `txnNumber` of a request. */
export function transactionNumber(body: Document): bigint | null {
  const sent = body['txnNumber'];
  if (sent === undefined) return null;
  if (sent instanceof Long) return sent.toBigInt();
  throw new EngineError('TypeMismatch', "BSON field 'txnNumber' is the wrong type, expected type 'long'");
}

async function commit(context: CommandContext): Promise<Document> {
  const { session, number } = requireEnding(context);
  const transaction = session.transaction;
  if (transaction?.number !== number) return recommit(context, session, number);
  if (transaction.state === 'committed') return {};
  if (transaction.state === 'aborted') {
    throw new EngineError(
      'NoSuchTransaction',
      `Transaction with { txnNumber: ${number} } has been aborted.`,
      TRANSIENT,
    );
  }
  await store(context, session, transaction);
  return {};
}

async function store(
  { engine, now }: CommandContext,
  session: Session,
  transaction: SessionTransaction,
): Promise<void> {
  const outcome = encode({ number: Long.fromBigInt(transaction.number), at: now, committed: true });
  try {
    await transaction.store.commit((txn) => txn.putMeta(outcomeKey(session.id), outcome));
    transaction.state = 'committed';
  } catch (error) {
    transaction.state = 'aborted';
    throw error;
  } finally {
    engine.cursors.killSession(session.id, true);
  }
}

/** A commit that is sent again after the connection, or the whole process, was lost. */
function recommit(context: CommandContext, session: Session, number: bigint): Document {
  const stored = context.engine.store.read((view) => view.getMeta(outcomeKey(session.id)));
  const outcome = stored ? decode(stored) : {};
  const isSame = outcome['number'] instanceof Long && outcome['number'].toBigInt() === number;
  if (!isSame || outcome['committed'] !== true) throw noSuchTransaction(number, session);
  return {};
}

function abort(context: CommandContext): Document {
  const { session, number } = requireEnding(context);
  const transaction = session.transaction;
  if (transaction?.number !== number || transaction.state === 'aborted')
    throw noSuchTransaction(number, session);
  if (transaction.state === 'committed') {
    throw new EngineError(
      'TransactionCommitted',
      `Transaction with { txnNumber: ${number} } has been committed.`,
    );
  }
  abandonTransaction(context.engine, session);
  return {};
}

/** The two ways a transaction ends. */
export const transactionCommands: Command[] = [
  defineCommand(
    'commitTransaction',
    { adminOnly: true, inTransaction: true, writes: true },
    { commitTransaction: field.any, recoveryToken: field.document },
    commit,
  ),
  defineCommand(
    'abortTransaction',
    { adminOnly: true, inTransaction: true, writes: true },
    { abortTransaction: field.any, recoveryToken: field.document },
    abort,
  ),
];

import { EngineError } from '../errors.ts';
import { Long, type Document } from '../values/types.ts';
import type { Command } from './command.ts';
import type { Engine } from './context.ts';
import { typeMismatch } from './fields.ts';
import type { Session } from './sessions.ts';
import { noSuchTransaction, type SessionTransaction } from './transactions.ts';

/** A command's place in a transaction. */
export interface TransactionTerms {
  /** The transaction's number in its session. */
  number: bigint;
  /** Whether the command begins it. */
  isStart: boolean;
}

function invalid(message: string): EngineError {
  return new EngineError('InvalidOptions', message);
}

function refused(command: Command, where: string): EngineError {
  return new EngineError('OperationNotSupportedInTransaction', `Cannot run '${command.name}' ${where}.`);
}

/**
 * Reads the fields that make a command a part of a transaction; null for all other commands.
 * @throws EngineError 14, 72, 125 for wrong fields, 263 for a command that cannot be a part of one
 */
export function transactionTerms(command: Command, body: Document, db: string): TransactionTerms | null {
  const { autocommit, startTransaction, txnNumber, lsid } = body;
  if (autocommit === undefined && startTransaction === undefined) {
    if (command.transaction === 'end' && txnNumber === undefined)
      throw new EngineError('CommandFailed', `${command.name} must be run within a transaction`);
    return null;
  }
  for (const [name, value] of Object.entries({ autocommit, startTransaction }))
    if (value !== undefined && typeof value !== 'boolean') throw typeMismatch(name, value, 'bool');
  if (txnNumber === undefined || lsid === undefined)
    throw invalid("'autocommit' and 'startTransaction' require a session and a transaction number");
  if (!(txnNumber instanceof Long)) throw typeMismatch('txnNumber', txnNumber, 'long');
  if (autocommit !== false) throw invalid('The commands of a transaction must specify autocommit=false.');
  if (startTransaction === false) throw invalid('Specifying startTransaction=false is not allowed.');
  checkPlace(command, startTransaction === true, db);
  return { number: txnNumber.toBigInt(), isStart: startTransaction === true };
}

function checkPlace(command: Command, isStart: boolean, db: string): void {
  if (!command.transaction) throw refused(command, 'in a multi-document transaction');
  if (isStart && command.transaction !== 'statement')
    throw refused(command, 'as the first operation in a multi-document transaction');
  if (db === 'config' || db === 'local' || (db === 'admin' && command.retryable))
    throw refused(command, `against the '${db}' database in a transaction`);
}

const READ_LEVELS = new Set<unknown>([undefined, 'local', 'majority', 'snapshot']);

/**
 * Checks the read concern, which only the first statement may have, and the write concern, which only the commit may have. All
 * reads of a transaction are of one state.
 * @throws EngineError 72
 */
export function checkTransactionConcerns({ isStart }: TransactionTerms, body: Document): void {
  const { readConcern, writeConcern } = body as { readConcern?: Document; writeConcern?: Document };
  if (writeConcern !== undefined)
    throw invalid('writeConcern is not allowed within a multi-statement transaction');
  if (readConcern === undefined) return;
  if (!isStart) throw invalid('Only the first command in a transaction may specify a readConcern');
  if (!READ_LEVELS.has(readConcern['level']))
    throw invalid(
      "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction",
    );
}

/** @throws EngineError 225 when the session has gone on to a later number */
export function checkNumber(session: Session, number: bigint): void {
  if (number >= session.highest) return;
  const message = `Cannot start transaction ${number} on session ${session.id} because a newer transaction ${session.highest} has already started.`;
  throw new EngineError('TransactionTooOld', message);
}

/**
 * The transaction that a statement begins or continues.
 * @throws EngineError 225, 251, 256, and 117 for a number that is in use
 */
export function joinTransaction(
  { transactions }: Engine,
  session: Session,
  { number, isStart }: TransactionTerms,
): SessionTransaction {
  checkNumber(session, number);
  if (!isStart) {
    const transaction = currentTransaction(session, number);
    if (!transaction)
      throw noSuchTransaction(
        `Given transaction number ${number} does not match any in-progress transactions. The active transaction number is ${session.highest}`,
      );
    transaction.requireOpen();
    return transaction;
  }
  if (number === session.highest)
    throw new EngineError(
      'ConflictingOperationInProgress',
      `Cannot start a transaction at the active transaction number ${number}`,
    );
  beginNumber(session, number);
  session.transaction = transactions.start(session.id, number);
  return session.transaction;
}

/** The session's transaction, if it has this number. */
export function currentTransaction({ transaction }: Session, number: bigint): SessionTransaction | null {
  return transaction?.number === number ? transaction : null;
}

/** Goes on to a new number, which aborts an open transaction with an earlier one. */
export function beginNumber(session: Session, number: bigint): void {
  if (number === session.highest) return;
  session.transaction?.abort();
  session.highest = number;
}

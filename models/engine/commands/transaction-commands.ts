import { EngineError } from '../errors.ts';
import type { Document } from '../values/types.ts';
import { defineCommand, type Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { field } from './fields.ts';
import { recordCommit, storedCommit } from './outcomes.ts';
import type { Session } from './sessions.ts';
import { checkNumber, currentTransaction } from './transaction-terms.ts';
import { noSuchTransaction, type SessionTransaction } from './transactions.ts';

/** What a command that ends a transaction is about. Without `transaction`, only the store can know how it ended. */
interface Ending {
  session: Session;
  number: bigint;
  transaction: SessionTransaction | null;
}

function endingOf({ request }: CommandContext): Ending {
  const { session, transactionNumber } = request;
  if (!session || transactionNumber === null)
    throw new EngineError('CommandFailed', `${request.command} must be run within a transaction`);
  checkNumber(session, transactionNumber);
  const latest = currentTransaction(session, transactionNumber);
  return { session, number: transactionNumber, transaction: latest?.isUnknown ? null : latest };
}

function neverSeen(number: bigint): EngineError {
  return noSuchTransaction(`Transaction ${number} does not match any in-progress or committed transaction.`);
}

/** Commits. Sent again, it answers what has become of the transaction, even after a restart. */
async function commitTransaction(context: CommandContext): Promise<Document> {
  const { session, number, transaction } = endingOf(context);
  if (transaction) await transaction.commit((txn) => recordCommit(txn, session.id, number, context.now));
  else if (!(await storedCommit(context.engine.store, session.id, number))) throw neverSeen(number);
  return {};
}

async function abortTransaction(context: CommandContext): Promise<Document> {
  const { session, number, transaction } = endingOf(context);
  if (transaction) {
    transaction.requireOpen();
    transaction.abort();
    return {};
  }
  if (await storedCommit(context.engine.store, session.id, number))
    throw new EngineError('TransactionCommitted', `Transaction ${number} has been committed.`);
  throw neverSeen(number);
}

const END = { adminOnly: true, transaction: 'end' } as const;

/** The commands that end a transaction. It begins with its first statement. */
export const transactionCommands: Command[] = [
  defineCommand(
    'commitTransaction',
    END,
    { commitTransaction: field.any, recoveryToken: field.any },
    commitTransaction,
  ),
  defineCommand(
    'abortTransaction',
    END,
    { abortTransaction: field.any, recoveryToken: field.any },
    abortTransaction,
  ),
];

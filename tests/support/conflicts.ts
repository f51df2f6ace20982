import { mongo } from 'mongoose';
import type { Transaction } from '#models/index.server.ts';
import { isInTransaction } from '#models/store/transaction.server.ts';

/** The error of a database that has met another change. */
export const conflict = () =>
  new mongo.MongoServerError({
    message: 'WriteConflict',
    code: 112,
    errorLabels: ['TransientTransactionError'],
  });

/** The same transactions, but each meets another change once, at its end, and is run again. */
export function everyActTwice(transaction: Transaction): Transaction {
  return async <T>(act: () => Promise<T>): Promise<T> => {
    if (isInTransaction()) return transaction(act);
    let isFirst = true;
    return transaction(async () => {
      const result = await act();
      if (!isFirst) return result;
      isFirst = false;
      throw conflict();
    });
  };
}

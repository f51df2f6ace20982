import { AsyncLocalStorage } from 'node:async_hooks';
import type { mongo, Connection } from 'mongoose';
import { SECOND_MS } from '#app/domain/time/calendar.ts';
import { AppError } from '#app/domain/errors.ts';
import { isTransient, toDatabaseError } from './database-errors.server.ts';

/**
 * Runs an act in one transaction: all it writes is there afterwards, or nothing. Models take part without being passed
 * anything. Within another act it joins that one.
 *
 * An act that meets another one's changes is run again, so it touches nothing but the database. It reads before it
 * writes, awaits each call before the next (a transaction is one conversation with the server), and catches no database
 * error: after one, the transaction is over.
 * @throws what the act throws; AppError DATABASE_UNAVAILABLE when the database does not answer, or other changes were in the
 * way for too long
 */
export type Transaction = <T>(act: () => Promise<T>) => Promise<T>;

/** An attempt at an act. */
interface Attempt {
  connection: Connection;
  /** What follows once it is committed. */
  next: (() => void | Promise<void>)[];
  /** What it has done already of what an act does once. */
  done: Set<string>;
}

/** The attempt that the current call is part of. */
const current = new AsyncLocalStorage<Attempt>();

/**
 * Does something outside the database once the current act is committed, or at once without an act. A crash in between loses
 * it, so whatever must not get lost is a row that the act writes and a job works off.
 */
export function afterCommit(run: () => void | Promise<void>): void | Promise<void> {
  const attempt = current.getStore();
  if (attempt === undefined) return run();
  attempt.next.push(run);
}

/** Runs a write unless the current act has already run one of this name. Without an act it always runs. */
export async function oncePerAct(name: string, write: () => Promise<void>): Promise<void> {
  const done = current.getStore()?.done;
  if (done?.has(name) === true) return;
  done?.add(name);
  await write();
}

/** Whether the current call is part of a transaction. */
export const isInTransaction = (): boolean => current.getStore() !== undefined;

/** Reads see one instant, and what was committed survives the loss of a server. */
const OPTIONS: mongo.TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  readPreference: 'primary',
};

/** How long an act is run again while other changes are in its way. The driver alone would try for two minutes. */
const PATIENCE_MS = 20 * SECOND_MS;

const BUSY_MESSAGE = 'Other changes were in the way. Try again in a moment.';

const busy = (cause: unknown) =>
  new AppError('DATABASE_UNAVAILABLE', BUSY_MESSAGE, { cause, retryAfterSeconds: 1 });

let lastTurn: Promise<void> = Promise.resolve();

/** Waits for everybody who came before. @returns what to call to let the next one go on */
async function takeTurn(): Promise<() => void> {
  const before = lastTurn;
  let end = () => undefined as void;
  lastTurn = new Promise((resolve) => (end = resolve));
  await before;
  return end;
}

async function committed<T>(connection: Connection, act: () => Promise<T>) {
  const giveUpAt = performance.now() + PATIENCE_MS;
  let failure: unknown;
  let endTurn: (() => void) | undefined;
  try {
    return await connection.transaction(async () => {
      // Acts that were in each other's way run again one after the other: all at once, of 24 that change one document each
      // would have to be run 14 times. One that is still in somebody's way lets the others go first.
      if (failure !== undefined) {
        endTurn?.();
        endTurn = await takeTurn();
      }
      if (performance.now() > giveUpAt) throw busy(failure);
      const attempt: Attempt = { connection, next: [], done: new Set() };
      try {
        return { result: await current.run(attempt, act), next: attempt.next };
      } catch (error) {
        failure = error;
        // During the driver's pause before the next attempt.
        endTurn?.();
        throw error;
      }
    }, OPTIONS);
  } catch (error) {
    throw isTransient(error) ? busy(error) : toDatabaseError(error);
  } finally {
    endTurn?.();
  }
}

export function transactionsOf(connection: Connection): Transaction {
  return async <T>(act: () => Promise<T>): Promise<T> => {
    if (current.getStore()?.connection === connection) return act();
    const { result, next } = await committed(connection, act);
    for (const run of next) await run();
    return result;
  };
}

/**
 * Checks that a deployment has transactions, which MongoDB has in replica sets and sharded clusters.
 * @throws AppError INVALID_INPUT with what to do
 */
export async function requireTransactions(connection: Connection): Promise<void> {
  const { setName, msg } = (await connection.db?.command({ hello: 1 })) ?? {};
  if (typeof setName === 'string' || msg === 'isdbgrid') return;
  throw new AppError(
    'INVALID_INPUT',
    'The database that MONGODB_URI names is a single server without transactions. Vialbook needs a replica set, which may ' +
      'have one member, or a sharded cluster: start the server with --replSet and call rs.initiate() once.',
  );
}

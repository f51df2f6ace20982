import { mongo } from 'mongoose';
import { AppError, isAppError } from '#app/domain/errors.ts';

/** Names of driver and mongoose errors that mean the database did not answer. */
const UNREACHABLE = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'PoolClearedOnNetworkError',
]);

/** Names of errors that mean the driver knows no server that it could ask. */
const NO_SERVER = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNotConnectedError',
]);

/** Error codes of a deployment that is shutting down or electing a new primary. */
const CHANGING = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** The error code for a query that exceeded its time limit. */
const TOO_SLOW = 50;

/** The error code for a full disk. */
const NO_ROOM = 14031;

/**
 * System error codes that reach us without the driver's name for them: the deployment's host name cannot be looked up at
 * the moment, or its connection broke while a command was being written.
 */
const AWAY = new Set([
  'EAI_AGAIN',
  'ENOTFOUND',
  'ESERVFAIL',
  'ETIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

export const UNAVAILABLE_MESSAGE = 'The database cannot be reached. Try again in a moment.';

const NO_ROOM_MESSAGE = 'The server is out of storage space. Try again after the operator has freed some.';

export const TOO_SLOW_MESSAGE = 'This search took too long. Narrow it down and try again.';

function isUnreachable(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined;
  if (error.name === 'MongoServerError') return typeof code === 'number' && CHANGING.has(code);
  if (typeof code === 'string' && 'syscall' in error && AWAY.has(code)) return true;
  return UNREACHABLE.has(error.name) || /before initial connection is complete/.test(error.message);
}

/** True for an error after which a transaction may succeed if it is run again from its beginning. */
export const isTransient = (error: unknown): boolean =>
  error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');

/**
 * The error to pass on: DATABASE_UNAVAILABLE when the database did not answer or its disk is full, SEARCH_TIMEOUT when a
 * query took too long, otherwise the error itself; also within a transaction that the driver will run again because of it.
 */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || isTransient(error)) return error;
  const code = error.name.startsWith('Mongo') && 'code' in error ? error.code : undefined;
  if (code === NO_ROOM) return new AppError('DATABASE_UNAVAILABLE', NO_ROOM_MESSAGE, { cause: error });
  if (code === TOO_SLOW) return new AppError('SEARCH_TIMEOUT', TOO_SLOW_MESSAGE, { cause: error });
  return isUnreachable(error) ? unavailable(error) : error;
}

/** True when the call failed because the driver knows no server that it could ask. */
export function lacksServer(error: unknown): boolean {
  const cause = isAppError(error) ? error.cause : error;
  return cause instanceof Error && NO_SERVER.has(cause.name);
}

/** The error for a database that did not answer. */
export function unavailable(cause?: Error): AppError {
  return new AppError('DATABASE_UNAVAILABLE', UNAVAILABLE_MESSAGE, { cause });
}

/** True when a retry may succeed. */
export const isUnavailable = (error: unknown): boolean =>
  isAppError(error) && error.code === 'DATABASE_UNAVAILABLE';

/** True when the disk of the database is full, so that it can still be read. */
export function isOutOfSpace(error: unknown): boolean {
  const cause = isAppError(error) ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === NO_ROOM;
}

/** Waits for a write that comes with reading. Where the disk is full it is left out: what is kept can still be read. */
export async function whereRoom(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
  }
}

/**
 * True when the database did not answer, which the watch logs. A full disk and changes that were in each other's way are
 * DATABASE_UNAVAILABLE too, but the watch does not see them.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!isAppError(error) || error.code !== 'DATABASE_UNAVAILABLE') return false;
  return !isTransient(error.cause) && !isOutOfSpace(error);
}

async function* guarded<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows;
  } catch (error) {
    throw toDatabaseError(error);
  }
}

function guardResult(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  if (Symbol.asyncIterator in result) return guarded(result as AsyncIterable<unknown>);
  if ('then' in result)
    return (result as Promise<unknown>).then(undefined, (error: unknown) =>
      Promise.reject(asError(toDatabaseError(error))),
    );
  return result;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

type Call = (...args: unknown[]) => unknown;

/** Wraps a repository so that its calls fail with DATABASE_UNAVAILABLE when the database does not answer. */
export function guardRepository<R extends object>(repository: R): R {
  const entries = Object.entries(repository as Record<string, Call>).map(([name, call]) => [
    name,
    (...args: unknown[]) => guardResult(call(...args)),
  ]);
  return Object.fromEntries(entries) as R;
}

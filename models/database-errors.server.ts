import { AppError, isAppError } from '#app/domain/errors.ts';

/** Names of the driver's and mongoose's errors that mean: nobody answered. */
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

/** Codes by which a deployment says that it is ending, or choosing another primary. */
const CHANGING = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** The code by which a deployment, or the embedded engine, says that a query took longer than it may. */
const TOO_SLOW = 50;

/** The code by which a deployment, or the embedded engine, says that it has no room to write. */
const NO_ROOM = 14031;

/** Codes of the resolver: the name of a deployment cannot be looked up just now. */
const UNRESOLVED = new Set(['EAI_AGAIN', 'ENOTFOUND', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED']);

export const UNAVAILABLE_MESSAGE = 'The database cannot be reached. Try again in a moment.';

const NO_ROOM_MESSAGE = 'There is no room left to store anything. Try again when the operator has made some.';

export const TOO_SLOW_MESSAGE = 'This search took too long. Narrow it down and try again.';

function isUnreachable(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined;
  if (error.name === 'MongoServerError') return typeof code === 'number' && CHANGING.has(code);
  if (typeof code === 'string' && 'syscall' in error && UNRESOLVED.has(code)) return true;
  return UNREACHABLE.has(error.name) || /before initial connection is complete/.test(error.message);
}

/**
 * The error to pass on: DATABASE_UNAVAILABLE when nobody answered or nothing can be stored, SEARCH_TIMEOUT when a query
 * took too long, else the error itself.
 */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = error.name.startsWith('Mongo') && 'code' in error ? error.code : undefined;
  if (code === NO_ROOM) return new AppError('DATABASE_UNAVAILABLE', NO_ROOM_MESSAGE, { cause: error });
  if (code === TOO_SLOW) return new AppError('SEARCH_TIMEOUT', TOO_SLOW_MESSAGE, { cause: error });
  return isUnreachable(error) ? unavailable(error) : error;
}

/** The message when nobody answered. */
export function unavailable(cause?: Error): AppError {
  return new AppError('DATABASE_UNAVAILABLE', UNAVAILABLE_MESSAGE, { cause });
}

/** True when trying again later may work. */
export const isUnavailable = (error: unknown): boolean =>
  isAppError(error) && error.code === 'DATABASE_UNAVAILABLE';

/** True when nobody answered, which the watch tells of; a full disk is DATABASE_UNAVAILABLE, too, and nobody else does. */
export function isDatabaseAway(error: unknown): boolean {
  if (!isAppError(error) || error.code !== 'DATABASE_UNAVAILABLE') return false;
  const { cause } = error;
  return !(cause instanceof Error && 'code' in cause && cause.code === NO_ROOM);
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

/** The same repository, whose calls fail with DATABASE_UNAVAILABLE when nobody answers. */
export function guardRepository<R extends object>(repository: R): R {
  const entries = Object.entries(repository as Record<string, Call>).map(([name, call]) => [
    name,
    (...args: unknown[]) => guardResult(call(...args)),
  ]);
  return Object.fromEntries(entries) as R;
}

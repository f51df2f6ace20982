import { EngineError } from '../errors.ts';
import { isDocument, type Document } from '../values/types.ts';
import { toNumber } from './numbers.ts';

/** Closes the connection of the client instead of answering it. */
export class DroppedConnection extends Error {
  override name = 'DroppedConnection';
  /** Seen by the connection as if the client had gone. */
  readonly code = 'ECONNRESET';
}

interface FailPoint {
  /** How often it still strikes. */
  times: number;
  /** How many commands it lets pass first. */
  skip: number;
  data: Document;
}

/**
 * Failures on demand, as a MongoDB server started with test commands offers them (`failCommand`): for testing how
 * programs bear errors and lost connections. An engine has none unless it was started with `testCommands`.
 */
export class FailPoints {
  #point: FailPoint | null = null;

  /** Sets or clears the fail point. @throws EngineError 2 */
  configure(body: Document): void {
    if (body['configureFailPoint'] !== 'failCommand') {
      throw new EngineError(
        'BadValue',
        `fail point '${String(body['configureFailPoint'])}' is not supported`,
      );
    }
    const { mode, data } = body;
    if (mode === 'off') {
      this.#point = null;
      return;
    }
    const often = isDocument(mode) ? mode : {};
    const times =
      mode === 'alwaysOn' || often['skip'] !== undefined
        ? Number.POSITIVE_INFINITY
        : toNumber(often['times']);
    if (Number.isNaN(times)) throw new EngineError('BadValue', 'unknown fail point mode');
    this.#point = { times, skip: toNumber(often['skip'] ?? 0), data: isDocument(data) ? data : {} };
  }

  /**
   * Strikes when the fail point is meant for this command; gives the write concern error to answer with, if any.
   * @throws EngineError the error asked for
   * @throws DroppedConnection
   */
  async strike(command: string): Promise<Document | null> {
    const point = this.#point;
    const names = point?.data['failCommands'];
    if (!point || !Array.isArray(names) || !names.includes(command)) return null;
    if (point.skip > 0) {
      point.skip -= 1;
      return null;
    }
    point.times -= 1;
    if (point.times <= 0) this.#point = null;
    return fail(point.data);
  }
}

/** Ends the thread as a fault nobody caught would. Not a server's fail point: ours, to see the engine come back. */
function crash(): void {
  setImmediate(() => {
    throw new Error('crash on demand');
  });
}

async function fail(data: Document): Promise<Document | null> {
  if (data['crash'] === true) crash();
  const { blockConnection, blockTimeMS, closeConnection, errorCode, errorLabels, writeConcernError } = data;
  if (blockConnection === true) await new Promise((resolve) => setTimeout(resolve, toNumber(blockTimeMS)));
  if (closeConnection === true) throw new DroppedConnection('fail point');
  if (errorCode !== undefined) {
    throw new EngineError(toNumber(errorCode), "Failing command via 'failCommand' failpoint", {
      labels: Array.isArray(errorLabels) ? errorLabels.map(String) : [],
      extra: isDocument(data['errorExtraInfo']) ? data['errorExtraInfo'] : {},
    });
  }
  return isDocument(writeConcernError) ? writeConcernError : null;
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#app/domain/log.ts';
import { isUnavailable } from './database-errors.server.ts';

/** Pause between two attempts, in ms. */
const PAUSE_MS = 1000;

/** Something that is tried again and again. */
export interface Retrying {
  /** Tries no more; resolves when the attempt that runs has ended. */
  stop(): Promise<void>;
}

/**
 * Tries something until it succeeds. That nobody answered is expected and not logged each time; any other reason is,
 * once a row of the same.
 */
export function retryUntilDone(log: Log, attempt: () => Promise<void>): Retrying {
  const stopping = new AbortController();
  let lastReason = '';
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        return await attempt();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!isUnavailable(error) && reason !== lastReason)
          log.error({ err: error }, 'the database answers, and cannot be used');
        lastReason = reason;
      }
      await wait(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#app/domain/time/calendar.ts';
import type { Log } from '#app/domain/log.ts';

/**
 * Logs that the database cannot be reached: when first noticed, then once a minute, and when it is back. Failures
 * caused by the outage are not logged separately.
 */
export class Outage {
  readonly #log: Log;
  #since: number | null = null;
  #toldAt = -Infinity;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param now milliseconds of a clock that only goes forward */
  isAway(reason: string, now: number): void {
    this.#since ??= now;
    if (now - this.#toldAt < MINUTE_MS) return;
    this.#toldAt = now;
    const awaySeconds = Math.round((now - this.#since) / SECOND_MS);
    this.#log.error({ reason, awaySeconds }, 'the database cannot be reached; waiting for it');
  }

  /** @param now as above */
  isBack(now: number): void {
    if (this.#since === null) return;
    const awaySeconds = Math.round((now - this.#since) / SECOND_MS);
    this.#since = null;
    this.#toldAt = -Infinity;
    this.#log.info({ awaySeconds }, 'the database is back');
  }
}

/** Pause between two checks of the database, in ms. */
const ASK_EVERY_MS = 2 * SECOND_MS;

/** The driver's message rather than the one shown to users. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * Checks repeatedly whether the database can be reached, and logs when it cannot.
 * @param ask rejects while the database cannot be reached
 * @param whenAway called with the error of each failed check
 * @param found the error of opening the database, if it could not be reached from the start
 */
export function watchDatabase(
  log: Log,
  ask: () => Promise<unknown>,
  whenAway: (error: unknown) => Promise<void>,
  found: unknown = null,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const outage = new Outage(log);
  if (found !== null) outage.isAway(reasonOf(found), performance.now());
  const loop = async () => {
    for (;;) {
      await wait(ASK_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await ask();
        outage.isBack(performance.now());
      } catch (error) {
        if (stopping.signal.aborted) return;
        outage.isAway(reasonOf(error), performance.now());
        await whenAway(error).catch((failure: unknown) =>
          log.error({ err: failure }, 'the database check failed'),
        );
      }
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

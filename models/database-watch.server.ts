import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#app/domain/time/durations.ts';
import type { Log } from '#app/domain/log.ts';

/**
 * Tells of a database that is away: when that is noticed, then once a minute, and when it is back. Whatever fails
 * meanwhile because of it says nothing of its own.
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
    this.#log.error({ reason, awaySeconds }, 'the database cannot be reached, it is waited for');
  }

  /** @param now as above */
  isBack(now: number): void {
    if (this.#since === null) return;
    const awaySeconds = Math.round((now - this.#since) / SECOND_MS);
    this.#since = null;
    this.#toldAt = -Infinity;
    this.#log.info({ awaySeconds }, 'the database answers');
  }
}

/** Pause between two questions whether the database is there, in ms. */
const ASK_EVERY_MS = 2 * SECOND_MS;

/** What the driver says, rather than what users are told. */
function reasonOf(error: unknown): string {
  const told = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return told instanceof Error ? told.message : String(told);
}

/**
 * Asks again and again whether the database is there, and tells when it is not.
 * @param ask rejects while it is away
 * @param found what opening it failed with, when it is away from the beginning
 */
export function watchDatabase(
  log: Log,
  ask: () => Promise<unknown>,
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
        if (!stopping.signal.aborted) outage.isAway(reasonOf(error), performance.now());
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

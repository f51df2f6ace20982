import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#app/domain/time/calendar.ts';
import type { mongo } from 'mongoose';
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

/** A monitor that hears of a server that is there again says so within this, in ms. */
const LATEST_WORD_MS = 2 * SECOND_MS;

/**
 * Knows when the driver's monitors, one for each server, last said anything. A monitor that works begins a heartbeat and
 * ends it, with success or failure, within limits of its own.
 */
export class Monitors {
  readonly #lastWords = new Map<string, number>();
  /** How long one that works may be silent, in ms: a pause, or a socket that opens and is greeted. */
  readonly #longestMs: number;
  #startedAgainAt = -Infinity;

  constructor(client: mongo.MongoClient) {
    const { heartbeatFrequencyMS, connectTimeoutMS } = client.options;
    this.#longestMs = heartbeatFrequencyMS + 2 * connectTimeoutMS + LATEST_WORD_MS;
    const hear = ({ connectionId }: { connectionId: string }) =>
      void this.#lastWords.set(connectionId, performance.now());
    client.on('serverHeartbeatStarted', hear);
    client.on('serverHeartbeatSucceeded', hear);
    client.on('serverHeartbeatFailed', hear);
    client.on('serverClosed', ({ address }) => void this.#lastWords.delete(address));
  }

  /** What every monitor waited for has ended or will never come. @param now milliseconds of `performance.now()` */
  serverStartedAgain(now: number): void {
    this.#startedAgainAt = now;
  }

  /**
   * True when a monitor has been silent longer than one that works. To be asked after a question to the database
   * failed, which wakes those that pause. @param now as above
   */
  areStuck(now: number): boolean {
    const isLongAgo = now - this.#startedAgainAt > LATEST_WORD_MS;
    const latest = Math.max(now - this.#longestMs, isLongAgo ? this.#startedAgainAt : -Infinity);
    return [...this.#lastWords.values()].some((at) => at < latest);
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
 * @param whenAway is called each time that it was away
 * @param found what opening it failed with, when it is away from the beginning
 */
export function watchDatabase(
  log: Log,
  ask: () => Promise<unknown>,
  whenAway: () => Promise<void>,
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
        await whenAway().catch((failure: unknown) =>
          log.error({ err: failure }, 'the database is not looked for'),
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

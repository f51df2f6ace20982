import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';

/** How an outbox is processed. */
export interface RoundOptions {
  /** Deliveries per batch. */
  batch?: number;
  /** Deliveries sent concurrently. */
  width?: number;
  /** How long a worker's claim lasts, in ms; longer than the slowest delivery can take. */
  leaseMs?: number;
}

/** An outbox's repository. */
interface Outbox<Delivery> {
  claim(now: Date, until: Date, mark: string, size: number): Promise<Delivery[]>;
  release(delivery: Delivery, now: Date): Promise<void>;
}

/** A delivery and its result. */
export interface DeliveryOutcome<Delivery, Result> {
  delivery: Delivery;
  result: Result;
}

export interface OutboxWork<Delivery, Result> {
  outbox: Outbox<Delivery>;
  /** Loads what a batch needs. @returns a function that sends one delivery; rejects only without a database */
  prepare(batch: readonly Delivery[]): Promise<(delivery: Delivery) => Promise<Result>>;
  /** Stores results. */
  record(outcomes: readonly DeliveryOutcome<Delivery, Result>[]): Promise<void>;
}

/**
 * Sends what is due in an outbox. Any number of workers may run at once; each delivery is claimed by one. Its result is
 * recorded immediately: only a delivery interrupted in between is sent again, with the same id.
 * @returns how many were processed
 */
export async function workOffOutbox<Delivery, Result>(
  ctx: { now(): Date },
  { outbox, prepare, record }: OutboxWork<Delivery, Result>,
  { batch = 64, width = 16, leaseMs = 5 * MINUTE_MS }: RoundOptions = {},
  stopping?: AbortSignal,
): Promise<number> {
  let done = 0;
  while (stopping?.aborted !== true) {
    const now = ctx.now();
    const claimed = await outbox.claim(now, new Date(now.getTime() + leaseMs), randomUUID(), batch);
    if (claimed.length === 0) break;
    const send = await prepare(claimed);
    const store = gathered(record);
    await inParallel(claimed, width, async (delivery) => {
      if (stopping?.aborted === true) return outbox.release(delivery, ctx.now());
      return store({ delivery, result: await send(delivery) });
    });
    done += claimed.length;
  }
  return done;
}

/**
 * Records results immediately; those that arrive during a write are combined in the next one. No result waits for another
 * delivery, and many deliveries need few writes.
 */
function gathered<Entry>(record: (entries: readonly Entry[]) => Promise<void>) {
  let waiting: Entry[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function write(): Promise<void> {
    const entries = waiting;
    [waiting, next] = [[], null];
    await record(entries);
  }

  return (entry: Entry): Promise<void> => {
    waiting.push(entry);
    next ??= last = last.catch(() => undefined).then(write);
    return next;
  };
}

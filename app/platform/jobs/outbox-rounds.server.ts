import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { inParallel } from '#app/platform/map-concurrent.server.ts';

/** How an outbox is worked off. */
export interface RoundOptions {
  /** Deliveries per batch. */
  batch?: number;
  /** Deliveries sent concurrently. */
  width?: number;
  /** How long a worker's claim lasts, in ms; longer than the slowest delivery can take. */
  leaseMs?: number;
}

/** An outbox as its repository offers it. */
interface Outbox<Delivery> {
  claim(now: Date, until: Date, mark: string, size: number): Promise<Delivery[]>;
  release(delivery: Delivery, now: Date): Promise<void>;
}

/** A delivery and how it went. */
export interface DeliveryOutcome<Delivery, Result> {
  delivery: Delivery;
  result: Result;
}

/** What is sent, and how. */
export interface OutboxWork<Delivery, Result> {
  outbox: Outbox<Delivery>;
  /** Looks up what a batch needs. @returns sends one delivery; never rejects but when the database is gone */
  prepare(batch: readonly Delivery[]): Promise<(delivery: Delivery) => Promise<Result>>;
  /** Stores results. */
  record(outcomes: readonly DeliveryOutcome<Delivery, Result>[]): Promise<void>;
}

/**
 * Sends what is due in an outbox. Any number of workers may do so at once, and each delivery is claimed by one. Its result
 * is recorded at once: only a delivery cut off in between is sent again, under the same id.
 * @returns how many were processed
 */
export async function workOffOutbox<Delivery, Result>(
  ctx: Ctx,
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
 * Records results at once; those that arrive while a write is running go together into the next one. No result waits
 * for another delivery, and many deliveries need few writes.
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

import type { DeliveryRecord, DeliveryResult } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** A delivery and how it went. */
export interface RecordedDelivery {
  delivery: DeliveryRecord;
  result: DeliveryResult;
}

/** Writes down how deliveries went. Resolves when it is stored. */
export type RecordDelivery = (entry: RecordedDelivery) => Promise<void>;

/**
 * Records results at once, those of deliveries that end while the last write runs together in the next one: no result
 * waits for another delivery, and many deliveries need few writes.
 */
export function deliveryRecorder(ctx: Ctx): RecordDelivery {
  let waiting: RecordedDelivery[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function write(): Promise<void> {
    const entries = waiting;
    [waiting, next] = [[], null];
    await ctx.repos.deliveries.finish(entries);
    const sent = entries.filter(({ result }) => result.state === 'sent').map(({ delivery }) => delivery);
    await ctx.repos.reminders.markSent(sent.map(({ userId, reminderId: id }) => ({ userId, id })));
  }

  return (entry) => {
    waiting.push(entry);
    next ??= last = last.catch(() => undefined).then(write);
    return next;
  };
}

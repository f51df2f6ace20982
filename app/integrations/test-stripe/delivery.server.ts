import type { Stripe } from 'stripe';
import type { Log } from '#app/domain/log.ts';
import type { StateStore, PendingEvent } from './state.server.ts';

/** Delivers a signed event to the webhook. @returns whether it was accepted (2xx) */
export type Deliver = (rawBody: string, signature: string) => Promise<boolean>;

/** Attempts after which an event is dropped, so that one that is never accepted does not stay forever. */
const MOST_ATTEMPTS = 25;

/** Sends events to this site's own webhook over HTTP, as Stripe does. */
export function deliverByHttp(appUrl: string): Deliver {
  return async (body, signature) => {
    const response = await fetch(`${appUrl}/webhooks/stripe`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    return response.ok;
  };
}

interface DeliveryOptions {
  store: StateStore;
  stripe: Stripe;
  deliver: Deliver;
  log: Log;
  now(): Date;
  secret(): Promise<string>;
}

/** Delivers events from the outbox to the webhook. */
export interface Delivery {
  /** Tries every pending event once, in order. Never rejects. */
  flush(): Promise<void>;
}

/** Delivers the signed events of the simulated Stripe. Rejected ones wait for the next flush. */
export function createDelivery({ store, stripe, deliver, log, now, secret }: DeliveryOptions): Delivery {
  async function attempt({ event }: PendingEvent): Promise<boolean> {
    const payload = JSON.stringify(event);
    const timestamp = Math.floor(now().getTime() / 1000);
    const signature = stripe.webhooks.generateTestHeaderString({
      payload,
      timestamp,
      secret: await secret(),
    });
    try {
      return await deliver(payload, signature);
    } catch (error) {
      log.warn({ err: error, type: event.type }, 'a test payment event could not be delivered');
      return false;
    }
  }

  async function settle(pending: PendingEvent, taken: boolean): Promise<void> {
    await store.change((state) => {
      const attempts = pending.attempts + 1;
      const stays = !taken && attempts < MOST_ATTEMPTS;
      state.outbox = state.outbox.flatMap((entry) => {
        if (entry.event.id !== pending.event.id) return [entry];
        return stays ? [{ ...entry, attempts }] : [];
      });
    });
  }

  async function run(): Promise<void> {
    const waiting = await store.change((state) => structuredClone(state.outbox));
    for (const pending of waiting) await settle(pending, await attempt(pending));
  }

  let last: Promise<void> = Promise.resolve();
  return {
    flush() {
      last = last.then(run).catch((error: unknown) => log.warn({ err: error }, 'test payment events wait'));
      return last;
    },
  };
}

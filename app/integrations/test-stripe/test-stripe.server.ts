import type { Stripe } from 'stripe';
import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { testStripeFetch } from './api.server.ts';
import { createDelivery, deliverByHttp, type Deliver } from './delivery.server.ts';
import type { TestPages } from '#app/integrations/payments/provider.server.ts';
import { openTestPages } from './pages.server.ts';
import { stateFile } from './state.server.ts';

/** The simulated Stripe. */
export interface TestStripe {
  /** Stripe's own package, whose requests stay in this process. */
  stripe: Stripe;
  testPages: TestPages;
  webhookSecret: string;
  /** Waits until every event has been tried once. */
  flush(): Promise<void>;
}

export interface TestStripeOptions {
  settings: Pick<
    Settings,
    'DATA_DIR' | 'APP_URL' | 'STRIPE_PRICE_MONTHLY' | 'STRIPE_PRICE_YEARLY' | 'STRIPE_WEBHOOK_SECRET'
  >;
  log: Log;
  now(): Date;
  /** How events reach the webhook; by default over HTTP to this site. */
  deliver?: Deliver | undefined;
}

/** Opens the simulated Stripe with its file in the data directory. */
export async function openTestStripe({
  settings,
  log,
  now,
  deliver,
}: TestStripeOptions): Promise<TestStripe> {
  const { Stripe: Client } = await import('stripe');
  const { DATA_DIR, APP_URL, STRIPE_PRICE_MONTHLY, STRIPE_PRICE_YEARLY, STRIPE_WEBHOOK_SECRET } = settings;
  const store = stateFile(DATA_DIR, log);
  const secret = () =>
    STRIPE_WEBHOOK_SECRET === undefined
      ? store.change(({ webhookSecret }) => webhookSecret)
      : Promise.resolve(STRIPE_WEBHOOK_SECRET);
  const signer = new Client('sk_test_signs_only');
  const delivery = createDelivery({
    store,
    stripe: signer,
    deliver: deliver ?? deliverByHttp(APP_URL),
    log,
    now,
    secret,
  });
  const prices = {
    ...(STRIPE_PRICE_MONTHLY ? { monthly: STRIPE_PRICE_MONTHLY } : {}),
    ...(STRIPE_PRICE_YEARLY ? { yearly: STRIPE_PRICE_YEARLY } : {}),
  };
  const answer = testStripeFetch({
    store,
    appUrl: APP_URL,
    prices,
    now,
    log,
    // Not awaited: like Stripe, it sends the events after the call.
    onEvents: () => void delivery.flush(),
  });
  const stripe = new Client('sk_test_in_this_process', {
    httpClient: Client.createFetchHttpClient(answer),
    telemetry: false,
    maxNetworkRetries: 0,
  });
  return {
    stripe,
    testPages: openTestPages(store, delivery, now),
    webhookSecret: await secret(),
    flush: delivery.flush,
  };
}

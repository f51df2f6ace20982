import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { subscriptionSnapshot } from '#app/domain/billing/subscription-snapshot.ts';
import { AppError, isAppError } from '#app/domain/errors.ts';
import type { Log } from '#app/domain/log.ts';
import type { TestDesk } from '#app/integrations/test-stripe/controls.server.ts';
import type { CheckoutRequest, Payments } from './payments.server.ts';
import { planChanges } from './plan-changes.server.ts';
import { lineItem, type PriceSettings } from './prices.server.ts';
import { askStripe } from './stripe-errors.server.ts';
import { readWebhook } from './webhook.server.ts';

/** What the adapter works with. */
export interface StripeOptions {
  stripe: Stripe;
  settings: PriceSettings;
  webhookSecret: string | undefined;
  log: Log;
  now(): Date;
  /** Given in test mode. */
  desk: TestDesk | null;
}

function checkoutParams(
  request: CheckoutRequest,
  settings: PriceSettings,
): Stripe.Checkout.SessionCreateParams {
  const { plan, userId, customerId, firstChargeAt, successUrl, cancelUrl } = request;
  const trial = firstChargeAt === null ? {} : { trial_end: Math.floor(firstChargeAt.getTime() / 1000) };
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: userId,
    line_items: [lineItem(plan, settings)],
    success_url: successUrl,
    cancel_url: cancelUrl,
    // Also when nothing is due today: the card is for the day after.
    payment_method_collection: 'always',
    subscription_data: { metadata: { userId }, ...trial },
  };
}

/** Stripe refuses a key that comes again with other contents, so the contents are part of it. */
function keyFor(key: string, params: object): string {
  return `${key}:${createHash('sha256').update(JSON.stringify(params)).digest('base64url').slice(0, 22)}`;
}

/** The calls about customers. */
function customerCalls(
  stripe: Stripe,
): Pick<Payments, 'createCustomer' | 'updateCustomerEmail' | 'deleteCustomer'> {
  return {
    async createCustomer({ userId, email }) {
      const params = { email, metadata: { userId } };
      const options = { idempotencyKey: keyFor(`customer:${userId}`, params) };
      return (await stripe.customers.create(params, options)).id;
    },
    async updateCustomerEmail(customerId, email) {
      await stripe.customers.update(customerId, { email });
    },
    async deleteCustomer(customerId) {
      await stripe.customers.del(customerId);
    },
  };
}

/** The calls about subscriptions and Stripe's own pages. */
function subscriptionCalls({ stripe, settings }: StripeOptions) {
  return {
    async createCheckoutSession(request: CheckoutRequest) {
      const params = checkoutParams(request, settings);
      const options = { idempotencyKey: keyFor(request.idempotencyKey, params) };
      const { id, url } = await stripe.checkout.sessions.create(params, options);
      if (!url) throw new AppError('CONFLICT', 'This checkout is over. Reload the page and try again.');
      return { id, url };
    },
    async createPortalSession({ customerId, returnUrl }: { customerId: string; returnUrl: string }) {
      const session = await stripe.billingPortal.sessions.create({
        customer: customerId,
        return_url: returnUrl,
      });
      return { url: session.url };
    },
    async getSubscription(id: string) {
      return subscriptionSnapshot(await stripe.subscriptions.retrieve(id));
    },
    async cancelNow(id: string) {
      const known = subscriptionSnapshot(await stripe.subscriptions.retrieve(id));
      if (known.status === 'canceled' || known.status === 'incomplete_expired') return known;
      return subscriptionSnapshot(await stripe.subscriptions.cancel(id));
    },
    async postponeRenewal(request: { subscriptionId: string; until: Date; idempotencyKey: string }) {
      const params = {
        trial_end: Math.floor(request.until.getTime() / 1000),
        proration_behavior: 'none',
      } as const;
      const options = { idempotencyKey: keyFor(request.idempotencyKey, params) };
      return subscriptionSnapshot(await stripe.subscriptions.update(request.subscriptionId, params, options));
    },
  };
}

type Call = (...args: never[]) => Promise<unknown>;

/** The same calls, with Stripe's failures turned into ours. */
function guarded<T extends Record<string, Call>>(calls: T, log: Log): T {
  const entries = Object.entries(calls).map(([name, call]) => [
    name,
    (...args: never[]) => askStripe(log, name, () => call(...args)),
  ]);
  return Object.fromEntries(entries) as T;
}

/** The payment provider over the `stripe` package. */
export function stripePayments(options: StripeOptions): Payments {
  const { stripe, settings, log, now, desk, webhookSecret: secret } = options;
  const { deleteCustomer, ...calls } = guarded(
    { ...customerCalls(stripe), ...subscriptionCalls(options), ...planChanges(stripe, settings, now) },
    log,
  );
  return {
    mode: desk === null ? 'stripe' : 'test',
    desk,
    ...calls,
    async deleteCustomer(customerId) {
      try {
        await deleteCustomer(customerId);
      } catch (error) {
        if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
      }
    },
    verifyWebhook: (rawBody, signature) => readWebhook({ stripe, secret, log, now }, rawBody, signature),
  };
}

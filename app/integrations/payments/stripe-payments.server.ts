import type { Stripe } from 'stripe';
import { createHash } from 'node:crypto';
import { PLAN_INTERVAL, type Plan, PRICE_CENTS } from '#app/domain/billing/plans.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import {
  subscriptionSnapshot,
  chargeFacts,
  chargeToLookUp,
  withCharge,
  normaliseEvent,
} from '#app/domain/billing/normalise-event.ts';
import { AppError, isAppError, conflict } from '#app/domain/errors.ts';
import type {
  NextCharge,
  Payments,
  PlanChangePreview,
  TestPages,
  CheckoutRequest,
} from './provider.server.ts';
import type { Log } from '#app/domain/log.ts';
import type { BillingEvent } from '#app/domain/billing/billing-event.ts';
import { isFinal, isUnpaid } from '#app/domain/billing/billing-state.ts';

interface StripeOptions {
  stripe: Stripe;
  settings: PriceSettings;
  webhookSecret: string | undefined;
  log: Log;
  now(): Date;
  /** Only in test mode. */
  testPages: TestPages | null;
}

/** The payment provider, using the `stripe` package. */
export function stripePayments(options: StripeOptions): Payments {
  const { stripe, settings, log, now, testPages, webhookSecret: secret } = options;
  const { deleteCustomer, ...calls } = guarded(
    { ...customerCalls(stripe), ...subscriptionCalls(options), ...planChanges(stripe, settings, now) },
    log,
  );
  return {
    mode: testPages === null ? 'stripe' : 'test',
    testPages,
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

/** The same calls, with Stripe's errors converted to ours. */
function guarded<T extends Record<string, Call>>(calls: T, log: Log): T {
  const entries = Object.entries(calls).map(([name, call]) => [
    name,
    (...args: never[]) => askStripe(log, name, () => call(...args)),
  ]);
  return Object.fromEntries(entries) as T;
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
      if (!url) throw conflict('WRONG_STATE', 'This checkout has ended. Reload the page and try again.');
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
      const subscription = await stripe.subscriptions.retrieve(id);
      if (!isUnpaid(subscriptionSnapshot(subscription))) return subscriptionSnapshot(subscription);
      const open = await stripe.invoices.list({ subscription: id, status: 'open', limit: 100 });
      return subscriptionSnapshot(subscription, open.data);
    },
    async cancelNow(id: string) {
      if (isFinal(subscriptionSnapshot(await stripe.subscriptions.retrieve(id)))) return;
      await stripe.subscriptions.cancel(id);
    },
    async postponeRenewal(request: { subscriptionId: string; until: Date; idempotencyKey: string }) {
      const params = {
        trial_end: Math.floor(request.until.getTime() / 1000),
        proration_behavior: 'none',
      } as const;
      const options = { idempotencyKey: keyFor(request.idempotencyKey, params) };
      await stripe.subscriptions.update(request.subscriptionId, params, options);
    },
  };
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
    // Even when nothing is due today: the card is needed for the first charge.
    payment_method_collection: 'always',
    subscription_data: { metadata: { userId }, ...trial },
  };
}

/** Stripe rejects a reused key with different contents, so the key includes the contents. */
function keyFor(key: string, params: object): string {
  return `${key}:${createHash('sha256').update(JSON.stringify(params)).digest('base64url').slice(0, 22)}`;
}

/** Plan changes, whose cost Stripe calculates beforehand. */
function planChanges(stripe: Stripe, settings: PriceSettings, now: () => Date): PlanCalls {
  async function previewPlanChange(subscriptionId: string, plan: Plan): Promise<PlanChangePreview> {
    const item = itemOf(await stripe.subscriptions.retrieve(subscriptionId));
    const asOf = seconds(now());
    const invoice = await stripe.invoices.createPreview({
      subscription: subscriptionId,
      subscription_details: {
        items: [changedItem(item, plan, settings)],
        proration_behavior: 'always_invoice',
        proration_date: asOf,
      },
    });
    return {
      plan,
      dueNowCents: invoice.amount_due,
      creditCents: Math.max(0, -invoice.total),
      nextChargeAt: periodEnd(invoice),
      asOf: instant(asOf),
    };
  }

  async function changePlan(subscriptionId: string, { plan, asOf }: PlanChangePreview) {
    const item = itemOf(await stripe.subscriptions.retrieve(subscriptionId));
    await stripe.subscriptions.update(
      subscriptionId,
      {
        items: [changedItem(item, plan, settings)],
        proration_behavior: 'always_invoice',
        proration_date: seconds(asOf),
        // If the card is declined, the old plan stays; without this, the new one would be left unpaid.
        payment_behavior: 'error_if_incomplete',
      },
      { idempotencyKey: `plan:${subscriptionId}:${plan}:${seconds(asOf)}` },
    );
  }

  async function nextCharge(subscriptionId: string): Promise<NextCharge | null> {
    const snapshot = subscriptionSnapshot(await stripe.subscriptions.retrieve(subscriptionId));
    if (snapshot.cancelAt !== null || snapshot.status === 'canceled') return null;
    const invoice = await stripe.invoices.createPreview({ subscription: subscriptionId });
    return { amountCents: invoice.amount_due, at: snapshot.currentPeriodEnd };
  }

  return { previewPlanChange, changePlan, nextCharge };
}

/** Prices created beforehand at Stripe; without them each checkout defines its own. */
type PriceSettings = Pick<Settings, 'STRIPE_PRICE_MONTHLY' | 'STRIPE_PRICE_YEARLY'>;

/** Stripe's id of a plan's price, if configured. */
function priceId(plan: Plan, settings: PriceSettings): string | undefined {
  return plan === 'monthly' ? settings.STRIPE_PRICE_MONTHLY : settings.STRIPE_PRICE_YEARLY;
}

/** The price of a plan, for Stripe. */
function priceData(plan: Plan) {
  return {
    currency: 'usd',
    unit_amount: PRICE_CENTS[plan],
    recurring: { interval: PLAN_INTERVAL[plan] },
  };
}

/** What a checkout sells. */
function lineItem(plan: Plan, settings: PriceSettings) {
  const price = priceId(plan, settings);
  if (price !== undefined) return { price, quantity: 1 };
  return { price_data: { ...priceData(plan), product_data: { name: 'Vialbook Premium' } }, quantity: 1 };
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
const instant = (unix: number) => new Date(unix * 1000);

/** The only item of a subscription, which a plan change replaces. */
function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw conflict('WRONG_STATE', 'This subscription cannot be changed.');
  return item;
}

function changedItem(item: Stripe.SubscriptionItem, plan: Plan, settings: PriceSettings) {
  const price = priceId(plan, settings);
  if (price !== undefined) return { id: item.id, price };
  const product = typeof item.price.product === 'string' ? item.price.product : item.price.product.id;
  return { id: item.id, price_data: { ...priceData(plan), product } };
}

/** The end of the period an invoice is for, ignoring lines that only settle the old plan. */
function periodEnd(invoice: Stripe.Invoice): Date | null {
  const lines = invoice.lines.data.filter(
    ({ parent }) => parent?.subscription_item_details?.proration !== true,
  );
  const end = Math.max(0, ...lines.map(({ period }) => period.end));
  return end === 0 ? null : instant(end);
}

type PlanCalls = Pick<Payments, 'previewPlanChange' | 'changePlan' | 'nextCharge'>;

const UNAVAILABLE = 'The payment provider is not responding. Please try again in a moment.';

/** The part of Stripe's errors used here; `type` distinguishes them because it survives bundling. */
type Failure = Pick<Stripe.errors.StripeError, 'type' | 'code' | 'statusCode' | 'requestId' | 'message'>;

function isStripeFailure(error: unknown): error is Failure {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');
}

function toAppError(failure: Failure): AppError {
  if (failure.code === 'resource_missing')
    return new AppError('NOT_FOUND', 'The payment provider does not know this subscription.');
  if (failure.type === 'StripeCardError') return conflict('PAYMENT_REFUSED', 'The card was declined.');
  if (failure.type === 'StripeInvalidRequestError' || failure.type === 'StripeIdempotencyError')
    return conflict('PAYMENT_REFUSED', 'The payment provider rejected this. Reload the page and try again.');
  return new AppError('PROVIDER_UNAVAILABLE', UNAVAILABLE);
}

/**
 * Calls Stripe. Failures are logged with their code and request id, never with the request's contents.
 * @throws AppError
 */
async function askStripe<T>(log: Log, what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isStripeFailure(error)) throw error;
    const { type, code, statusCode, requestId } = error;
    log.warn(
      { call: what, type, code, statusCode, requestId },
      'the payment provider refused or did not answer',
    );
    throw toAppError(error);
  }
}

/** Age in seconds from which a signature counts as a replay. */
const TOLERANCE_SECONDS = 300;

interface WebhookOptions {
  stripe: Stripe;
  secret: string | undefined;
  log: Log;
  now(): Date;
}

function checked(options: WebhookOptions, rawBody: string | Uint8Array, signature: string | null): unknown {
  const { stripe, secret, now } = options;
  if (secret === undefined)
    throw new AppError('NOT_CONFIGURED', 'STRIPE_WEBHOOK_SECRET is not set, so events cannot be verified.');
  try {
    return stripe.webhooks.constructEvent(
      rawBody,
      signature ?? '',
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now().getTime(),
    );
  } catch {
    // The library's message explains how to fix the signature, which strangers need not know.
    throw new AppError('INVALID_INPUT', 'The signature is not valid.');
  }
}

/**
 * Verifies and reads a webhook. A dispute does not say whose payment it concerns, so Stripe is asked for the charge.
 * @throws AppError INVALID_INPUT, NOT_CONFIGURED, PROVIDER_UNAVAILABLE
 */
async function readWebhook(
  options: WebhookOptions,
  rawBody: string | Uint8Array,
  signature: string | null,
): Promise<BillingEvent> {
  const event = normaliseEvent(checked(options, rawBody, signature));
  const chargeId = chargeToLookUp(event);
  if (chargeId === null) return event;
  const charge = await askStripe(options.log, 'charges.retrieve', () =>
    options.stripe.charges.retrieve(chargeId),
  );
  return withCharge(event, chargeFacts(charge));
}

type Call = (...args: never[]) => Promise<unknown>;

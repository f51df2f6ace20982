import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { lazyPayments } from './payments/lazy-payments.server.ts';
import { noPayments } from './payments/no-payments.server.ts';
import type { Payments } from './payments/payments.server.ts';
import { stripePayments } from './payments/stripe-payments.server.ts';
import type { Deliver } from './test-stripe/delivery.server.ts';

/** Waits this long for an answer of Stripe, in milliseconds, and asks this often again. */
const TIMEOUT_MS = 15_000;
const RETRIES = 2;

/** The settings that payments depend on. */
export type PaymentSettings = Pick<
  Settings,
  | 'BILLING'
  | 'STRIPE_SECRET_KEY'
  | 'STRIPE_WEBHOOK_SECRET'
  | 'STRIPE_PRICE_MONTHLY'
  | 'STRIPE_PRICE_YEARLY'
  | 'DATA_DIR'
  | 'APP_URL'
>;

export interface PaymentOptions {
  log: Log;
  /** The clock; tests move it. */
  now?: () => Date;
  /** Test mode: how its events reach the webhook; by HTTP to `APP_URL` when absent. */
  deliver?: Deliver;
}

async function realPayments(settings: PaymentSettings, log: Log, now: () => Date): Promise<Payments> {
  const { Stripe } = await import('stripe');
  const stripe = new Stripe(settings.STRIPE_SECRET_KEY ?? '', {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
  return stripePayments({
    stripe,
    settings,
    webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
    log,
    now,
    desk: null,
  });
}

async function testPayments(
  settings: PaymentSettings,
  options: PaymentOptions,
  now: () => Date,
): Promise<Payments> {
  const { openTestStripe } = await import('./test-stripe/test-stripe.server.ts');
  const { log, deliver } = options;
  const { stripe, desk, webhookSecret } = await openTestStripe({ settings, log, now, deliver });
  return stripePayments({ stripe, settings, webhookSecret, log, now, desk });
}

/**
 * The payment provider that the settings name (decisions, section 15): Stripe, a Stripe in this process that takes
 * no money, or none. Neither Stripe's package nor the test mode is loaded unless it is needed.
 */
export async function createPayments(settings: PaymentSettings, options: PaymentOptions): Promise<Payments> {
  const now = options.now ?? (() => new Date());
  if (settings.BILLING === 'off') return noPayments();
  return settings.BILLING === 'test'
    ? testPayments(settings, options, now)
    : realPayments(settings, options.log, now);
}

/** The same, opened when it is first asked. */
export function openPayments(settings: PaymentSettings, options: PaymentOptions): Payments {
  if (settings.BILLING === 'off') return noPayments();
  return lazyPayments(settings.BILLING, () => createPayments(settings, options));
}

export {
  type CheckoutRequest,
  type NextCharge,
  type Payments,
  type PlanChangePreview,
} from './payments/payments.server.ts';
export { type Deliver } from './test-stripe/delivery.server.ts';
export { type TestCheckout, type TestDesk, type TestPortalView } from './test-stripe/controls.server.ts';

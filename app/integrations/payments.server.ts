import { AppError } from '#app/domain/errors.ts';
import type { Payments, TestPages } from './payments/provider.server.ts';
import type { BillingMode, Settings } from '#app/domain/settings/settings.ts';
import type { Log } from '#app/domain/log.ts';
import { stripePayments } from './payments/stripe-payments.server.ts';
import type { Deliver } from './test-stripe/delivery.server.ts';

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

interface PaymentOptions {
  log: Log;
  /** The clock; tests move it. */
  now?: () => Date;
  /** Test mode: how events reach the webhook; by default over HTTP to `APP_URL`. */
  deliver?: Deliver;
}

/** Like {@link createPayments}, but opened at the first call. */
export function openPayments(settings: PaymentSettings, options: PaymentOptions): Payments {
  if (settings.BILLING === 'off') return noPayments();
  return lazyPayments(settings.BILLING, () => createPayments(settings, options));
}

/**
 * The payment provider from the settings: Stripe, a simulated Stripe in this process that takes no money, or none. Neither
 * Stripe's package nor the test mode is loaded unless needed.
 */
export async function createPayments(settings: PaymentSettings, options: PaymentOptions): Promise<Payments> {
  const now = options.now ?? (() => new Date());
  if (settings.BILLING === 'off') return noPayments();
  return settings.BILLING === 'test'
    ? testPayments(settings, options, now)
    : realPayments(settings, options.log, now);
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
    testPages: null,
  });
}

async function testPayments(
  settings: PaymentSettings,
  options: PaymentOptions,
  now: () => Date,
): Promise<Payments> {
  const { openTestStripe } = await import('./test-stripe/test-stripe.server.ts');
  const { log, deliver } = options;
  const { stripe, testPages, webhookSecret } = await openTestStripe({ settings, log, now, deliver });
  return stripePayments({ stripe, settings, webhookSecret, log, now, testPages });
}

function refuse(): Promise<never> {
  return Promise.reject(new AppError('NOT_CONFIGURED', 'Billing is not configured on this server'));
}

/** Used when no payment provider is configured: every call fails with NOT_CONFIGURED. */
function noPayments(): Payments {
  return {
    mode: 'off',
    testPages: null,
    createCustomer: refuse,
    updateCustomerEmail: refuse,
    deleteCustomer: refuse,
    createCheckoutSession: refuse,
    createPortalSession: refuse,
    getSubscription: refuse,
    cancelNow: refuse,
    postponeRenewal: refuse,
    previewPlanChange: refuse,
    changePlan: refuse,
    nextCharge: refuse,
    verifyWebhook: refuse,
  };
}

function lazyTestPages(testPages: () => Promise<TestPages>): TestPages {
  return {
    findCheckout: async (id) => (await testPages()).findCheckout(id),
    pay: async (id) => (await testPages()).pay(id),
    findPortal: async (id) => (await testPages()).findPortal(id),
    act: async (id, action) => (await testPages()).act(id, action),
  };
}

/** A payment provider that is opened at the first call, so that startup and commands don't wait for its package. */
function lazyPayments(mode: BillingMode, open: () => Promise<Payments>): Payments {
  let opened: Promise<Payments> | undefined;
  const payments = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const testPages = async () => {
    const { testPages: pages } = await payments();
    if (pages === null) throw new Error('The test payments have no pages.');
    return pages;
  };
  return {
    mode,
    testPages: mode === 'test' ? lazyTestPages(testPages) : null,
    createCustomer: async (account) => (await payments()).createCustomer(account),
    updateCustomerEmail: async (id, email) => (await payments()).updateCustomerEmail(id, email),
    deleteCustomer: async (id) => (await payments()).deleteCustomer(id),
    createCheckoutSession: async (request) => (await payments()).createCheckoutSession(request),
    createPortalSession: async (request) => (await payments()).createPortalSession(request),
    getSubscription: async (id) => (await payments()).getSubscription(id),
    cancelNow: async (id) => (await payments()).cancelNow(id),
    postponeRenewal: async (request) => (await payments()).postponeRenewal(request),
    previewPlanChange: async (id, plan) => (await payments()).previewPlanChange(id, plan),
    changePlan: async (id, preview) => (await payments()).changePlan(id, preview),
    nextCharge: async (id) => (await payments()).nextCharge(id),
    verifyWebhook: async (body, signature) => (await payments()).verifyWebhook(body, signature),
  };
}

/** Time limit for Stripe's response, in milliseconds, and number of retries. */
const TIMEOUT_MS = 15_000;

const RETRIES = 2;

export type {
  CheckoutRequest,
  NextCharge,
  Payments,
  PlanChangePreview,
  TestCheckout,
  TestPages,
  TestPortalView,
} from './payments/provider.server.ts';

export type { Deliver } from './test-stripe/delivery.server.ts';

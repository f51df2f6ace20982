import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { billingView, NO_BILLING, type BillingState } from '#app/domain/billing/billing-state.ts';
import { reduceBilling, withSubscription } from '#app/domain/billing/reduce-events.ts';
import { subscriptionEventOf } from '#app/domain/billing/subscription-events.ts';
import type { BillingEvent } from '#app/domain/billing/billing-event.ts';
import { SILENT_LOG } from '#app/domain/log.ts';
import {
  createPayments,
  type Payments,
  type PaymentSettings,
  type TestPages,
} from '#app/integrations/payments.server.ts';

export const DAY_MS = 86_400_000;
export const APP_URL = 'http://localhost:3000';

export function settingsFor(dataDir: string, changes: Partial<PaymentSettings> = {}): PaymentSettings {
  return {
    BILLING: 'test',
    STRIPE_SECRET_KEY: undefined,
    STRIPE_WEBHOOK_SECRET: undefined,
    STRIPE_PRICE_MONTHLY: undefined,
    STRIPE_PRICE_YEARLY: undefined,
    DATA_DIR: dataDir,
    APP_URL,
    ...changes,
  };
}

/** A shop in test mode, with the events its webhook received. */
export interface Shop {
  payments: Payments;
  testPages: TestPages;
  /** Moves the clock. */
  pass(days: number): void;
  now(): Date;
  events: BillingEvent[];
  /** While false, the webhook answers 500. */
  isUp: boolean;
  state(): BillingState;
  view(): ReturnType<typeof billingView>;
  /** Reopens the shop, as after a restart. */
  reopen(): Promise<void>;
  dataDir: string;
  close(): Promise<void>;
}

/** Opens a shop in a separate directory; it receives its events signed, as from Stripe. */
export async function openShop(changes: Partial<PaymentSettings> = {}): Promise<Shop> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vialbook-shop-'));
  let time = new Date('2026-03-01T12:00:00Z').getTime();
  const now = () => new Date(time);
  let state = NO_BILLING;
  const open = () =>
    createPayments(settingsFor(dataDir, changes), {
      log: SILENT_LOG,
      now,
      deliver: async (body, signature) => {
        if (!shop.isUp) return false;
        const event = await shop.payments.verifyWebhook(body, signature);
        shop.events.push(event);
        state = reduceBilling(state, event);
        if (event.subscriptionId !== null)
          state = withSubscription(state, await shop.payments.getSubscription(event.subscriptionId));
        return true;
      },
    });
  const payments = await open();
  const shop: Shop = {
    payments,
    testPages: testPagesOf(payments),
    pass: (days) => (time += days * DAY_MS),
    now,
    events: [],
    isUp: true,
    state: () => state,
    view: () => billingView(shop.state()),
    async reopen() {
      shop.payments = await open();
      shop.testPages = testPagesOf(shop.payments);
    },
    dataDir,
    close: () => rm(dataDir, { recursive: true }),
  };
  return shop;
}

function testPagesOf(payments: Payments): TestPages {
  if (payments.testPages === null) throw new Error('no test testPages');
  return payments.testPages;
}

/** Opens the checkout, and pays there unless told not to. */
export async function buy(
  shop: Shop,
  { plan = 'monthly', firstChargeAt = null, userId = 'u1' }: BuyOptions = {},
): Promise<{ customerId: string; subscriptionId: string; portalId: string }> {
  const customerId = await shop.payments.createCustomer({ userId, email: `${userId}@example.org` });
  const { id } = await shop.payments.createCheckoutSession({
    plan,
    userId,
    customerId,
    firstChargeAt,
    successUrl: `${APP_URL}/upgrade?done={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${APP_URL}/upgrade`,
    idempotencyKey: `checkout:${userId}:${shop.now().getTime()}`,
  });
  await shop.testPages.pay(id);
  const { url } = await shop.payments.createPortalSession({ customerId, returnUrl: `${APP_URL}/upgrade` });
  const subscriptionId = shop.view().subscriptionId ?? '';
  return { customerId, subscriptionId, portalId: url.split('/').at(-1) ?? '' };
}

interface BuyOptions {
  plan?: 'monthly' | 'yearly';
  firstChargeAt?: Date | null;
  userId?: string;
}

/** US cents received, according to the billing record. */
export function received({ events }: Pick<Shop, 'events'>): number {
  const once = new Map(events.map((event) => [event.id, subscriptionEventOf(event)]));
  return [...once.values()].reduce(
    (cents, row) => cents + (row?.status === 'success' ? row.amountCents : 0),
    0,
  );
}

import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError, publicCode } from '#app/domain/errors.ts';
import { SILENT_LOG, type Log } from '#app/domain/log.ts';
import { createPayments, type CheckoutRequest } from '#app/integrations/payments.server.ts';
import { DAY, openInvoiceOf, START, subscriptionObjectOf } from '#tests/unit/domain/billing/stripe-events.ts';
import { APP_URL, settingsFor } from './test-payments.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const SECRET_KEY = 'sk_live_never_told';
const open = (changes = {}, log: Log = SILENT_LOG) =>
  createPayments(settingsFor('/nowhere', { BILLING: 'stripe', STRIPE_SECRET_KEY: SECRET_KEY, ...changes }), {
    log,
  });

const request: CheckoutRequest = {
  plan: 'monthly',
  userId: 'u1',
  customerId: 'cus_1',
  firstChargeAt: null,
  successUrl: `${APP_URL}/upgrade?done=1`,
  cancelUrl: `${APP_URL}/upgrade`,
  idempotencyKey: 'checkout:u1',
};

/** Answers checkouts, and stores the requests. */
function checkouts(): { sent: URLSearchParams[]; keys: (string | null)[] } {
  const sent: URLSearchParams[] = [];
  const keys: (string | null)[] = [];
  server.use(
    http.post('https://api.stripe.com/v1/checkout/sessions', async ({ request: call }) => {
      sent.push(new URLSearchParams(await call.text()));
      keys.push(call.headers.get('idempotency-key'));
      return HttpResponse.json({
        id: 'cs_1',
        object: 'checkout.session',
        url: 'https://checkout.stripe.com/c/1',
      });
    }),
  );
  return { sent, keys };
}

describe('a checkout at Stripe', () => {
  it('defines its own price if none is configured', async () => {
    const { sent } = checkouts();
    const payments = await open();
    expect(payments.mode).toBe('stripe');
    expect(payments.testPages).toBeNull();
    expect(await payments.createCheckoutSession({ ...request, plan: 'yearly' })).toEqual({
      id: 'cs_1',
      url: 'https://checkout.stripe.com/c/1',
    });
    expect(Object.fromEntries(sent[0] ?? [])).toEqual({
      mode: 'subscription',
      customer: 'cus_1',
      client_reference_id: 'u1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '3000',
      'line_items[0][price_data][recurring][interval]': 'year',
      'line_items[0][price_data][product_data][name]': 'Vialbook Premium',
      'line_items[0][quantity]': '1',
      success_url: request.successUrl,
      cancel_url: request.cancelUrl,
      payment_method_collection: 'always',
      'subscription_data[metadata][userId]': 'u1',
    });
  });

  it('uses the configured price and the end of the free days', async () => {
    const { sent } = checkouts();
    const payments = await open({ STRIPE_PRICE_MONTHLY: 'price_m' });
    await payments.createCheckoutSession({ ...request, firstChargeAt: new Date('2026-04-01T00:00:00Z') });
    expect(sent[0]?.get('line_items[0][price]')).toBe('price_m');
    expect(sent[0]?.get('subscription_data[trial_end]')).toBe('1775001600');
  });

  it('has the same idempotency key only for the same request', async () => {
    const { keys } = checkouts();
    const payments = await open();
    await payments.createCheckoutSession(request);
    await payments.createCheckoutSession(request);
    await payments.createCheckoutSession({ ...request, plan: 'yearly' });
    expect(keys[0]).toMatch(/^checkout:u1:/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

describe('a subscription at Stripe', () => {
  const STRIPE = 'https://api.stripe.com/v1';
  const answer = (status: string, bills: object[] = []) => {
    const asked: string[] = [];
    server.use(
      http.get(`${STRIPE}/subscriptions/sub_1`, () => HttpResponse.json(subscriptionObjectOf({ status }))),
      http.get(`${STRIPE}/invoices`, ({ request: call }) => {
        asked.push(new URL(call.url).search);
        return HttpResponse.json({ object: 'list', has_more: false, url: '/v1/invoices', data: bills });
      }),
    );
    return asked;
  };

  it.each(['past_due', 'unpaid'])('that is %s is described with its open bills', async (status) => {
    const asked = answer(status, [openInvoiceOf(START + DAY), openInvoiceOf(START, { due: 250 })]);
    expect(await (await open()).getSubscription('sub_1')).toMatchObject({
      status,
      unpaid: { since: new Date((START + 3600) * 1000), amountCents: 750 },
    });
    expect(asked).toEqual(['?subscription=sub_1&status=open&limit=100']);
  });

  it('that is paid is described in one call', async () => {
    const asked = answer('active');
    expect(await (await open()).getSubscription('sub_1')).toMatchObject({ status: 'active', unpaid: null });
    expect(asked).toEqual([]);
  });
});

describe('a failure of Stripe', () => {
  const answer = (status: number, error: object) =>
    server.use(
      http.get('https://api.stripe.com/v1/subscriptions/sub_1', () =>
        HttpResponse.json(
          { error },
          { status, headers: { 'Request-Id': 'req_1', 'Stripe-Should-Retry': 'false' } },
        ),
      ),
    );

  it.each([
    ['an unknown id', 404, { type: 'invalid_request_error', code: 'resource_missing' }, 'NOT_FOUND'],
    ['a refused request', 400, { type: 'invalid_request_error' }, 'PAYMENT_REFUSED'],
    ['a declined card', 402, { type: 'card_error', code: 'card_declined' }, 'PAYMENT_REFUSED'],
    ['too many calls', 429, { type: 'invalid_request_error' }, 'PROVIDER_UNAVAILABLE'],
    ['a fault of theirs', 500, { type: 'api_error' }, 'PROVIDER_UNAVAILABLE'],
    ['a wrong key', 401, { type: 'invalid_request_error' }, 'PROVIDER_UNAVAILABLE'],
  ])('%s is converted to our error', async (_name, status, error, code) => {
    answer(status, { message: `about ${SECRET_KEY}`, ...error });
    const lines: string[] = [];
    const write = (facts: object, text: string) => void lines.push(JSON.stringify({ facts, text }));
    const payments = await open({}, { debug: write, info: write, warn: write, error: write });
    const failure = await payments.getSubscription('sub_1').catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(AppError);
    expect(publicCode(failure as AppError)).toBe(code);
    expect(lines.join()).toContain('req_1');
    expect(`${lines.join()} ${(failure as Error).stack} ${JSON.stringify(failure)}`).not.toContain(
      SECRET_KEY,
    );
  });

  it('includes a response that never arrives', async () => {
    server.use(http.get('https://api.stripe.com/v1/subscriptions/sub_1', () => HttpResponse.error()));
    const payments = await open();
    await expect(payments.getSubscription('sub_1')).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  });
});

describe('billing that is off', () => {
  it('rejects every call', async () => {
    const payments = await open({ BILLING: 'off' });
    expect(payments.mode).toBe('off');
    const refusal = { code: 'NOT_CONFIGURED', message: 'Billing is not configured on this server' };
    await expect(payments.createCheckoutSession(request)).rejects.toMatchObject(refusal);
    await expect(payments.createPortalSession({ customerId: 'c', returnUrl: APP_URL })).rejects.toMatchObject(
      refusal,
    );
    await expect(payments.verifyWebhook('{}', 't=1,v1=x')).rejects.toMatchObject(refusal);
  });
});

import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { createPayments } from '#app/integrations/payments.server.ts';
import { settingsFor } from './test-payments.ts';

const secret = 'whsec_for_this_test';
const stripe = new Stripe('sk_test_signs');
const at = new Date('2026-03-01T12:00:00Z');
const seconds = Math.floor(at.getTime() / 1000);
const body = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'invoice.paid',
  created: seconds,
  data: { object: { id: 'in_1', customer: 'cus_1', amount_due: 500, amount_paid: 500 } },
});

const sign = (payload: string, options: { timestamp?: number; secret?: string } = {}) =>
  stripe.webhooks.generateTestHeaderString({ payload, timestamp: seconds, secret, ...options });

const open = (webhookSecret: string | undefined = secret) =>
  createPayments(
    settingsFor('/nowhere', {
      BILLING: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    }),
    { log: SILENT_LOG, now: () => at },
  );

describe('a webhook', () => {
  it('is read if its signature is valid, as text and as bytes', async () => {
    const payments = await open();
    const event = await payments.verifyWebhook(body, sign(body));
    expect(event).toMatchObject({ id: 'evt_1', kind: 'invoice-paid', customerId: 'cus_1' });
    expect(await payments.verifyWebhook(Buffer.from(body), sign(body))).toEqual(event);
  });

  it('is accepted up to five minutes old', async () => {
    const payments = await open();
    await payments.verifyWebhook(body, sign(body, { timestamp: seconds - 299 }));
  });

  it.each([
    ['without a signature', body, null],
    ['with an empty one', body, ''],
    ['with a made-up one', body, `t=${seconds},v1=${'0'.repeat(64)}`],
    ['signed by another secret', body, sign(body, { secret: 'whsec_other' })],
    ['signed for another body', `${body} `, sign(body)],
    ['signed more than five minutes ago', body, sign(body, { timestamp: seconds - 301 })],
    ['with a signature of another scheme', body, sign(body).replace('v1=', 'v0=')],
    ['that is no JSON', 'hello', sign('hello')],
    ['that is no event', '{"id":1}', sign('{"id":1}')],
    ['that is a list', '[]', sign('[]')],
  ])('%s is refused with INVALID_INPUT', async (_name, payload, signature) => {
    const payments = await open();
    await expect(payments.verifyWebhook(payload, signature)).rejects.toMatchObject({
      name: 'AppError',
      code: 'INVALID_INPUT',
    });
  });

  it('cannot be verified without a secret', async () => {
    const payments = await createPayments(
      settingsFor('/nowhere', { BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_x' }),
      { log: SILENT_LOG },
    );
    await expect(payments.verifyWebhook(body, sign(body))).rejects.toMatchObject({ code: 'NOT_CONFIGURED' });
  });
});

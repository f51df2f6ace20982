import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { subscriptionEvent } from '../../unit/domain/billing/stripe-events.ts';
import { expectSecurityHeaders } from './answers.ts';
import { alerts, visibleText } from '#tests/support/html.ts';
import { readKept, type Stored } from './stored.ts';
import { WebClient, type Answer } from './web-client.ts';
import { signUp, useOwnWeb } from './web.ts';

const SECRET = 'whsec_of_the_routes_test';
const web = useOwnWeb({ STRIPE_WEBHOOK_SECRET: SECRET });

const signer = new Stripe('sk_test_signs_only');
const seconds = () => Math.floor(Date.now() / 1000);
const sign = (payload: string, { timestamp = seconds(), secret = SECRET } = {}) =>
  signer.webhooks.generateTestHeaderString({ payload, timestamp, secret });
const body = JSON.stringify(subscriptionEvent('created', seconds()));

/** Sends to the webhook as a program does: no cookie, no Origin. */
function send(payload: string, headers: Record<string, string>): Promise<Answer> {
  const all = { 'content-type': 'application/json', ...headers };
  return web.visitor().request('/webhooks/stripe', { method: 'POST', body: payload, headers: all });
}

describe('the webhook', () => {
  // Nothing that is sent here writes anything.
  let before: Stored;
  beforeAll(async () => {
    before = await readKept(web.dataDir);
  });

  it.each<[string, () => Record<string, string>]>([
    ['without a signature', () => ({})],
    ['with an empty one', () => ({ 'stripe-signature': '' })],
    ['with a made-up one', () => ({ 'stripe-signature': `t=${seconds()},v1=${'0'.repeat(64)}` })],
    ['signed by another secret', () => ({ 'stripe-signature': sign(body, { secret: 'whsec_other' }) })],
    ['signed for other bytes', () => ({ 'stripe-signature': sign(`${body} `) })],
    ['signed too long ago', () => ({ 'stripe-signature': sign(body, { timestamp: seconds() - 400 }) })],
  ])('answers 400 to an event %s and writes nothing', async (_, headers) => {
    const answer = await send(body, headers());
    expect(answer.status).toBe(400);
    expect(answer.setCookies).toEqual([]);
    expectSecurityHeaders(answer, 'webhook');
    expect(await readKept(web.dataDir)).toEqual(before);
  });

  it('accepts an event by its bytes, from any origin, and ignores unknown customers', async () => {
    const spaced = JSON.stringify(JSON.parse(body), null, 3);
    for (const payload of [body, spaced]) {
      const headers = { 'stripe-signature': sign(payload), origin: 'https://stripe.example' };
      const { status, body: answer } = await send(payload, headers);
      expect([status, JSON.parse(answer)]).toEqual([200, { received: true }]);
    }
    expect(await readKept(web.dataDir)).toEqual(before);
  });

  it('accepts only POST', async () => {
    const { status, headers } = await web.visitor().get('/webhooks/stripe');
    expect([status, headers.allow]).toEqual([405, 'POST']);
    const large = 'x'.repeat(2_000_000);
    expect((await send(large, { 'stripe-signature': sign(large) })).status).toBe(413);
    const hidden = await web.visitor().request('/webhooks/stripe.data', { method: 'POST', body });
    expect(hidden.status).toBe(404);
  });
});

describe('the plans page', () => {
  /** Somebody who buys nothing. */
  let free: WebClient;
  beforeAll(async () => {
    free = await web.registered();
  });

  it('leads to the checkout through a path of this site, and shows the result afterwards', async () => {
    const person = await web.registered();
    expect(visibleText((await person.get('/upgrade')).body)).toMatch(/Test mode No money is charged/);
    const { location } = await person.post('/upgrade', { intent: 'checkout', plan: 'yearly' });
    expect(location).toMatch(/^\/upgrade\/test-checkout\/cs_test_/);
    const waiting = await person.get('/upgrade/return?session=cs_test_1&paid=true');
    expect(visibleText(waiting.body)).toContain('Waiting for confirmation');
    expect((await person.get('/dashboard/schedule')).status).toBe(403);
    const declined = await person.post(location ?? '', { card: 'declines' });
    expect(declined.status).toBe(400);
    expect(alerts(declined.body)).toEqual(['The card was declined. Nothing was charged.']);
    expect((await person.post(location ?? '', { card: 'works' })).location).toBe('/upgrade/return');
    expect(visibleText((await person.get('/upgrade/return')).body)).toContain('Premium is on');
    const again = await person.post('/upgrade', { intent: 'checkout', plan: 'monthly' });
    expect(again.status).toBe(409);
    expect(alerts(again.body)[0]).toContain('This account already has a subscription');
    const portal = (await person.post('/upgrade', { intent: 'portal' })).location ?? '';
    await person.post(portal, { action: 'cancel' });
    expect(visibleText((await person.get(portal)).body)).toContain('canceled from the end of the period');
    await person.post(portal, { action: 'end-period' });
    expect(visibleText((await person.get(portal)).body).match(/cancel+ed/g)).toEqual(['canceled']);
  });

  it.each(['', 'weekly', 'monthly,yearly', '__proto__', '$gt', 'x'.repeat(10_000)])(
    'refuses the plan %.20s',
    async (plan) => {
      const answer = await free.post('/upgrade', { intent: 'checkout', plan });
      expect(answer.status).toBe(400);
      expect(alerts(answer.body)).toEqual(['Choose monthly or yearly']);
    },
  );

  it('offers no portal to accounts that never bought anything', async () => {
    const answer = await free.post('/upgrade', { intent: 'portal' });
    expect(answer.status).toBe(409);
    expect(alerts(answer.body)).toEqual(['There is no subscription to manage yet. Choose a plan first.']);
  });

  it('shows the price of a plan change before it is made', async () => {
    const person = await web.registered();
    const { location } = await person.post('/upgrade', { intent: 'checkout', plan: 'monthly' });
    await person.post(location ?? '');
    const page = await person.get('/upgrade/change');
    expect(visibleText(page.body)).toMatch(/Due now \$25\.\d\d/);
    const asOf = /name="asOf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const stale = await person.post('/upgrade/change', { plan: 'yearly', asOf: '2020-01-01T00:00:00.000Z' });
    expect(stale.status).toBe(409);
    expect((await person.post('/upgrade/change', { plan: 'yearly', asOf })).location).toBe('/upgrade');
    expect(visibleText((await person.get('/upgrade')).body)).toContain('You have Premium, paid yearly.');
  });
});

describe('21 in test mode a request that came through a proxy', () => {
  const BUY = { intent: 'checkout', plan: 'monthly' };
  let client: WebClient;
  let path: string;
  let before: Stored;
  beforeAll(async () => {
    client = await web.registered();
    path = (await client.post('/upgrade', BUY)).location ?? '';
    before = await readKept(web.dataDir);
  });

  it.each([
    ['X-Forwarded-For', '203.0.113.9'],
    ['Forwarded', 'for=203.0.113.9'],
    ['Via', '1.1 proxy'],
    ['X-Real-IP', '203.0.113.9'],
  ])('(%s) answers 503 and gives nothing away', async (name, value) => {
    const at = { [name]: value };
    // Only these requests: on the machine itself the page works before and after them.
    expect((await client.get('/upgrade')).body).toContain('value="checkout"');
    const page = await client.get('/upgrade', at);
    expect(page.status).toBe(503);
    expect(visibleText(page.body)).toContain('Test payments only work on the machine that runs this server');
    expect(page.body).not.toContain('value="checkout"');
    const event = { method: 'POST', body, headers: { 'stripe-signature': sign(body), ...at } };
    const answers = await Promise.all([
      client.post('/upgrade', BUY, at),
      client.post('/upgrade', { intent: 'portal' }, at),
      client.get(path, at),
      client.post(path, {}, at),
      client.get('/upgrade/change', at),
      client.request('/webhooks/stripe', event),
      client.send('/api/stripe/create-checkout-session', '{"plan":"monthly"}', 'application/json', at),
      client.send('/api/stripe/create-portal-session', '{}', 'application/json', at),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(await readKept(web.dataDir)).toEqual(before);
  });
});

describe('with a test key of Stripe', () => {
  let server: RunningServer;
  beforeAll(async () => {
    const env = {
      STRIPE_SECRET_KEY: 'sk_test_never_used',
      STRIPE_WEBHOOK_SECRET: SECRET,
      APP_URL: 'https://vials.example.org',
      LOG_LEVEL: 'info',
    };
    server = await startServer({ env });
  });
  afterAll(() => server.stop());

  it('a public site reports it in the log at startup', async () => {
    await expect.poll(() => server.output()).toContain('STRIPE_SECRET_KEY is a test key');
    expect(server.output()).not.toContain('sk_test_never_used');
  });

  it("forms may lead to Stripe's pages, and only then", async () => {
    const policyOf = ({ headers }: Answer) => String(headers['content-security-policy']);
    const forms = "form-action 'self' https://checkout.stripe.com https://billing.stripe.com;";
    expect(policyOf(await web.visitor().get('/'))).not.toContain('stripe.com');
    const client = new WebClient(server.url);
    await signUp(client, 'somebody@example.org');
    const page = await client.get('/upgrade');
    expect(policyOf(page)).toContain(forms);
    expect(visibleText(page.body)).not.toContain('Test mode');
    expect(server.output()).not.toContain('sk_test_never_used');
  });
});

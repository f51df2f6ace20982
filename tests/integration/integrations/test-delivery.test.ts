import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http, { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { createPayments, type Payments } from '#app/integrations/payments.server.ts';
import { settingsFor } from './test-payments.ts';

interface Arrival {
  method: string;
  url: string;
  signature: string;
  body: string;
}

let server: Server;
let arrivals: Arrival[];
let status: number;
let dataDir: string;
let payments: Payments;

/** This process's request functions, before the test mode is opened. */
const untouched = { fetch: globalThis.fetch, request: http.request, get: http.get };

beforeEach(async () => {
  arrivals = [];
  status = 200;
  dataDir = await mkdtemp(path.join(tmpdir(), 'vialbook-delivery-'));
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      arrivals.push({ method, url, signature: String(request.headers['stripe-signature']), body });
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = settingsFor(dataDir, { APP_URL: `http://127.0.0.1:${port}` });
  payments = await createPayments(settings, { log: SILENT_LOG });
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(dataDir, { recursive: true });
});

async function buyOnce(): Promise<void> {
  const customerId = await payments.createCustomer({ userId: 'u1', email: 'ann@example.org' });
  const { id } = await payments.createCheckoutSession({
    plan: 'monthly',
    userId: 'u1',
    customerId,
    firstChargeAt: null,
    successUrl: 'http://localhost/done',
    cancelUrl: 'http://localhost/back',
    idempotencyKey: 'k',
  });
  await payments.testPages?.pay(id);
}

describe('events of the billing test mode over HTTP', () => {
  it('reach the webhook of this site, signed, before the payment returns', async () => {
    await buyOnce();
    expect(arrivals.length).toBeGreaterThanOrEqual(4);
    for (const { method, url, body, signature } of arrivals) {
      expect([method, url]).toEqual(['POST', '/webhooks/stripe']);
      const event = await payments.verifyWebhook(body, signature);
      expect(event.id).toMatch(/^evt_test_/);
    }
    await expect(
      payments.verifyWebhook(`${arrivals[0]?.body} `, arrivals[0]?.signature ?? ''),
    ).rejects.toThrow();
  });

  it('are sent again after an error, but not after a success', async () => {
    status = 500;
    await buyOnce();
    const first = arrivals.length;
    status = 200;
    await payments.testPages?.findPortal('');
    expect(arrivals).toHaveLength(2 * first);
    expect(arrivals.slice(first).map(({ body }) => body)).toEqual(
      arrivals.slice(0, first).map(({ body }) => body),
    );
    await payments.testPages?.findPortal('');
    expect(arrivals).toHaveLength(2 * first);
  });

  it('do not affect other requests of this process', async () => {
    await buyOnce();
    expect({ fetch: globalThis.fetch, request: http.request, get: http.get }).toEqual(untouched);
    expect(globalThis.fetch).toBe(untouched.fetch);
  });
});

import { Agent, request, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { WebClient } from '../routes/web-client.ts';
import { useOwnWeb } from '../routes/web.ts';
import { LONGEST_WAIT_SECONDS } from './other-visitor.ts';

/** Answers that are given before the body was read: the next request on the same connection does not wait behind it. */
const API_CALLS_A_MINUTE = 18;
const web = useOwnWeb({ RATE_LIMIT_FACTOR: String(API_CALLS_A_MINUTE / 600) });

/** More than the program and the system keep while nobody reads it. */
const BODY = Buffer.alloc(900_000, 'a');
const FORM = 'application/x-www-form-urlencoded';

interface Early {
  at: string;
  status: number;
  method?: string;
  type?: string;
  body?: Buffer;
  /** With the cookies of somebody who signed in. */
  isSignedIn?: boolean;
  headers?: Record<string, string>;
  chunked?: boolean;
}

const KINDS: Record<string, Early> = {
  'a call without a token': { at: '/api/compounds', status: 401 },
  'a tool call without a token': { at: '/mcp', status: 401 },
  'a form from another site': { at: '/login', status: 403, headers: { origin: 'https://elsewhere.example' } },
  'a call that only administrators may make': {
    at: '/api/admin/users/x/status',
    method: 'PATCH',
    status: 403,
    isSignedIn: true,
  },
  'a larger body than is accepted': { at: '/login', status: 413, body: Buffer.alloc(4_000_000, 'a') },
  'a body of unknown length': { at: '/login', status: 411, chunked: true },
  'a call with another type of body': { at: '/api/calculations', status: 415, isSignedIn: true },
  'a form without a session': { at: '/dashboard/calculator', status: 302, type: 'text/plain' },
  'the data of a form without a session': {
    at: '/dashboard/calculator.data',
    status: 202,
    type: 'text/plain',
  },
  'an upload without a session': {
    at: '/dashboard/import',
    status: 302,
    type: 'text/plain',
    body: Buffer.alloc(9_000_000, 'a'),
  },
  'a form of the admin area': { at: '/admin/dashboard/users/x/suspend', status: 302, type: 'text/plain' },
  'an address that cannot be read': { at: '/%zz', status: 400 },
  'a page that does not exist': { at: '/nowhere', status: 404 },
  'a call that does not exist': { at: '/api/nowhere', status: 404 },
  'a path that is too long': { at: '/a'.repeat(20), status: 404 },
  'a page without forms': { at: '/terms', status: 405 },
  'a method that pages do not have': { at: '/login', method: 'PUT', status: 405 },
  'a method that a call does not have': { at: '/api/auth/me', method: 'DELETE', status: 405 },
  'a read with a body': { at: '/calculator', method: 'GET', status: 200 },
};

interface Exchange {
  response: IncomingMessage;
  /** Names the connection. */
  port: number | undefined;
}

function exchange(agent: Agent, client: WebClient, early: Early): Promise<Exchange> {
  const { at, method = 'POST', type = FORM, body, chunked, isSignedIn } = early;
  const headers: Record<string, string | number> = { origin: web.url, ...early.headers };
  if (body !== undefined) headers['content-type'] = type;
  if (chunked) headers['transfer-encoding'] = 'chunked';
  else if (body !== undefined) headers['content-length'] = body.length;
  if (isSignedIn)
    headers['cookie'] = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise((resolve, reject) => {
    const sent = request(`${web.url}${at}`, { method, headers, agent }, (response) => {
      const port = sent.socket?.localPort;
      response.resume().once('end', () => resolve({ response, port }));
    });
    sent.once('error', reject).end(body);
  });
}

/** Sends a request that gets an early answer, then another one on the same connection. */
async function expectNextAnswered(client: WebClient, early: Early): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const first = await exchange(agent, client, { ...early, body: early.body ?? BODY });
    expect(first.response.statusCode).toBe(early.status);
    const start = performance.now();
    const next = await exchange(agent, client, { at: '/healthz', method: 'GET', status: 200 });
    expect(next.response.statusCode).toBe(200);
    expect((performance.now() - start) / 1000).toBeLessThan(LONGEST_WAIT_SECONDS);
    // The server either reads what is left, or says that it closes the connection.
    if (first.response.headers.connection !== 'close') expect(next.port).toBe(first.port);
  } finally {
    agent.destroy();
  }
}

describe('the next request on a connection is answered at once after', () => {
  it.each(Object.entries(KINDS))('%s', async (_name, early) => {
    await expectNextAnswered(early.isSignedIn ? await web.registered() : web.visitor(), early);
  });

  it('a call beyond the limit', async () => {
    const client = await web.registered();
    const early = { at: '/api/calculations', status: 429, isSignedIn: true };
    for (let count = 0; count < API_CALLS_A_MINUTE; count += 1)
      expect((await client.send(early.at, '{}', 'application/json')).status).toBe(400);
    await expectNextAnswered(client, early);
  });
});

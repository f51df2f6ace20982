import { describe, expect, it } from 'vitest';
import { API_VERSION } from '#app/platform/api/operation.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { isFullSize } from '#tests/support/size.ts';
import { expectSecurityHeaders, expectSound } from '../routes/answers.ts';
import { WebClient, type Answer } from '../routes/web-client.ts';
import type { ApiAnswer } from './client.ts';
import { CALLS } from './document.ts';
import { useApi } from './world.ts';

/** What the API checks before any call. */
const world = useApi();
const named = useApi({ CORS_ORIGINS: 'https://app.example.org, https://other.example.org/' });
const slow = useApi({ RATE_LIMIT_FACTOR: '0.04' });

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const CALCULATION = { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25 };
const JSON_TYPE = { 'content-type': 'application/json' };

/** Expects a failure in the envelope, and nothing else. */
function expectRefused(answer: Answer, status: number, code: string, what: string): void {
  expect(answer.status, `${what}: ${answer.body.slice(0, 200)}`).toBe(status);
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  expect(body, what).toMatchObject({ success: false, error: code, message: expect.any(String) as string });
  expect(answer.headers['content-type'], what).toContain('application/json');
  expect(answer.headers['cache-control'], what).toBe('no-store');
  expect(answer.headers['api-version'], what).toBe(API_VERSION);
  expectSound(answer, what);
  expectSecurityHeaders(answer, what);
}

const raw = () => new WebClient(world.web.url);
/** Of one user, whose account these tests do not look at. */
let someone: ReturnType<typeof world.premium> | undefined;
const bearer = async () => {
  someone ??= world.premium();
  return { authorization: `Bearer ${(await someone).token}` };
};

describe('addresses and methods', () => {
  it.each([
    '/api',
    '/api/nowhere',
    '/api/auth',
    '/api/auth/login/x',
    '/api/openapi',
    '/api/auth/me.data',
    '/api/calculations/a%0Ab',
    '/api/a%E2%80%A8',
  ])('%s does not exist: 404 in the envelope', async (path) =>
    expectRefused(await raw().get(path), 404, 'NOT_FOUND', path),
  );

  it('any other method is 405 with the allowed ones, at every address', async () => {
    const tried = new Set<string>();
    for (const [index, path] of [...new Set(CALLS.map((call) => call.path))].entries()) {
      const allowed = CALLS.filter((call) => call.path === path).map(({ method }) => method);
      const others = METHODS.filter((one) => !allowed.includes(one));
      // In npm test one of them, a different one from address to address.
      for (const method of isFullSize ? others : others.slice(index % others.length).slice(0, 1)) {
        tried.add(method);
        const answer = await raw().request(path.replace(/\{\w+\}/g, 'x'), { method });
        expectRefused(answer, 405, 'METHOD_NOT_ALLOWED', `${method} ${path}`);
        const named = answer.headers.allow?.split(', ').filter((one) => !['HEAD', 'OPTIONS'].includes(one));
        expect(named?.toSorted(), path).toEqual(allowed.toSorted());
      }
    }
    expect([...tried].toSorted()).toEqual(METHODS.toSorted());
    for (const method of ['TRACE', 'PROPFIND'])
      expectRefused(await raw().request('/api/auth/me', { method }), 405, 'METHOD_NOT_ALLOWED', method);
    expectRefused(
      await raw().request('/api/openapi.json', { method: 'POST' }),
      405,
      'METHOD_NOT_ALLOWED',
      '',
    );
  });

  it('OPTIONS names the methods, and assistants’ address does, too', async () => {
    const asked = async (path: string) => {
      const { status, headers, body } = await raw().request(path, { method: 'OPTIONS' });
      return [status, headers.allow, body];
    };
    expect(await asked('/api/auth/me')).toEqual([204, 'GET, HEAD, OPTIONS', '']);
    expect(await asked('/api/openapi.json')).toEqual([204, 'GET, HEAD, OPTIONS', '']);
    expect(await asked('/mcp')).toEqual([204, 'POST, OPTIONS', '']);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const { status, headers } = await raw().request('/mcp', { method });
      expect([status, headers.allow], method).toEqual([405, 'POST, OPTIONS']);
    }
  });

  it('HEAD is GET without the body', async () => {
    for (const path of ['/api/calculations', '/api/export?types=calculations']) {
      const headers = await bearer();
      const answer = await raw().request(path, { method: 'HEAD', headers });
      expect([answer.status, answer.body]).toEqual([200, '']);
    }
  });
});

describe('bodies', () => {
  const send = async (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) =>
    raw().request('/api/calculations', {
      method: 'POST',
      body,
      headers: { ...(await bearer()), ...headers },
    });

  it('of 10 MB are 413', async () => {
    expectRefused(await send(Buffer.alloc(10 * 1024 * 1024, ' ')), 413, 'PAYLOAD_TOO_LARGE', 'big');
  });

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    'of type %s are 415',
    async (type) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      expectRefused(
        await send(JSON.stringify(CALCULATION), headers),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        `${type}`,
      );
    },
  );

  it.each([
    'application/json',
    'application/json;charset=utf-8',
    'Application/JSON',
    'application/merge-patch+json',
  ])('of type %s are read', async (type) => {
    expect((await send(JSON.stringify(CALCULATION), { 'content-type': type })).status).toBe(201);
  });

  it.each<[string, string | Buffer]>([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['half of a JSON text', '{"peptideAmount":5'],
    ['NaN', '{"peptideAmount":NaN}'],
    ['a list', '[1,2,3]'],
    ['a number', '5'],
    ['null', 'null'],
    ['nested 100,000 deep', `{"notes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['nested 30 deep', `{"notes":${'{"a":'.repeat(30)}1${'}'.repeat(30)}}`],
    ['a prototype', '{"__proto__":{"role":"admin"},"constructor":1}'],
    ['an operator', '{"$where":"sleep(1000)","$gt":""}'],
    ['an unknown field', JSON.stringify({ ...CALCULATION, userid: 'x' })],
  ])('that are %s are 400', async (name, body) => {
    expectRefused(await send(body), 400, 'INVALID_INPUT', name);
  });
});

describe('origins', () => {
  const save = (headers: Record<string, string>, web = world) =>
    new WebClient(web.web.url).request('/api/calculations', {
      method: 'POST',
      body: JSON.stringify(CALCULATION),
      headers: { ...JSON_TYPE, ...headers },
    });

  it.each(['https://evil.example', 'null', 'https://app.example.org', 'http://localhost:1'])(
    '%s is foreign: 403, with a token too, reading too',
    async (origin) => {
      const headers = { ...(await bearer()), origin };
      expectRefused(await save(headers), 403, 'FOREIGN_ORIGIN', origin);
      expectRefused(await raw().get('/api/calculations', headers), 403, 'FOREIGN_ORIGIN', origin);
      const preflight = { origin, 'access-control-request-method': 'POST' };
      const asked = await raw().request('/api/calculations', { method: 'OPTIONS', headers: preflight });
      expectRefused(asked, 403, 'FOREIGN_ORIGIN', origin);
      const { message } = JSON.parse(asked.body) as { message: string };
      const named = `Origin ${origin} is not allowed. Add it to CORS_ORIGINS.`;
      expect(message).toBe(
        origin === 'null'
          ? 'This request did not come from this site. Open the page again and retry.'
          : named,
      );
      expect(asked.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('a user’s call to an administrator’s address is rejected with the reason', async () => {
    const answer = await raw().get('/api/admin/users', await bearer());
    expectRefused(answer, 403, 'FORBIDDEN', 'a user');
    expect(answer.body).toContain('Access denied. Admin privileges required.');
  });

  it('a bearer token needs no Origin', async () => {
    expect((await save(await bearer())).status).toBe(201);
  });

  it('the session cookie works only from this site', async () => {
    const browser = await world.web.user({ trial: true });
    const send = (headers: Record<string, string>) =>
      browser.request('/api/calculations', {
        method: 'POST',
        body: JSON.stringify(CALCULATION),
        headers: { ...JSON_TYPE, ...headers },
      });
    expect((await send({ origin: world.web.url })).status).toBe(201);
    expect((await send({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    expectRefused(await send({}), 403, 'FOREIGN_ORIGIN', 'cookie alone');
    expectRefused(await send({ 'sec-fetch-site': 'cross-site' }), 403, 'FOREIGN_ORIGIN', 'cross-site');
    expectRefused(await send(await bearer()), 403, 'FOREIGN_ORIGIN', 'cookie and bearer');
    expect((await browser.get('/api/calculations')).status).toBe(200);
    const out = await browser.request('/api/auth/logout', {
      method: 'POST',
      headers: { origin: world.web.url },
    });
    expect(out.status).toBe(200);
    expect(browser.cookies.has('vialbook_session')).toBe(false);
  });

  it('an allowed one may call with a bearer token, and its cookies are ignored', async () => {
    const origin = 'https://app.example.org';
    const person = await named.premium();
    const answer = await save(
      { authorization: `Bearer ${person.token}`, origin, 'sec-fetch-site': 'cross-site' },
      named,
    );
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([201, origin]);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const preflight = await new WebClient(named.web.url).request('/api/calculations', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
    const browser = await named.web.user({ trial: true });
    expect((await browser.get('/api/calculations', { origin })).status).toBe(401);
    expectRefused(await save({ origin: 'https://evil.example' }, named), 403, 'FOREIGN_ORIGIN', 'another');
    expect(
      (await browser.get('/calculator', { origin })).headers['access-control-allow-origin'],
    ).toBeUndefined();
  });
});

describe('the rate limit', () => {
  it('counts assistants’ calls together with other calls of the token', async () => {
    const token = await slow.tokenOf(await slow.free(), 'read');
    const ping = () => token.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' });
    const statuses: number[] = [];
    for (let round = 0; round < 12; round += 1)
      statuses.push((await token.get('/api/auth/me')).status, (await ping()).status);
    expect(statuses).toEqual(Array<number>(24).fill(200));
    expect((await token.get('/api/auth/me')).status).toBe(429);
    const refused = await ping();
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { jsonrpc: '2.0', error: { code: -32_000, data: { error: 'RATE_LIMITED' } } },
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('applies per token, and returns the time to wait', async () => {
    const [one, other] = [await slow.free(), await slow.free()];
    const statuses: number[] = [];
    for (let call = 0; call < 26; call += 1) statuses.push((await one.get('/api/auth/me')).status);
    expect(statuses).toEqual([...Array<number>(24).fill(200), 429, 429]);
    const refused = await one.get('/api/auth/me');
    expect(refused.body.error).toBe('RATE_LIMITED');
    // Every response says what is left, including rejections.
    const left = (answer: { headers: Headers }) => answer.headers.get('ratelimit') ?? '';
    expect(left(refused)).toMatch(/^"api";r=0;t=\d+$/);
    const fresh = await (await slow.free()).get('/api/auth/me');
    expect(left(fresh)).toMatch(/^"api";r=23;t=\d+$/);
    expect(fresh.headers.get('ratelimit-policy')).toBe('"api";q=24;w=60');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await other.get('/api/auth/me')).status).toBe(200);
    // Invalid tokens are counted by client address.
    const guess = { authorization: `Bearer ${'a'.repeat(43)}` };
    const guesses = new Set<number>();
    for (let call = 0; call < 26; call += 1) {
      const guessed = await slow.nobody().call('GET', '/api/auth/me', { headers: guess });
      guesses.add(guessed.status);
      expect(left(guessed)).toMatch(/^"api";r=\d+;t=\d+$/);
    }
    expect([...guesses]).toEqual([401, 429]);
  });
});

describe('a write with an Idempotency-Key', () => {
  it('runs once, and repeats its response', async () => {
    const person = await world.premium();
    const send = (body: object, key = 'monday') =>
      person.call('POST', '/api/calculations', { body, headers: { 'idempotency-key': key } });
    const first = await send(CALCULATION);
    const again = await send(CALCULATION);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await send({ ...CALCULATION, desiredDose: 1 });
    expect([other.status, other.body.error]).toEqual([409, 'KEY_REUSED']);
    expect((await person.get('/api/calculations')).body.data).toMatchObject({ total: 1 });
    for (const key of ['x'.repeat(201), '', ' ']) {
      const refused = await send(CALCULATION, key);
      expect([refused.status, refused.body.error], key).toEqual([400, 'INVALID_INPUT']);
    }
  });

  it('runs once if sent ten times at the same moment', async () => {
    const person = await world.premium();
    const headers = { 'idempotency-key': 'race' };
    const sent = Array.from({ length: 10 }, () =>
      person.call('POST', '/api/calculations', { body: CALCULATION, headers }),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => ![201, 409].includes(status))).toEqual([]);
    expect((await person.get('/api/calculations')).body.data).toMatchObject({ total: 1 });
  });

  it('can be sent again after a failure', async () => {
    const person = await world.premium();
    const headers = { 'idempotency-key': 'retry' };
    const wrong = await person.call('POST', '/api/billing/trial', { headers });
    expect(wrong.status).toBe(409);
    expect((await person.call('POST', '/api/calculations', { body: CALCULATION, headers })).status).toBe(201);
  });
});

describe('the page of the API', () => {
  it('shows every call without scripts', async () => {
    const { status, body } = await raw().get('/api/docs');
    expect(status).toBe(200);
    for (const { operationId, summary } of CALLS) {
      expect(body).toContain(`id="${operationId}"`);
      expect(body).toContain(summary);
    }
  });
});

it('a conflict has a specific code and a message that cannot be mistaken for success', async () => {
  const admin = await world.admin();
  const person = await world.premium();
  const { body } = await person.get('/api/auth/me');
  const at = `/api/admin/users/${(body.data?.['user'] as { id: string }).id}`;
  const refusal = async (sent: Promise<ApiAnswer>) => {
    const { status, body: told } = await sent;
    expect(told.success).toBe(false);
    return [status, told.error, told.message];
  };
  const plan = (subscription: string) =>
    admin.patch(`${at}/subscription`, { subscription, reason: 'a test' });
  const standing = (action: string) => admin.patch(`${at}/status`, { action, reason: 'a test' });

  const added = await person.post('/api/compounds', { name: 'BPC-157', concentration: 2.5, totalAmount: 5 });
  const { id } = added.body.data?.['compound'] as { id: string };
  const browser = world.web.visitor();
  await browser.post('/login', { email: person.email, password: PASSWORD });
  expect((await browser.post(`/dashboard/vials/${id}/discard`, { reason: 'broken' })).status).toBe(302);
  expect(await refusal(person.patch(`/api/compounds/${id}/remaining`, { remainingAmount: 4 }))).toEqual([
    409,
    'VIAL_DISCARDED',
    'This vial has been discarded. Its amount cannot be changed.',
  ]);

  expect((await plan('premium')).status).toBe(200);
  expect(await refusal(plan('premium'))).toEqual([409, 'ALREADY_GRANTED', expect.any(String)]);
  expect(await refusal(standing('reinstate'))).toEqual([409, 'NOT_SUSPENDED', expect.any(String)]);
  expect((await standing('suspend')).status).toBe(200);
  expect(await refusal(standing('suspend'))).toEqual([409, 'ALREADY_SUSPENDED', expect.any(String)]);
  expect(await refusal(plan('premium'))).toEqual([
    409,
    'ACCOUNT_SUSPENDED',
    `${person.email} is suspended. Reinstate the account first.`,
  ]);
});

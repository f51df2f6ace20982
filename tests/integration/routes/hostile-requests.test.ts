import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { expectSecurityHeaders, expectSound } from './answers.ts';
import { calculationForm, useWeb } from './web.ts';

/** Requests that no browser makes. Each is answered, and no answer is a 500. */
const web = useWeb();

const FORM = 'application/x-www-form-urlencoded';

/** What the server answers to bytes that need not be HTTP. */
function raw(host: string, port: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), host, () => socket.end(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('bodies', () => {
  it.each(['/login', '/dashboard/calculator', '/nowhere', '/login.data', '/logout'])(
    'of 10 MB get their 413 at %s, even from a sender that does not listen before the end',
    async (path) => {
      const body = Buffer.alloc(10 * 1024 * 1024, 'a');
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const answer = await web.visitor().send(path, body, FORM);
        expect(answer.status).toBe(413);
        expectSecurityHeaders(answer, path);
      }
    },
  );

  it('of unknown length are refused', async () => {
    const origin = web.url;
    const headers = { origin, 'content-type': FORM };
    const body = 'email=a&password=b';
    const answer = await web.visitor().request('/login', { method: 'POST', chunked: true, headers, body });
    expect(answer.status).toBe(411);
    expectSecurityHeaders(answer, 'chunked');
  });

  it('up to the limit are read', async () => {
    const padded = `email=a%40example.org&password=long-enough&rest=${'x'.repeat(1024 * 1024 - 100)}`;
    expect((await web.visitor().send('/login', padded, FORM)).status).toBe(400);
    expect((await web.visitor().send('/login', `${padded}${'x'.repeat(200)}`, FORM)).status).toBe(413);
  });
});

describe('methods', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'SEARCH'])(
    '%s is answered with 405 and the allowed methods',
    async (method) => {
      for (const path of ['/', '/login', '/logout', '/dashboard/calculator', '/favicon.ico', '/nowhere']) {
        const client = web.visitor();
        const answer = await client.request(path, { method, headers: { origin: web.url } });
        expect(answer.status, path).toBe(405);
        expect(answer.headers.allow, path).toBe('GET, HEAD, POST');
      }
    },
  );

  it('POST to a page without forms is 405', async () => {
    const client = await web.user();
    for (const path of ['/calculator', '/terms', '/privacy', '/dashboard']) {
      const answer = await client.post(path, { a: 'b' });
      expect([answer.status, answer.headers.allow], path).toEqual([405, 'GET, HEAD']);
      expectSound(answer, path);
    }
    for (const path of ['/healthz', '/dashboard/export/file', '/terms.data']) {
      const answer = await client.post(path, { a: 'b' });
      expect(answer.status, path).toBe(405);
      expectSound(answer, path);
    }
  });

  it('HEAD is GET without the body', async () => {
    for (const path of ['/', '/calculator?peptideAmount=x', '/favicon.ico', '/nowhere']) {
      const client = web.visitor();
      const [head, get] = [await client.request(path, { method: 'HEAD' }), await client.get(path)];
      expect(head.status, path).toBe(get.status);
      expect(head.headers['content-length'], path).toBe(get.headers['content-length']);
      expect(head.body, path).toBe('');
    }
  });
});

describe('addresses', () => {
  it.each([
    '/%',
    '/%zz',
    '/calculator/%',
    '/dashboard/%E0%A4%A',
    '/dashboard/calculations/%ff/delete',
    '/assets/%',
    '/%.data',
    '/%00',
    '/dashboard/calculations/a%00b/delete',
    '/login/%c0%af',
    '/calculator?_data=routes/calculator',
    '/login?_data=x',
  ])('%s cannot be read: 400', async (path) => {
    const answer = await web.visitor().get(path);
    expect(answer.status).toBe(400);
    expectSecurityHeaders(answer, path);
  });

  it.each([
    '/nowhere',
    '/dashboard%2fcalculator',
    '/assets/..%2f..%2fpackage.json',
    '/assets/../../package.json',
    '/..%5c..%5cpackage.json',
    '/%2e%2e/package.json',
    '//evil.example',
    '/\\evil.example',
    '/assets/no-such-file.js',
    '/.git/config',
    '/.env',
    '/data/data.db',
    '/session-secret',
    '/a'.repeat(400),
    `/${'long'.repeat(2000)}`,
  ])('%.60s does not exist: 404', async (path) => {
    const answer = await web.visitor().get(path);
    expect(answer.status).toBe(404);
    expect(answer.body).toContain('404 - Page Not Found');
    expectSound(answer, path);
  });

  it.each([
    ['/calculator?%', 200],
    ['/calculator?%zz=%zz', 200],
    ['/calculator?peptideAmount=%zz', 400],
    ['/calculator?peptideAmount=%00&waterVolume=%ff', 400],
    ['/calculator?peptideAmount=1&peptideAmount=2&waterVolume=1&desiredDose=1', 400],
    ['/calculator?peptideAmount[$ne]=1', 200],
    ['/calculator?__proto__[x]=1&constructor=1', 200],
    [`/calculator?peptideAmount=${'9'.repeat(7000)}&waterVolume=1&desiredDose=1`, 400],
    [`/calculator?peptideAmount=1&waterVolume=1&desiredDose=0.${'0'.repeat(3000)}1`, 400],
    ['/calculator?_routes=routes/nothing', 200],
    ['/calculator?index', 200],
    ['/login?redirectTo=%ff', 200],
    ['/?demo=%', 200],
  ])('%.60s is %i', async (path, status) => {
    const answer = await web.visitor().get(path);
    expectSound(answer, path);
    expect(answer.status).toBe(status);
  });

  it.each([
    'history=1&search=(a%2B)%2B%24',
    'history=1&search=%5B',
    `history=1&search=${'a'.repeat(6000)}`,
    'history=1&search=%00%ff',
    'history=1&search[$regex]=.*',
    'history=1&search=a&search=b',
    'history=1&sort=passwordHash',
    'history=1&sort[$ne]=date',
    'history=1&page=-1',
    'history=1&page=1e9',
    'history=1&page=99999999999999999999',
    'history=1&page=NaN&cursor=garbage',
    'history=1&cursor=eyJ4IjoxfQ',
    'history=1&cursor=W10',
    'history=1&cursor=bnVsbA',
    'history=1&cursor=%00',
    'history=1&limit=1000000',
  ])('a history asked for by %.60s still opens', async (query) => {
    const client = await web.user();
    await client.post('/dashboard/calculator', calculationForm({ peptideName: 'Kept', saveKey: 'one' }));
    const answer = await client.get(`/dashboard/calculator?${query}`);
    expectSound(answer, query);
    expect(answer.status).toBe(200);
  });

  it('for impossible calculation ids are 404', async () => {
    const client = await web.user();
    for (const id of [
      'x',
      'calc_1',
      '%00',
      '[object Object]',
      '$ne',
      '__proto__',
      'a'.repeat(3000),
      '%7B%22$ne%22:1%7D',
    ]) {
      const path = `/dashboard/calculations/${encodeURI(id)}/delete`;
      for (const answer of [await client.get(path), await client.post(path)]) {
        expect(answer.status, id).toBe(404);
        expectSound(answer, id);
      }
    }
  });
});

describe('headers', () => {
  const COOKIES = [
    'vialbook_session=garbage',
    'vialbook_session=%ff%zz',
    'vialbook_session=e30=',
    'vialbook_session=W10=; vialbook_session=again',
    'vialbook_session="',
    `vialbook_session=${'a'.repeat(7000)}`,
    'vialbook_session=eyIkbmUiOm51bGx9',
    'vialbook_flash=garbage',
    'vialbook_flash=%ff.%zz',
    'vialbook_flash=W3siaWQiOiIxIiwidHlwZSI6ImluZm8iLCJtZXNzYWdlIjoiZm9yZ2VkIn1d.c2lnbmVk',
    'vialbook_device=garbage; vialbook_flash',
    '__proto__=1; constructor=2; toString=3',
    ';;;=;=;',
    '\u0001\u0002',
  ];

  it('with forged cookies give no access and break nothing', async () => {
    for (const cookie of COOKIES) {
      const client = web.visitor();
      const page = await client
        .get('/calculator', { cookie: Buffer.from(cookie).toString('latin1') })
        .catch(() => null);
      if (page === null) continue;
      if (page.status !== 400) expect(page.status, cookie).toBe(200);
      expect(page.body, cookie).not.toContain('forged');
      expectSound(page, cookie);
    }
    for (const cookie of COOKIES.slice(0, -1)) {
      const answer = await web.visitor().get('/dashboard', { cookie });
      expect([answer.status, answer.location], cookie).toEqual([302, '/login?redirectTo=%2Fdashboard']);
      const signIn = { email: 'nobody@example.org', password: 'long-enough' };
      expect((await web.visitor().post('/login', signIn, { cookie })).status, cookie).toBe(400);
    }
  });

  it.each([
    'a b',
    '<script>',
    'evil.example/path',
    'user@evil.example',
    'evil.example:port',
    'localhost:70000',
    '[::1]:99999',
    "x'",
    '[::1',
  ])('with the host %s are refused', async (host) => {
    const answer = await web.visitor().get('/', { host });
    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain(host);
  });

  it('with another host never put it into a page', async () => {
    for (const path of ['/', '/login', '/dashboard']) {
      const answer = await web.visitor().get(path, { host: 'evil.example' });
      expect(`${answer.body}${answer.location}`, path).not.toContain('evil.example');
    }
  });

  it('with proxy headers are ignored', async () => {
    const forged = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const answer = await web.visitor().get('/dashboard', forged);
    expect([answer.status, answer.location]).toEqual([302, '/login?redirectTo=%2Fdashboard']);
  });

  it('for a whole address, as a proxy is asked, are refused', async () => {
    const { hostname, port } = new URL(web.url);
    for (const target of ['http://evil.example/', `${web.url}/login`, 'evil.example:80', '*']) {
      const answer = await raw(hostname, port, `GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
      expect(answer, target).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it('that are not HTTP are answered, and the server keeps running', async () => {
    const { hostname, port } = new URL(web.url);
    for (const bytes of [
      '\u0000\u0001\u0002\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/1.1\r\nHost\r\n\r\n',
    ]) {
      const answer = await raw(hostname, port, bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
    expect((await web.visitor().get('/healthz')).status).toBe(200);
  });
});

describe('clients that send slowly', () => {
  it('block nobody: with two hundred unfinished requests, others are answered', async () => {
    const { hostname, port } = new URL(web.url);
    const head = `POST /login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${web.url}\r\n`;
    const body = `${head}Content-Type: ${FORM}\r\nContent-Length: 1000\r\n\r\nemail=`;
    const begun = Array.from(
      { length: 200 },
      (_, index) =>
        new Promise<net.Socket>((resolve, reject) => {
          const socket = net.connect(Number(port), hostname, () => {
            socket.write(index % 2 === 0 ? head : body, () => resolve(socket));
          });
          socket.once('error', reject);
        }),
    );
    const sockets = await Promise.all(begun);
    try {
      const client = await web.user();
      for (let turn = 0; turn < 10; turn += 1) expect((await client.get('/dashboard')).status).toBe(200);
      expect(sockets.filter(({ closed, destroyed }) => closed || destroyed)).toEqual([]);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    expect((await web.visitor().get('/healthz')).status).toBe(200);
  });
});

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardedLookup, isPublicAddress } from '#app/integrations/public-address.server.ts';
import { createRemoteTexts } from '#app/integrations/remote-text.server.ts';

let server: http.Server;
let base: string;
let asked: string[];

beforeAll(async () => {
  asked = [];
  server = http.createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/ok') return response.end('name,price\n');
    if (path === '/big') return response.end(Buffer.alloc(1024 * 1024 + 1, 'a'));
    if (path === '/loop') return response.writeHead(302, { Location: '/loop' }).end();
    if (path === '/inside') return response.writeHead(302, { Location: 'http://10.0.0.1/' }).end();
    if (path === '/file') return response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
    if (path === '/once') return response.writeHead(302, { Location: '/ok' }).end();
    if (path === '/never') return response.write('a');
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const loopbackToo = { isAllowed: (address: string) => address === '127.0.0.1' || isPublicAddress(address) };
const message = (read: Promise<string>) =>
  read.then(
    () => 'no error',
    (error: { message: string; code: string }) => `${error.code}: ${error.message}`,
  );

describe('1.3.6 calls to public addresses only', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'not an address',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  it('reject loopback as an address, as a name and in other spellings, without calling it', async () => {
    const { port } = server.address() as AddressInfo;
    const before = asked.length;
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]']) {
      expect(await message(createRemoteTexts().read('an-account', `http://${host}:${port}/ok`))).toContain(
        'INVALID_INPUT',
      );
    }
    expect(asked.length).toBe(before);
  });
});

describe('a host name that changes its address (DNS rebinding)', () => {
  // This machine answers at both: one represents the public internet, the other our own network.
  const [PUBLIC, INSIDE] = ['127.0.0.2', '127.0.0.1'];

  it('is called only at the checked address, never inside our network', async () => {
    const { port } = server.address() as AddressInfo;
    const reached: string[] = [];
    const outside = http.createServer((_request, response) => {
      reached.push(PUBLIC);
      response.end('public');
    });
    await new Promise<void>((resolve) => outside.listen(port, PUBLIC, resolve));
    const answers = [[PUBLIC], [INSIDE], [PUBLIC, INSIDE], [INSIDE, PUBLIC], []];
    const lookup = guardedLookup(
      'an-account',
      (address) => address === PUBLIC,
      (_name, _options, done) =>
        done(
          null,
          (answers.shift() ?? []).map((address) => ({ address, family: 4 })),
        ),
    );
    const before = asked.length;
    const call = () =>
      new Promise<string>((resolve) => {
        const request = http.get({ host: 'rebinds.example', port, path: '/ok', lookup, agent: false });
        request.on('response', (response) => resolve(String(response.resume().statusCode)));
        request.on('error', (error) => resolve(error.name));
      });
    const outcomes = [];
    for (let count = answers.length; count > 0; count -= 1) outcomes.push(await call());
    outside.close();
    expect(outcomes).toEqual(['200', ...Array<string>(4).fill('PrivateAddressError')]);
    expect([reached, asked.length]).toEqual([[PUBLIC], before]);
  });
});

describe('a text fetched from the web', () => {
  it('is read, also behind a redirect', async () => {
    expect(await createRemoteTexts(loopbackToo).read('an-account', `${base}/ok`)).toBe('name,price\n');
    expect(await createRemoteTexts(loopbackToo).read('an-account', `${base}/once`)).toBe('name,price\n');
  });

  it.each([
    ['/inside', 'could not be read'],
    ['/file', 'must begin with https://'],
    ['/loop', 'redirects too many times'],
    ['/big', 'larger than 1 MB'],
    ['/nothing', 'status 404'],
  ])('%s is refused', async (path, reason) => {
    expect(await message(createRemoteTexts(loopbackToo).read('an-account', base + path))).toContain(reason);
  });

  it('times out on a response that never ends', async () => {
    const texts = createRemoteTexts({ ...loopbackToo, timeLimitMs: 150 });
    expect(await message(texts.read('an-account', `${base}/never`))).toContain('took too long');
  });

  it.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://a:b@example.org/',
    'x',
  ])('%s is not a web address', async (url) =>
    expect(await message(createRemoteTexts().read('an-account', url))).toContain('must begin with'),
  );
});

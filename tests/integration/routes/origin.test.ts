import { describe, expect, it } from 'vitest';
import { combinations, sized } from '#tests/support/size.ts';
import { addressOf, CALLS } from '../api/document.ts';
import { ACCESS } from './access-table.ts';
import { expectSecurityHeaders } from './answers.ts';
import { readKept } from './stored.ts';
import { encodeForm, type WebClient } from './web-client.ts';
import { calculationForm, registerForm, useOwnWeb } from './web.ts';

const web = useOwnWeb();

const FORM = 'application/x-www-form-urlencoded';

/** Every address that takes forms; what comes signed proves itself otherwise. */
const PAGES = Object.values(ACCESS)
  .flat()
  .filter(({ at, sent }) => sent && at !== '/webhooks/stripe')
  .map(({ at }) => at);

/** The same as data. */
const DATA = PAGES.map((at) => {
  const [path = '', query] = at.split('?');
  return `${path === '/' ? '/_root' : path}.data${query ? `?${query}` : ''}`;
});

/** Every call of the API that changes something; the browser sends its cookie there, too. */
const WRITES = CALLS.filter(({ method }) => method !== 'GET');

const post = (client: WebClient, path: string, headers: Record<string, string>, body = '') =>
  client.request(path, { method: 'POST', body, headers: { 'content-type': FORM, ...headers } });

/** What a browser, or something that wants to be taken for one, says of a write that did not begin on this site. */
describe('a form from another site', () => {
  const FOREIGN: [string, () => Record<string, string>][] = [
    ['another site', () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })],
    ['nowhere', () => ({ origin: 'null' })],
    ['a sandbox that says it is this site', () => ({ origin: 'null', 'sec-fetch-site': 'same-origin' })],
    ['another port', () => ({ origin: 'http://localhost:1' })],
    ['another scheme', () => ({ origin: web.url.replace('http:', 'https:') })],
    ['a host that begins like ours', () => ({ origin: `${web.url}.evil.example` })],
    ['a sister site', () => ({ 'sec-fetch-site': 'same-site' })],
    ['another site without an Origin', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a typed address', () => ({ 'sec-fetch-site': 'none' })],
    ['something that says nothing', () => ({})],
    ['another site, with ours as referrer', () => ({ origin: 'https://evil.example', referer: web.url })],
    ['a part of this site’s name', () => ({ origin: web.url.replace('localhost', 'app.localhost') })],
    ['a name before an @', () => ({ origin: `${web.url}@evil.example` })],
    ['two origins, ours first', () => ({ origin: `${web.url}, https://evil.example` })],
    [
      'another site through a made-up proxy',
      () => ({
        origin: 'https://evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      }),
    ],
  ];

  /** Every address gets what comes from another site, and one of the other forgeries in turn. */
  const SENT = combinations([...PAGES, ...DATA], FOREIGN);
  const CALLED = combinations(WRITES, FOREIGN);

  it.each(FOREIGN)('sent by %s is 403 and changes nothing', async (name, headers) => {
    const client = await web.registered();
    const paths = SENT.flatMap(([path, [by]]) => (by === name ? [path] : []));
    const calls = CALLED.flatMap(([call, [by]]) => (by === name ? [call] : []));
    expect(Math.min(paths.length, calls.length)).toBeGreaterThan(0);
    const before = await readKept(web.dataDir);
    for (const path of paths) {
      const answer = await post(client, path, headers(), encodeForm(calculationForm()));
      expect(answer.status, path).toBe(403);
      expect(answer.setCookies, path).toEqual([]);
      expectSecurityHeaders(answer, path);
    }
    for (const call of calls) {
      const headersOfCall = { 'content-type': 'application/json', ...headers() };
      const request = { method: call.method, body: '{}', headers: headersOfCall };
      const answer = await client.request(addressOf(call), request);
      expect(answer.status, call.operationId).toBe(403);
      expect(answer.setCookies, call.operationId).toEqual([]);
    }
    for (const [path, fields] of [
      ['/register', registerForm('forged@example.org')],
      ['/?index', { email: 'forged@example.org' }],
    ] as const)
      expect((await post(web.visitor(), path, headers(), encodeForm(fields))).status, path).toBe(403);
    expect(await readKept(web.dataDir)).toEqual(before);
    expect((await client.get('/dashboard')).status).toBe(200);
  });
});

describe('a form from this site', () => {
  it.each<[string, () => Record<string, string>]>([
    ['by its Origin', () => ({ origin: web.url })],
    ['by Sec-Fetch-Site', () => ({ 'sec-fetch-site': 'same-origin' })],
    [
      'by its Origin under the other name of this machine',
      () => ({
        origin: web.url.replace('localhost', '127.0.0.1'),
        host: new URL(web.url).host.replace('localhost', '127.0.0.1'),
      }),
    ],
  ])('is known %s', async (_, headers) => {
    const client = await web.user();
    const answer = await post(client, '/dashboard/calculator', headers(), encodeForm(calculationForm()));
    expect(answer.status).toBe(302);
  });
});

it('opening an address changes nothing', async () => {
  const client = await web.user();
  await client.post('/dashboard/calculator', calculationForm());
  const { body } = await client.get('/dashboard/calculator?history=1');
  const deletion = body.match(/\/dashboard\/calculations\/[^/]+\/delete/)?.[0] ?? '';
  const save = `/dashboard/calculator?${encodeForm(calculationForm({ saveKey: 'by-get' }))}`;
  const before = await readKept(web.dataDir);
  const rows = Object.values(ACCESS).flat();
  const telling = ['/logout', '/logout.data', deletion, save, '/upgrade?plan=trial'];
  for (const [index, path] of [...telling, ...rows.map(({ at }) => at)].entries()) {
    const answer = await client.get(path);
    expect(answer.status, path).toBeLessThan(500);
    // HEAD is answered by the same code as GET: asking the telling addresses and some of the others is enough.
    if (index >= telling.length && index % sized(8, 1) > 0) continue;
    expect((await client.request(path, { method: 'HEAD' })).status, path).toBe(answer.status);
  }
  expect(client.cookies.has('vialbook_session')).toBe(true);
  expect((await client.get('/dashboard')).status).toBe(200);
  expect(await readKept(web.dataDir)).toEqual(before);
});

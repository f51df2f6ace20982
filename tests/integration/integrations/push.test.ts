import { createPublicKey, verify } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { isPublicAddress } from '#app/integrations/public-address.server.ts';
import { createPushSender, makeVapidKeys, type PushMessage } from '#app/integrations/push.server.ts';
import { freePort } from '#tests/support/server.ts';
import { LOOPBACK_RULE, newBrowser, startPushHost, type PushHost } from '#tests/support/push-host.ts';

const MESSAGE: PushMessage = {
  account: 'an-account',
  payload: JSON.stringify({ title: 'Dose due', body: 'BPC-157, 250 mcg – now' }),
  topic: 'topic-of-a-dose',
  ttlSeconds: 600,
  urgency: 'high',
};
const SUBJECT = 'mailto:operator@example.org';
const keys = await makeVapidKeys();
const sender = createPushSender({ keys: () => Promise.resolve(keys), subject: SUBJECT, rule: LOOPBACK_RULE });
const strict = createPushSender({ keys: () => Promise.resolve(keys), subject: SUBJECT });

let host: PushHost | undefined;
afterEach(async () => {
  await host?.close();
  host = undefined;
});

/** Verifies a VAPID header as a push service does. @returns its claims */
function claimsOf(authorization = '') {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Record<string, unknown>;
  return { isSigned, key, claims };
}

describe('a push', () => {
  it('reaches its browser, and only that can read it', async () => {
    host = await startPushHost();
    const [browser, other] = [newBrowser(), newBrowser()];
    const endpoint = host.endpoint('one');
    expect(await sender.send(browser.target(endpoint), MESSAGE)).toEqual({ kind: 'sent' });
    const [message] = host.received;
    expect(message?.headers).toMatchObject({
      ttl: '600',
      topic: 'topic-of-a-dose',
      urgency: 'high',
      'content-encoding': 'aes128gcm',
    });
    const body = message?.body ?? Buffer.alloc(0);
    expect(browser.decrypt(body)).toBe(MESSAGE.payload);
    expect(() => other.decrypt(body)).toThrow();
    expect(body.toString('latin1')).not.toContain('BPC');
  });

  it('is signed by this server for this service, for at most half a day', async () => {
    host = await startPushHost();
    await sender.send(newBrowser().target(host.endpoint('one')), MESSAGE);
    const { isSigned, key, claims } = claimsOf(host.received[0]?.headers.authorization);
    expect(isSigned).toBe(true);
    expect(key).toBe(await sender.publicKey());
    expect(claims).toMatchObject({ aud: new URL(host.endpoint('')).origin, sub: SUBJECT });
    expect(Number(claims['exp']) - Date.now() / 1000).toBeLessThanOrEqual(24 * 3600);
  });

  it.each([
    [200, { kind: 'sent' }],
    [404, { kind: 'gone' }],
    [410, { kind: 'gone' }],
    [429, { kind: 'later', afterMs: 90_000, reason: 'the push service answered 429' }],
    [503, { kind: 'later', afterMs: 90_000, reason: 'the push service answered 503' }],
    [302, { kind: 'refused', reason: 'the push service answered 302' }],
    [403, { kind: 'refused', reason: 'the push service answered 403' }],
  ])('answered %i', async (status, outcome) => {
    const headers = { 'Retry-After': '90', Location: 'http://127.0.0.1:1/' };
    host = await startPushHost(() => ({ status, headers }));
    expect(await sender.send(newBrowser().target(host.endpoint('one')), MESSAGE)).toEqual(outcome);
    expect(host.received).toHaveLength(1);
  });

  it('is retried later if nobody answers, and rejected for invalid keys', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}/x`;
    const outcome = await sender.send(newBrowser().target(endpoint), MESSAGE);
    expect(outcome).toEqual({
      kind: 'later',
      afterMs: null,
      reason: 'the push service could not be reached (ECONNREFUSED)',
    });
    const broken = { ...newBrowser().target(endpoint), p256dh: 'AAAA' };
    expect(await sender.send(broken, MESSAGE)).toMatchObject({ kind: 'refused' });
  });

  it('does not wait for a service that never ends its response', async () => {
    host = await startPushHost(() => ({ status: 201 }));
    const mute = await import('node:net').then(({ createServer }) => createServer(() => undefined));
    const port = await freePort();
    mute.listen(port, '127.0.0.1');
    const hasty = createPushSender({
      keys: () => Promise.resolve(keys),
      subject: SUBJECT,
      rule: LOOPBACK_RULE,
      timeoutMs: 50,
    });
    const outcome = await hasty.send(newBrowser().target(`http://127.0.0.1:${port}/x`), MESSAGE);
    mute.close();
    expect(outcome).toMatchObject({ kind: 'later' });
  });
});

describe('an endpoint inside our own network', () => {
  it.each([
    'http://updates.push.example/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://0x7f.1/x',
    'https://2130706433/x',
    'https://10.0.0.8:8443/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/x',
    'https://[fd00::1]/x',
    'https://localhost/x',
    'https://user:secret@example.org/x',
    'ftp://example.org/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'not an address',
    `https://example.org/${'x'.repeat(3000)}`,
  ])('%s is neither accepted nor called', async (endpoint) => {
    expect(await strict.accepts('an-account', endpoint)).toBe(false);
    expect(await strict.send(newBrowser().target(endpoint), MESSAGE)).toMatchObject({ kind: 'refused' });
  });

  it('is recognised by its address', () => {
    const inside = ['0.0.0.0', '100.64.1.1', '172.31.255.255', '192.168.1.1', '224.0.0.1', '255.255.255.255'];
    const insideV6 = [
      '::',
      '::1',
      'fe80::1',
      'ff02::1',
      '64:ff9b::a00:1',
      '2002:7f00:1::',
      '2001:db8::1',
      '2001::1',
    ];
    for (const address of [...inside, ...insideV6, '', 'example.org'])
      expect(isPublicAddress(address)).toBe(false);
    for (const address of ['1.1.1.1', '172.32.0.1', '198.20.0.1', '2606:4700:4700::1111'])
      expect(isPublicAddress(address)).toBe(true);
  });

  it('a name that resolves to it is detected when the connection is made', async () => {
    // `localhost` counts as a name until it is resolved.
    expect(await strict.send(newBrowser().target('https://localhost:1/x'), MESSAGE)).toEqual({
      kind: 'refused',
      reason: 'the endpoint is not on the public internet',
    });
  });
});

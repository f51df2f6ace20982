import { describe, expect, it } from 'vitest';
import type { ApiClient } from './client.ts';
import { addressOf, CALLS, resolved, type DocumentedCall } from './document.ts';
import { SAMPLES } from './samples/index.ts';
import { useApi } from './world.ts';

/** What decisions 17 promise of every list and of every write, whichever it is. */
const world = useApi();

const people = new Map<string, Promise<ApiClient>>();

function person(call: DocumentedCall): Promise<ApiClient> {
  if (call.operationId === 'startTrial') return world.free();
  const kind = call['x-access'] === 'admin' ? 'admin' : 'premium';
  if (SAMPLES[call.operationId]?.altersOwner) return world[kind]();
  const found = people.get(kind) ?? world[kind]();
  people.set(kind, found);
  return found;
}

type Parameter = { name: string; in: string; schema: { default?: number } };
const parametersOf = (call: DocumentedCall) => resolved(call.parameters) as Parameter[];

/** What a repetition answers in place of the first answer: that held a secret, or the token that came is dead. */
const ANSWERED_ONCE: Readonly<Record<string, number>> = {
  createApiToken: 409,
  createPortalSession: 409,
  logout: 401,
  refresh: 401,
};

const lists = CALLS.filter(({ responses }) => '304' in responses);
const writes = CALLS.filter((call) => parametersOf(call).some(({ name }) => name === 'Idempotency-Key'));

describe.each(lists.map((call) => [call.operationId, call] as const))('the list %s', (_, call) => {
  it('says when nothing has changed, and begins with its first page', async () => {
    const client = await person(call);
    const first = await client.get(call.path);
    expect(first.status, first.text.slice(0, 200)).toBe(200);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^(W\/)?".+"$/);
    const again = await client.call('GET', call.path, { headers: { 'if-none-match': tag } });
    // The trail of an administrator grows by being read.
    if (call.operationId !== 'auditLog') expect([again.status, again.text]).toEqual([304, '']);
    const other = await client.call('GET', call.path, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
    if (!parametersOf(call).some(({ name }) => name === 'page')) return;
    const limit = call.operationId === 'auditLog' ? 50 : 20;
    expect(first.body.data).toMatchObject({ page: 1, limit, total: expect.any(Number) as number });
  });
});

describe.each(writes.map((call) => [call.operationId, call] as const))('the write %s', (_, call) => {
  it('happens once for an Idempotency-Key', async () => {
    const client = await person(call);
    const { params, ...request } = (await SAMPLES[call.operationId]?.given?.(client, world)) ?? {};
    const headers = { 'idempotency-key': `once-${call.operationId}` };
    const send = () => client.call(call.method, addressOf(call, params), { ...request, headers });
    const first = await send();
    expect(first.status, first.text.slice(0, 300)).toBeLessThan(300);
    const again = await send();
    const once = ANSWERED_ONCE[call.operationId];
    if (once !== undefined) return expect(again.status, again.text).toBe(once);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    return expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

it('is promised by every call that changes something of an account', () => {
  const without = CALLS.filter(({ method }) => method !== 'GET').filter((call) => !writes.includes(call));
  expect(without.map(({ operationId }) => operationId).toSorted()).toEqual([
    'login',
    'previewSchedule',
    'register',
  ]);
});

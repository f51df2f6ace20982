import { describe, expect, it } from 'vitest';
import { sized } from '#tests/support/size.ts';
import type { ApiAnswer, ApiClient } from './client.ts';
import { addressOf, CALLS, resolved, type DocumentedCall } from './document.ts';
import { SAMPLES } from './samples/index.ts';
import { useApi } from './world.ts';

/** What every list and every write must do. */
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

/** Calls whose repetition can't repeat the response: it contained a secret, or the token has ended. */
const ANSWERED_ONCE: Readonly<Record<string, number>> = {
  createApiToken: 409,
  createPortalSession: 409,
  createWebhook: 409,
  rotateWebhookSecret: 409,
  setCalendarFeed: 409,
  logout: 401,
  refresh: 401,
};

const reads = CALLS.filter(({ responses }) => '304' in responses);
const lists = reads.filter((call) => parametersOf(call).some(({ name }) => name === 'page'));

/** Their answer is another each time: reading the audit trail adds an entry, and the server's health is measured. */
const NEVER_THE_SAME = ['auditLog', 'adminHealth'];
const writes = CALLS.filter((call) => parametersOf(call).some(({ name }) => name === 'Idempotency-Key'));

describe.each(reads.map((call) => [call.operationId, call] as const))('the read %s', (_, call) => {
  it('returns 304 if nothing has changed', async () => {
    const client = await person(call);
    const { params } = (await SAMPLES[call.operationId]?.prepare?.(client, world)) ?? {};
    const address = addressOf(call, params);
    const first = await client.get(address);
    expect(first.status, first.text.slice(0, 200)).toBe(200);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^(W\/)?".+"$/);
    const again = await client.call('GET', address, { headers: { 'if-none-match': tag } });
    if (!NEVER_THE_SAME.includes(call.operationId)) expect([again.status, again.text]).toEqual([304, '']);
    const other = await client.call('GET', address, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
  });
});

describe.each(lists.map((call) => [call.operationId, call] as const))('the list %s', (_, call) => {
  it('starts with its first page, and ends', async () => {
    const client = await person(call);
    const { params } = (await SAMPLES[call.operationId]?.prepare?.(client, world)) ?? {};
    const address = addressOf(call, params);
    const first = await client.get(address);
    const limit = parametersOf(call).find(({ name }) => name === 'limit')?.schema.default;
    expect(limit).toBeGreaterThan(0);
    expect(first.body.data).toMatchObject({ page: 1, limit, total: expect.any(Number) as number });
    const entries = (answer: ApiAnswer) =>
      Object.values(answer.body.data ?? {}).find((value) => Array.isArray(value)) as unknown[];
    const end = await client.get(address, { page: '9999' });
    expect([end.status, entries(end)], end.text.slice(0, 200)).toEqual([200, []]);
    const one = await client.get(address, { limit: '1' });
    expect(entries(one).length).toBe(Math.min(1, one.body.data?.['total'] as number));
  });
});

describe.each(writes.map((call) => [call.operationId, call] as const))('the write %s', (_, call) => {
  it('runs once per Idempotency-Key', async () => {
    const client = await person(call);
    const { params, ...request } = (await SAMPLES[call.operationId]?.prepare?.(client, world)) ?? {};
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

const puts = CALLS.filter(
  ({ method, path }) => method === 'PUT' && CALLS.some((call) => call.method === 'GET' && call.path === path),
);

describe.each(puts.map((call) => [call.operationId, call] as const))('what is read, %s', (_, call) => {
  it('can be sent back as a whole, but not with fields that cannot change', async () => {
    const client = await person(call);
    const { params } = (await SAMPLES[call.operationId]?.prepare?.(client, world)) ?? {};
    const address = addressOf(call, params);
    const read = (await client.get(address)).body.data ?? {};
    const [name = '', thing] = Object.entries(read)[0] ?? [];
    // The GET returns a list, of which the PUT sets one entry by name.
    if (Array.isArray(thing) || call.operationId === 'chooseInjectionSites') return;
    const changed = await client.put(address, thing);
    expect(changed.status, changed.text.slice(0, 300)).toBe(200);
    const volatile = { updatedAt: undefined };
    expect({ ...(changed.body.data?.[name] as object), ...volatile }).toEqual({
      ...(thing as object),
      ...volatile,
    });
    if (!Object.hasOwn(thing as object, 'id')) return;
    const other = await client.put(address, { ...(thing as object), id: 'another' });
    expect([other.status, other.body.fields]).toEqual([400, { id: ['This cannot be changed here'] }]);
  });
});

it('the resources with PUT are all that have their own address', () => {
  const without = CALLS.filter(({ method }) => method === 'PUT').filter((call) => !puts.includes(call));
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

const DOSES = sized(2100, 20_000);

it(`${DOSES} doses can be listed to the last, using only page numbers`, async () => {
  const client = await world.premium();
  const first = Date.parse('2019-01-01T08:00:00Z');
  const lines = Array.from(
    { length: DOSES },
    (_, index) => `${new Date(first + index * 3_600_000).toISOString()},BPC-157,250,mcg`,
  );
  const body = ['takenAt,name,amount,unit', ...lines].join('\n');
  const made = await client.call('POST', '/api/import', { body, headers: { 'content-type': 'text/csv' } });
  expect(made.status, made.text.slice(0, 300)).toBe(201);
  const ask = async (page: number) =>
    (await client.get('/api/schedules/doses', { startDate: '2019-01-01', page: String(page) })).body.data as {
      doses: { takenAt: string }[];
      total: number;
    };
  expect((await ask(1)).total).toBe(DOSES);
  const { doses } = await ask(DOSES / 100);
  expect([doses.length, doses.at(-1)?.takenAt]).toEqual([
    100,
    new Date(first + (DOSES - 1) * 3_600_000).toISOString(),
  ]);
  // All of them are new, more than are sorted by themselves; of what is changed later there is little.
  const changed = async (updatedSince: string) =>
    (await client.get('/api/schedules/doses', { updatedSince })).body.data as {
      doses: { takenAt: string; updatedAt: string }[];
      total: number;
    };
  const all = await changed('2020-01-01T00:00:00Z');
  expect([all.total, all.doses[0]?.takenAt]).toEqual([DOSES, new Date(first).toISOString()]);
  const last = doses.at(-1) as unknown as { updatedAt: string };
  const late = { name: 'BPC-157', actualDose: 250, doseUnit: 'mcg', takenAt: '2018-06-01T08:00:00Z' };
  expect((await client.post('/api/schedules/doses', { ...late, confirm: true })).status).toBe(201);
  const later = await changed(new Date(Date.parse(last.updatedAt) + 1).toISOString());
  expect([later.total, later.doses[0]?.takenAt]).toEqual([1, '2018-06-01T08:00:00.000Z']);
});

it('every call that changes an account supports Idempotency-Key', () => {
  const without = CALLS.filter(({ method }) => method !== 'GET').filter((call) => !writes.includes(call));
  expect(without.map(({ operationId }) => operationId).toSorted()).toEqual([
    'calculate',
    'findLadder',
    'login',
    'previewSchedule',
    'register',
  ]);
});

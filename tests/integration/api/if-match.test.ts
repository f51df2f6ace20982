import { describe, expect, it } from 'vitest';
import { sized } from '#tests/support/size.ts';
import type { ApiAnswer, ApiClient } from './client.ts';
import { addressOf, CALLS, faultsOf, type DocumentedCall } from './document.ts';
import { SAMPLES } from './samples/index.ts';
import { useApi } from './world.ts';

/** Changes that are meant for one version of a record. */
const world = useApi();

const changes = CALLS.filter(
  ({ method, 'x-access': access }) => ['PUT', 'PATCH', 'DELETE'].includes(method) && access !== 'public',
);

/** Changes of what is only listed: the refusal has its tag, and the record as the list shows it. */
const LISTED: Readonly<Record<string, string>> = {
  changeUserStatus: 'user',
  changeUserSubscription: 'user',
  readReminder: 'reminder',
  revokeApiToken: 'apiToken',
  setCeiling: 'ceiling',
};

const people = new Map<string, Promise<ApiClient>>();

function person(call: DocumentedCall): Promise<ApiClient> {
  const kind = call['x-access'] === 'admin' ? 'admin' : 'premium';
  if (SAMPLES[call.operationId]?.altersOwner) return world[kind]();
  const found = people.get(kind) ?? world[kind]();
  people.set(kind, found);
  return found;
}

/** The address of the record that a call changes, as in the document. */
function recordOf(call: DocumentedCall): DocumentedCall | undefined {
  const parts = call.path.split('/');
  for (let length = parts.length; length > 2; length -= 1) {
    const path = parts.slice(0, length).join('/');
    if (length < parts.length && !path.includes('{')) return undefined;
    const get = CALLS.find(
      (other) => other.method === 'GET' && other.path === path && '304' in other.responses,
    );
    if (get !== undefined && !JSON.stringify(get.parameters).includes('/Page"')) return get;
  }
  return undefined;
}

const OTHER = '"00000000000000000000000000000000"';

const tagOf = (answer: ApiAnswer) => answer.headers.get('etag') ?? '';

describe.each(changes.map((call) => [call.operationId, call] as const))('the change %s', (id, call) => {
  it('is refused for another version, with the current one, and made for this one', async () => {
    const client = await person(call);
    const { params, ...request } = (await SAMPLES[id]?.prepare?.(client, world)) ?? {};
    const send = (tag: string) =>
      client.call(call.method, addressOf(call, params), {
        ...request,
        headers: { ...request.headers, 'if-match': tag },
      });
    const reader = recordOf(call);
    expect(reader === undefined, id).toBe(Object.hasOwn(LISTED, id));
    if (reader === undefined) {
      const refused = await send(OTHER);
      expect([refused.status, refused.body.error]).toEqual([412, 'PRECONDITION_FAILED']);
      expect(faultsOf(call, 412, refused.body)).toEqual([]);
      const { current = {} } = refused.body as { current?: Record<string, unknown> };
      expect(Object.keys(current)).toEqual([LISTED[id]]);
      expect(tagOf(refused)).toMatch(/^"[0-9a-f]{32}"$/);
      expect(tagOf(await send(OTHER))).toBe(tagOf(refused));
      const done = await send(tagOf(refused));
      expect(done.status, done.text.slice(0, 300)).toBe(200);
      // It is another now, so the old tag is refused.
      expect((await send(tagOf(refused))).status).toBe(id === 'revokeApiToken' ? 404 : 412);
      return;
    }
    const address = addressOf(reader, params);
    const before = await client.get(address);
    expect(tagOf(before), before.text).toMatch(/^"[0-9a-f]{32}(-gzip|-br)?"$/);
    const plain = tagOf(before).replace(/-gzip|-br/, '');
    for (const tag of [OTHER, `W/${tagOf(before)}`, `W/${tagOf(before)}, ${OTHER}`]) {
      const refused = await send(tag);
      expect([refused.status, refused.body.error], tag).toEqual([412, 'PRECONDITION_FAILED']);
      expect(faultsOf(call, 412, refused.body)).toEqual([]);
      expect((refused.body as { current?: object }).current).toEqual(before.body.data);
      expect(tagOf(refused)).toBe(plain);
    }
    expect((await client.get(address)).text).toBe(before.text);
    const done = await send(`${OTHER}, ${tagOf(before)}`);
    expect(done.status, done.text.slice(0, 300)).toBe(200);
  });
});

describe('If-Match', () => {
  const nutrition = async (client: ApiClient, date = '2026-01-01') => {
    const { body } = await client.post('/api/nutrition', { date, calories: 2000 });
    return `/api/nutrition/${(body.data?.['nutrition'] as { id: string }).id}`;
  };
  const put = (client: ApiClient, address: string, tag: string, body: object) =>
    client.call('PUT', address, { body, headers: { 'if-match': tag } });

  it('of * needs a record', async () => {
    const client = await world.premium();
    const address = await nutrition(client);
    expect((await put(client, address, '*', { water: 1 })).status).toBe(200);
    expect((await put(client, '/api/nutrition/none', '*', { water: 1 })).status).toBe(404);
    // Nothing is set yet, which is no record.
    const unset = await client.call('DELETE', '/api/profile/ntfy', { headers: { 'if-match': '*' } });
    expect([unset.status, unset.body.error]).toEqual([412, 'PRECONDITION_FAILED']);
  });

  it('of a ceiling is compared with that of the named compound', async () => {
    const client = await world.premium();
    const set = (body: object, tag: string) =>
      put(client, '/api/ceilings', tag, { name: 'BPC-157', ...body });
    // There is none yet.
    const unset = await set({ perDose: 5 }, '*');
    expect([unset.status, (unset.body as { current?: object }).current]).toEqual([412, { ceiling: null }]);
    expect((await set({ perDose: 5 }, tagOf(unset))).status).toBe(200);
    expect((await set({ perDose: 6 }, tagOf(unset))).status).toBe(412);
    const refused = await put(client, '/api/ceilings', OTHER, { name: ' bpc-157', perDose: 6 });
    expect((refused.body as { current?: object }).current).toMatchObject({
      ceiling: { name: 'BPC-157', perDose: 5 },
    });
    expect((await set({ perDose: 6 }, '*')).status).toBe(200);
    const nameless = await put(client, '/api/ceilings', OTHER, { perDose: 6 });
    expect([nameless.status, nameless.body.error]).toEqual([400, 'INVALID_INPUT']);
  });

  it.each(['', 'abc', '"a" "b"', '"a", b', '*, "a"', 'W/', '"a', ','])('of %j is 400', async (tag) => {
    const client = await (people.get('premium') ?? world.premium());
    const address = await nutrition(client, '2026-01-02');
    const { status, body } = await put(client, address, tag, { water: 1 });
    expect([status, body.error]).toEqual([400, 'INVALID_INPUT']);
    expect(body.message).toContain('If-Match must be');
  });

  it('takes the tag of a compressed response', async () => {
    const client = await world.premium();
    const address = await nutrition(client);
    await client.put(address, { notes: 'n'.repeat(2000) });
    const plain = await client.call('GET', address, { headers: { 'accept-encoding': 'identity' } });
    const packed = await client.call('GET', address, { headers: { 'accept-encoding': 'gzip' } });
    expect(tagOf(packed)).toBe(tagOf(plain).replace(/"$/, '-gzip"'));
    const known = await client.call('GET', address, { headers: { 'if-none-match': tagOf(packed) } });
    expect(known.status).toBe(304);
    expect((await put(client, address, tagOf(packed), { water: 2 })).status).toBe(200);
    expect((await put(client, address, tagOf(packed), { water: 3 })).status).toBe(412);
  });

  it('leaves the Idempotency-Key of a refused change unused', async () => {
    const client = await world.premium();
    const address = await nutrition(client);
    const send = (tag: string) =>
      client.call('PUT', address, {
        body: { water: 9 },
        headers: { 'if-match': tag, 'idempotency-key': 'water' },
      });
    expect((await send(OTHER)).status).toBe(412);
    expect((await send(tagOf(await client.get(address)))).status).toBe(200);
  });

  const RIVALS = sized(6, 24);

  it('lets one of several changes of the same version through', async () => {
    const client = await world.premium();
    const address = await nutrition(client);
    for (const round of [1, 2, 3]) {
      const tag = tagOf(await client.get(address));
      const sent = Array.from({ length: RIVALS }, (_, index) => ({ water: round * 1000 + index }));
      const answers = await Promise.all(sent.map((body) => put(client, address, tag, body)));
      const won = answers.filter(({ status }) => status === 200);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([
        200,
        ...Array.from({ length: RIVALS - 1 }, () => 412),
      ]);
      expect((await client.get(address)).body.data).toEqual(won[0]?.body.data);
    }
  });

  it('lets one of several kinds of change of a dose through', async () => {
    const client = await world.premium();
    const { params } = (await SAMPLES['takeDose']?.prepare?.(client, world)) ?? {};
    const address = `/api/schedules/doses/${params?.['id']}`;
    const tag = tagOf(await client.get(address));
    const kinds = ['taken', 'missed', 'skipped', 'taken', 'missed', 'skipped'];
    const answers = await Promise.all(
      kinds.map((kind) =>
        client.call('PATCH', `${address}/${kind}`, { body: {}, headers: { 'if-match': tag } }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 200 && status !== 412)).toEqual([]);
  });
});

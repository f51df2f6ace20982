import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { registration, storePerson } from '#tests/support/people.ts';
import { reposOf } from '#tests/support/repositories.ts';
import { sized } from '#tests/support/size.ts';
import { reminderRow } from '../routes/owned/reminders.ts';
import { addStored, userIdOf } from '../routes/stored.ts';
import type { ApiAnswer, ApiClient } from './client.ts';
import { CALLS, resolved, responseOf, type DocumentedCall } from './document.ts';
import { SAMPLES } from './samples/index.ts';
import { useApi } from './world.ts';

/** Lists that go on at a cursor. */
const world = useApi();

type Row = Record<string, unknown> & { id: string };

/** A list, how to add a record to it, and how to delete one; null if that takes nothing out of the list. */
interface List {
  path: string;
  /** The path for one person, if it names a record of theirs. */
  at?(client: ApiClient): Promise<string>;
  query?: Record<string, string>;
  /** The answer that says so, or what the list calls it, if it comes about otherwise. */
  add(client: ApiClient, number: number): Promise<ApiAnswer | string>;
  remove?: ((client: ApiClient, id: string) => Promise<ApiAnswer | null>) | null;
  /** With how many records to begin, if there cannot be many. */
  most?: number;
  owner?: 'admin';
}

const dayOf = (number: number) => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10);
// Several share an instant.
const timeOf = (number: number) => new Date(Date.UTC(2026, 0, 1 + Math.floor(number / 3))).toISOString();
const line = { name: 'BPC-157', mgPerVial: 5, price: 29.9, currency: 'USD', quantity: 1 };

async function supplierOf(client: ApiClient): Promise<string> {
  const { body } = await client.get('/api/suppliers');
  const [known] = body.data?.['suppliers'] as Row[];
  if (known !== undefined) return known.id;
  return ((await client.post('/api/suppliers', { name: 'Acme' })).body.data?.['supplier'] as Row).id;
}

/** Doses without a schedule. */
const LOGGED: Pick<List, 'add' | 'remove'> = {
  add: (client, number) =>
    client.post('/api/schedules/doses', {
      ...{ name: 'BPC-157', actualDose: 250, doseUnit: 'mcg' },
      ...{ takenAt: timeOf(number), confirm: true },
    }),
  remove: (client, id) => client.patch(`/api/schedules/doses/${id}/undo`),
};

const compounds = (sort?: string): List => ({
  path: '/api/compounds',
  ...(sort !== undefined && { query: { sort } }),
  add: (client, number) =>
    client.post('/api/compounds', {
      name: `Vial ${number % 3}`,
      concentration: 2,
      totalAmount: 5 + (number % 2),
    }),
});

const calculations = (sort?: string): List => ({
  path: '/api/calculations',
  ...(sort !== undefined && { query: { sort } }),
  add: (client, number) =>
    client.post('/api/calculations', {
      peptideAmount: 5 + (number % 2),
      waterVolume: 2,
      desiredDose: 0.25,
      ...(number % 3 > 0 && { peptideName: `Name ${number % 3}` }),
    }),
});

/** What only a worker, a program or another person brings about. */
const ownerId = ({ email }: ApiClient) => userIdOf(world.web.dataDir, email);
const stored = (collection: string, row: object) => addStored(world.web.dataDir, collection, [row]);
const fresh = () => randomBytes(8).toString('hex');

const MADE_ELSEWHERE: Record<string, List> = {
  reminders: {
    path: '/api/schedules/reminders',
    query: { unread: 'true' },
    async add(client, number) {
      const row = reminderRow(await ownerId(client), { reminderTime: new Date(timeOf(number)) });
      await reposOf(world.terminal()).reminders.createMissing([row]);
      return row._id;
    },
    remove: (client, id) => client.patch(`/api/schedules/reminders/${id}/read`),
  },
  deliveries: {
    path: '/api/webhooks/{id}/deliveries',
    at: async (client) => `/api/webhooks/${await hookOf(client)}/deliveries`,
    async add(client, number) {
      const [_id, userId, webhookId] = [`del_${fresh()}`, await ownerId(client), await hookOf(client)];
      const row = { _id, userId, webhookId, eventId: 'evt', type: 'test', doseId: null, body: '{}' };
      const times = { madeAt: new Date(timeOf(number)), triedAt: null, sentAt: null, nextAt: null };
      const end = new Date(Date.now() + 86_400_000);
      const outcome = { state: 'failed', attempts: 1, status: 500, reason: 'no', claim: null };
      await stored('webhook_deliveries', { ...row, ...times, ...outcome, until: end, expiresAt: end });
      return _id;
    },
    remove: null,
  },
  referrals: {
    path: '/api/referrals',
    async add(client, number) {
      const createdAt = new Date(Date.parse(timeOf(number)) + number);
      const row = { _id: fresh(), userId: await ownerId(client), code: 'C', grantId: 'G' };
      const times = { createdAt, creditedAt: null, reversedAt: null };
      await stored('referrals', { ...row, standing: 'pending', ...times });
      return createdAt.toISOString();
    },
    remove: null,
  },
  proposals: {
    path: '/api/proposals',
    query: { waiting: 'true' },
    async add(client) {
      const made = await SAMPLES['getProposal']?.prepare?.(client, world);
      return made?.params?.['id'] ?? '';
    },
    remove: (client, id) => client.post(`/api/proposals/${id}/decline`),
  },
  measures: {
    path: '/api/health/measures',
    most: 6,
    async add(client, number) {
      const row = { key: `own-${number}`, name: `Measure ${number}`, unit: 'mm' };
      await reposOf(world.terminal()).trackingChoices.addMetric(await ownerId(client), row, 20);
      return row.name;
    },
    async remove(client, name) {
      const key = name.replace('Measure ', 'own-');
      await reposOf(world.terminal()).trackingChoices.deleteMetric(await ownerId(client), key);
      return null;
    },
  },
  'names of side effects': {
    path: '/api/side-effects/templates',
    most: 7,
    async add(client, number) {
      const name = `Effect ${number}`;
      expect((await client.post('/api/side-effects/templates', { name })).status).toBe(201);
      return name;
    },
    async remove(client, name) {
      await reposOf(world.terminal()).trackingChoices.deleteTemplate(await ownerId(client), name);
      return null;
    },
  },
  accounts: {
    path: '/api/admin/users',
    query: { search: `@${fresh()}.example.org` },
    owner: 'admin',
    async add() {
      const email = `${fresh()}${MADE_ELSEWHERE['accounts']?.query?.['search']}`;
      return (await storePerson(world.terminal(), registration(email))).record.id;
    },
    remove: null,
  },
  'audit entries': {
    path: '/api/admin/audit-log',
    query: { action: `test.${fresh()}` },
    owner: 'admin',
    async add(_, number) {
      const [_id, at] = [fresh(), new Date(timeOf(number))];
      const action = MADE_ELSEWHERE['audit entries']?.query?.['action'];
      const about = { subjectId: 'none', before: {}, after: {}, reason: null, from: 'terminal' };
      await stored('audit', { _id, at, actor: 'cli:tests', action, ...about });
      return _id;
    },
    remove: null,
  },
};

async function hookOf(client: ApiClient): Promise<string> {
  const [known] = (await client.get('/api/webhooks')).body.data?.['webhooks'] as Row[];
  return known?.id ?? added(client, LISTS['webhooks'] as List, 1);
}

const lotLabel = { name: 'BPC-157', concentration: 2, totalAmount: 100, lot: 'L-77' };

async function vialOfLot(client: ApiClient): Promise<string> {
  const [known] = (await client.get('/api/compounds')).body.data?.['compounds'] as Row[];
  return known?.id ?? ((await client.post('/api/compounds', lotLabel)).body.data?.['compound'] as Row).id;
}

const LISTS: Record<string, List> = {
  ...MADE_ELSEWHERE,
  suppliers: {
    path: '/api/suppliers',
    query: { updatedSince: '2020-01-01T00:00:00Z' },
    add: (client, number) => client.post('/api/suppliers', { name: `Vendor ${number % 3}` }),
  },
  products: {
    path: '/api/products',
    add: async (client, number) => {
      const { quantity: _, ...offer } = { ...line, name: `Product ${number % 3}` };
      return client.post(`/api/suppliers/${await supplierOf(client)}/products`, offer);
    },
  },
  supplies: {
    path: '/api/supplies',
    most: 7,
    add: (client, number) =>
      client.post('/api/supplies', { kind: 'swab', name: `Swab ${number}`, count: 10 }),
  },
  ceilings: {
    path: '/api/ceilings',
    async add(client, number) {
      const name = `Compound ${number}`;
      expect((await client.put('/api/ceilings', { name, perDose: 5 })).status).toBe(200);
      return name;
    },
    remove: (client, name) => client.put('/api/ceilings', { name, perDose: null }),
  },
  webhooks: {
    path: '/api/webhooks',
    most: 2,
    add: (client, number) =>
      client.post('/api/webhooks', { url: `https://[2d00::1]/hook/${number}`, events: ['dose.due'] }),
  },
  tokens: {
    path: '/api/profile/tokens',
    most: 5,
    async add(client, number) {
      const body = { name: `Token ${number}`, scope: 'read', life: '30' };
      const made = await client.post('/api/profile/tokens', body);
      return (made.body.data?.['apiToken'] as Row).id;
    },
    // It stays listed as ended.
    remove: null,
  },
  imports: {
    path: '/api/import',
    async add(client, number) {
      const body = `takenAt,name,amount,unit\n${timeOf(number)},Import ${number},250,mcg`;
      const headers = { 'content-type': 'text/csv' };
      const made = await client.call('POST', '/api/import', { body, headers });
      return (made.body.data?.['import'] as Row).id;
    },
    remove: null,
  },
  'calendar events': {
    path: '/api/schedules/calendar',
    query: { start: '2026-01-01', end: '2026-04-01' },
    ...LOGGED,
  },
  'doses of a lot': {
    path: '/api/lots/{lot}/doses',
    async at(client) {
      await vialOfLot(client);
      return '/api/lots/L-77/doses';
    },
    add: async (client, number) =>
      client.post('/api/schedules/doses', {
        ...{ name: 'BPC-157', actualDose: 250, doseUnit: 'mcg', compoundId: await vialOfLot(client) },
        ...{ takenAt: timeOf(number), confirm: true },
      }),
    ...(LOGGED.remove && { remove: LOGGED.remove }),
  },
  compounds: compounds(),
  'compounds by expiry': compounds('expiry'),
  'compounds by name': compounds('name'),
  'compounds by remaining': compounds('remaining'),
  calculations: calculations(),
  'calculations by name': calculations('name'),
  'calculations by concentration': calculations('concentration'),
  lots: {
    path: '/api/lots',
    add: (client, number) => client.post('/api/lots', { number: `L-${number}`, product: 'BPC-157' }),
  },
  orders: {
    path: '/api/orders',
    query: { start: '2020-01-01' },
    add: async (client) =>
      client.post('/api/orders', { supplierId: await supplierOf(client), lines: [line] }),
  },
  'what to order': {
    path: '/api/orders/suggestions',
    most: 6,
    async add(client, number) {
      const name = `Vial ${number}`;
      const vial = { name, concentration: 2, totalAmount: 1 + (number % 3) / 4 };
      const made = await client.post('/api/compounds', vial);
      const planned = await client.post('/api/schedules', {
        ...{ name, doseAmount: 250, doseUnit: 'mcg', timeZone: 'UTC', confirm: true },
        ...{ frequency: { kind: 'daily' }, times: ['23:59'] },
        startDate: new Date().toISOString().slice(0, 10),
        compoundId: (made.body.data?.['compound'] as Row).id,
      });
      expect(planned.status, planned.text.slice(0, 300)).toBe(201);
      return name;
    },
    async remove(client, name) {
      const { body } = await client.get('/api/schedules', { limit: '100' });
      const plan = (body.data?.['schedules'] as Row[]).find((row) => row['name'] === name);
      return client.delete(`/api/schedules/${plan?.id}`);
    },
  },
  schedules: {
    path: '/api/schedules',
    query: { updatedSince: '2020-01-01T00:00:00Z' },
    add: (client, number) =>
      client.post('/api/schedules', {
        name: `Plan ${number}`,
        doseAmount: 250,
        doseUnit: 'mcg',
        frequency: { kind: 'weekdays', weekdays: ['mon'] },
        times: ['08:00'],
        timeZone: 'UTC',
        startDate: '2026-11-02',
      }),
  },
  doses: {
    path: '/api/schedules/doses',
    query: { start: '2020-01-01' },
    ...LOGGED,
  },
  'doses of a status': {
    path: '/api/schedules/doses',
    query: { status: 'taken' },
    ...LOGGED,
  },
  'side effects': {
    path: '/api/side-effects',
    query: { start: '2020-01-01', updatedSince: '2020-01-01T00:00:00Z' },
    add: (client, number) =>
      client.post('/api/side-effects', { name: 'Headache', severity: 2, startedAt: timeOf(number) }),
  },
  'injection sites': {
    path: '/api/injection-sites',
    query: { start: '2020-01-01', end: '2099-01-01' },
    add: (client, number) =>
      client.post('/api/injection-sites', { site: 'deltoid-left', takenAt: timeOf(number) }),
  },
  nutrition: {
    path: '/api/nutrition',
    query: { end: '2099-01-01' },
    add: (client, number) => client.post('/api/nutrition', { date: dayOf(number), calories: 2000 }),
  },
  health: {
    path: '/api/health',
    query: { metric: 'weight', start: '2020-01-01' },
    add: (client, number) =>
      client.post('/api/health', { metric: 'weight', value: 80, unit: 'kg', measuredAt: timeOf(number) }),
  },
};

/** The records of a list, each with what identifies it there. */
const rowsIn = ({ body }: ApiAnswer) =>
  (Object.values(body.data ?? {}).find((value) => Array.isArray(value)) as Row[]).map((row): Row => ({
    ...row,
    id: String(row['doseId'] ?? row.id ?? row['since'] ?? row['name']),
  }));

async function added(client: ApiClient, list: List, number: number): Promise<string> {
  const answer = await list.add(client, number);
  if (typeof answer === 'string') return answer;
  expect(answer.status, answer.text.slice(0, 300)).toBe(201);
  return (Object.values(answer.body.data ?? {})[0] as Row).id;
}

async function removed(client: ApiClient, { path, remove }: List, id: string): Promise<void> {
  if (remove === null) return;
  const answer = await (remove ?? ((owner, it) => owner.delete(`${path}/${it}`)))(client, id);
  if (answer !== null) expect(answer.status, answer.text.slice(0, 300)).toBe(200);
}

type Parameter = { name: string };

const takes = (call: DocumentedCall, parameter: string) =>
  (resolved(call.parameters) as Parameter[]).some(({ name }) => name === parameter);

it('the lists with a cursor are tried', () => {
  const withCursor = CALLS.filter((call) => takes(call, 'cursor'));
  const tried = new Set(Object.values(LISTS).map(({ path }) => path));
  expect(withCursor.map(({ path }) => path).toSorted()).toEqual([...tried].toSorted());
});

interface Answer {
  headers?: object;
  content?: { 'application/json'?: { schema: { properties?: { data: { properties: object } } } } };
}

it('every list has pages, a cursor and a link', () => {
  const faults = CALLS.filter((call) => call.method === 'GET' && takes(call, 'page')).flatMap((call) => {
    const { headers = {}, content } = responseOf(call, 200) as Answer;
    const fields = Object.keys(content?.['application/json']?.schema.properties?.data.properties ?? {});
    const hasPages =
      takes(call, 'limit') && ['page', 'limit', 'total'].every((name) => fields.includes(name));
    const goesOn = takes(call, 'cursor') && fields.includes('next') && Object.hasOwn(headers, 'Link');
    return hasPages && goesOn ? [] : [call.path];
  });
  expect(faults).toEqual([]);
});

/** Answers with records that are no lists of them. */
const NO_LISTS = [
  '/api/admin/health',
  '/api/compounds/{id}',
  '/api/injection-sites/next',
  '/api/schedules/adherence',
  '/api/stock',
  '/api/today',
];

it('everything else that answers with records is about something else', () => {
  const plain = CALLS.filter((call) => call.method === 'GET' && !takes(call, 'page')).filter((call) => {
    const { content } = responseOf(call, 200) as Answer;
    const fields = content?.['application/json']?.schema.properties?.data.properties ?? {};
    return Object.values(fields).some(({ type }: { type?: string }) => type === 'array');
  });
  expect(plain.map(({ path }) => path).toSorted()).toEqual(NO_LISTS);
});

const COUNT = sized(7, 23);

describe.each(Object.entries(LISTS))('the list of %s', (_, list) => {
  it('shows each record once that is there throughout, whatever is added and deleted meanwhile', async () => {
    const client = await world[list.owner ?? 'premium']();
    const path = (await list.at?.(client)) ?? list.path;
    const count = Math.min(COUNT, list.most ?? COUNT);
    // What everyone has.
    const builtIn = rowsIn(await client.get(path, { ...list.query, limit: '100' })).map(({ id }) => id);
    const ids = [...builtIn];
    // Out of order, so that the order is not that of the ids.
    for (let number = 0; number < count; number += 1)
      ids.push(await added(client, list, 10 + ((number * 5) % count) * 2));
    const all = rowsIn(await client.get(path, { ...list.query, limit: '100' })).map(({ id }) => id);
    expect(all.toSorted()).toEqual(ids.toSorted());
    // One after the other, undisturbed: the list itself.
    const undisturbed: string[] = [];
    let cursor: string | null = '';
    for (let page = 1; cursor !== null; page += 1) {
      const query: Record<string, string> = { ...list.query, limit: '3', ...(cursor && { cursor }) };
      const answer = await client.get(path, query);
      expect(answer.body.data).toMatchObject({ page, limit: 3, total: ids.length });
      undisturbed.push(...rowsIn(answer).map(({ id }) => id));
      cursor = answer.body.data?.['next'] as string | null;
    }
    expect(undisturbed).toEqual(all);
    // Now with changes between the pages, following the Link header.
    const gone = new Set<string>();
    const seen: string[] = [];
    let address: string | undefined = `${path}?${new URLSearchParams({ ...list.query, limit: '2' })}`;
    for (let round = 0; address !== undefined; round += 1) {
      const answer = await client.get(address);
      const here = rowsIn(answer).map(({ id }) => id);
      seen.push(...here);
      const link = answer.headers.get('link');
      expect(link === null).toBe(answer.body.data?.['next'] === null);
      const next = link === null ? undefined : /^<(.+)>; rel="next"$/.exec(link)?.[1];
      address = next === undefined ? undefined : next.slice(new URL(next).origin.length);
      // The last one seen, at which the cursor points, one before it, and one that may still come.
      const victims = [here.at(-1), seen[0], all.findLast((id) => !gone.has(id) && !seen.includes(id))];
      const victim = victims[round % victims.length];
      const isTheirs = victim !== undefined && ids.includes(victim) && !builtIn.includes(victim);
      if (list.remove !== null && isTheirs && !gone.has(victim)) {
        gone.add(victim);
        await removed(client, list, victim);
      }
      await added(client, list, 100 + round * 2);
      expect(round).toBeLessThan(ids.length * 3);
    }
    if (list.remove !== null && count > 2) expect(gone.size).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(seen.length);
    expect(all.filter((id) => !gone.has(id) && !seen.includes(id))).toEqual([]);
  });
});

describe('a cursor', () => {
  it('of another list or order, or none at all, is 400', async () => {
    const client = await world.premium();
    for (const number of [1, 2]) {
      await added(client, compounds(), number);
      await added(client, LISTS['nutrition'] as List, number);
    }
    const nextOf = async (path: string, query: object = {}) =>
      String((await client.get(path, { ...query, limit: '1' })).body.data?.['next']);
    const ofName = await nextOf('/api/compounds', { sort: 'name' });
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const wrong = [
      [ofName, '/api/compounds'],
      [await nextOf('/api/nutrition'), '/api/health'],
      ['x', '/api/orders'],
      ['', '/api/nutrition'],
      [encoded(['nutrition', 2, [7]]), '/api/nutrition'],
      [encoded(['nutrition', 2, ['2026-01-01', 'x']]), '/api/nutrition'],
      [encoded(['orders', 2, [9e15, 'x']]), '/api/orders'],
      [encoded(['orders', 2, [null, 'x']]), '/api/orders'],
      [encoded(['orders', 2, [{ $gt: '' }, 'x']]), '/api/orders'],
    ] as const;
    for (const [cursor, path] of wrong) {
      const { status, body } = await client.get(path, { cursor });
      // An empty value counts as none.
      if (cursor === '') expect(status).toBe(200);
      else
        expect([status, body.error, Object.keys(body.fields ?? {})]).toEqual([
          400,
          'INVALID_INPUT',
          ['cursor'],
        ]);
    }
  });
});

const withNotes = (client: ApiClient, address: string) => client.put(address, { notes: 'changed' });

/** How a record of a list is changed. */
const CHANGED: Readonly<Record<string, (client: ApiClient, address: string) => Promise<ApiAnswer>>> = {
  '/api/schedules': withNotes,
  '/api/side-effects': withNotes,
  '/api/injection-sites': withNotes,
  '/api/nutrition': withNotes,
  '/api/health': withNotes,
  '/api/compounds': withNotes,
  '/api/suppliers': withNotes,
  '/api/orders': (client, address) => client.patch(`${address}/state`, { state: 'sent' }),
};

describe('updatedSince', () => {
  const withChanges = CALLS.filter((call) => takes(call, 'updatedSince')).map(({ path }) => path);

  it('is taken by the lists of records that their owner makes', () => {
    expect(withChanges.toSorted()).toEqual(
      [...Object.keys(CHANGED), '/api/calculations', '/api/schedules/doses'].toSorted(),
    );
  });

  it.each(Object.entries(CHANGED))('of %s shows what changed then or later', async (path, change) => {
    const client = await world.premium();
    const list = Object.values(LISTS).find((one) => one.path === path) as List;
    const first = await added(client, list, 1);
    const second = await added(client, list, 2);
    const since = async (updatedSince: string) => {
      const answer = await client.get(path, { updatedSince });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.data?.['total']).toBe(rowsIn(answer).length);
      return rowsIn(answer).map(({ id }) => id);
    };
    const rows = rowsIn(await client.get(path));
    const at = (id: string) => String(rows.find((row) => row.id === id)?.['updatedAt']);
    expect((await since(at(first))).toSorted()).toEqual([first, second].toSorted());
    // Inclusive.
    expect(await since(at(second))).toContain(second);
    const afterBoth = new Date(Date.parse(at(second)) + 1).toISOString();
    expect(await since(afterBoth)).toEqual([]);
    expect((await change(client, `${path}/${first}`)).status).toBe(200);
    expect(await since(afterBoth)).toEqual([first]);
    // In another offset it is the same instant.
    expect(await since(afterBoth.replace('Z', '+00:00'))).toEqual([first]);
  });

  it('of doses shows those that were logged, marked as missed or planned anew, whatever day they are due', async () => {
    const client = await world.premium();
    const startDate = new Date().toISOString().slice(0, 10);
    const plan = { frequency: { kind: 'daily' }, times: ['08:00'], timeZone: 'UTC', startDate };
    const made = await client.post('/api/schedules', {
      ...{ name: 'BPC-157', doseAmount: 250, doseUnit: 'mcg' },
      ...plan,
    });
    expect(made.status, made.text).toBe(201);
    const all = rowsIn(await client.get('/api/schedules/doses', { start: startDate }));
    expect(all.length).toBeGreaterThan(30);
    const [early, late] = [all[1], all.at(-1)];
    const last = Math.max(...all.map((row) => Date.parse(String((row as Row)['updatedAt']))));
    const updatedSince = new Date(last + 1).toISOString();
    const changed = async (query: object = {}) =>
      rowsIn(await client.get('/api/schedules/doses', { updatedSince, ...query })).map(({ id }) => id);
    expect(await changed()).toEqual([]);
    // Its reminders are no change, and its tag stays.
    const address = `/api/schedules/doses/${early?.id}`;
    const tag = (await client.get(address)).headers.get('etag');
    const { doseReminding } = reposOf(world.terminal());
    const userId = await ownerId(client);
    const until = new Date(Date.now() + 60_000);
    await doseReminding.join(new Date(), until, 'test', [{ userId, id: String(early?.id) }]);
    await doseReminding.move('test', [{ userId, id: String(early?.id), next: null }]);
    expect(await changed()).toEqual([]);
    expect((await client.get(address)).headers.get('etag')).toBe(tag);
    expect((await client.patch(`/api/schedules/doses/${late?.id}/missed`)).status).toBe(200);
    expect((await client.patch(`${address}/taken`, { confirm: true })).status).toBe(200);
    expect(await changed()).toEqual([early?.id, late?.id]);
    expect(await changed({ status: 'missed' })).toEqual([late?.id]);
    expect(await changed({ end: startDate })).toEqual([]);
  });

  it('of calculations shows what was saved then or later, though it was made before', async () => {
    const client = await world.premium();
    const first = await added(client, calculations(), 1);
    const at = String(rowsIn(await client.get('/api/calculations')).map((row: Row) => row['updatedAt'])[0]);
    const updatedSince = new Date(Date.parse(at) + 1).toISOString();
    const since = async (query: object = {}) =>
      rowsIn(await client.get('/api/calculations', { updatedSince, ...query })).map(({ id }) => id);
    expect(rowsIn(await client.get('/api/calculations', { updatedSince: at })).map(({ id }) => id)).toEqual([
      first,
    ]);
    expect(await since()).toEqual([]);
    const other = await world.premium();
    const sums = { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25, peptideName: 'Imported' };
    expect((await other.post('/api/calculations', sums)).status).toBe(201);
    const file = await other.get('/api/export', { format: 'json', types: 'calculations' });
    const body = file.text.replaceAll(/"createdAt":\s*"\d{4}/g, '"createdAt": "2020');
    expect(body).not.toBe(file.text);
    const made = await client.call('POST', '/api/import', { body });
    expect(made.status, made.text.slice(0, 300)).toBe(201);
    const found = await since();
    expect(found).toHaveLength(1);
    expect(found).not.toContain(first);
    expect(await since({ search: 'Imported' })).toEqual(found);
    expect(await since({ search: 'other' })).toEqual([]);
  });

  it.each(['yesterday', '2026-11-22', '2026-11-22T08:00:00', '2026-13-01T00:00:00Z', '1'])(
    'of %s is 400',
    async (text) => {
      const client = await world.premium();
      const { status, body } = await client.get('/api/schedules', { updatedSince: text });
      expect([status, body.fields]).toEqual([
        400,
        { updatedSince: ['Enter an instant such as 2026-11-22T08:00:00Z'] },
      ]);
    },
  );
});

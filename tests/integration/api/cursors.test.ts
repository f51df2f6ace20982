import { describe, expect, it } from 'vitest';
import { sized } from '#tests/support/size.ts';
import type { ApiAnswer, ApiClient } from './client.ts';
import { CALLS, resolved } from './document.ts';
import { useApi } from './world.ts';

/** Lists that go on at a cursor. */
const world = useApi();

type Row = Record<string, unknown> & { id: string };

/** A list, how to add a record to it, and how to delete one. */
interface List {
  path: string;
  query?: Record<string, string>;
  add(client: ApiClient, number: number): Promise<ApiAnswer>;
  remove?(client: ApiClient, id: string): Promise<ApiAnswer>;
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

const LISTS: Record<string, List> = {
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

const rowsIn = ({ body }: ApiAnswer) =>
  Object.values(body.data ?? {}).find((value) => Array.isArray(value)) as Row[];

async function added(client: ApiClient, list: List, number: number): Promise<string> {
  const answer = await list.add(client, number);
  expect(answer.status, answer.text.slice(0, 300)).toBe(201);
  return (Object.values(answer.body.data ?? {})[0] as Row).id;
}

async function removed(client: ApiClient, { path, remove }: List, id: string): Promise<void> {
  const answer = await (remove ?? ((owner, it) => owner.delete(`${path}/${it}`)))(client, id);
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
}

type Parameter = { name: string };

it('the lists with a cursor are tried', () => {
  const withCursor = CALLS.filter((call) =>
    (resolved(call.parameters) as Parameter[]).some(({ name }) => name === 'cursor'),
  );
  const tried = new Set(Object.values(LISTS).map(({ path }) => path));
  expect(withCursor.map(({ path }) => path).toSorted()).toEqual([...tried].toSorted());
});

const COUNT = sized(7, 23);

describe.each(Object.entries(LISTS))('the list of %s', (_, list) => {
  it('shows each record once that is there throughout, whatever is added and deleted meanwhile', async () => {
    const client = await world.premium();
    const ids: string[] = [];
    // Out of order, so that the order is not that of the ids.
    for (let number = 0; number < COUNT; number += 1)
      ids.push(await added(client, list, 10 + ((number * 5) % COUNT) * 2));
    const all = rowsIn(await client.get(list.path, { ...list.query, limit: '100' })).map(({ id }) => id);
    expect(all.toSorted()).toEqual(ids.toSorted());
    // One after the other, undisturbed: the list itself.
    const undisturbed: string[] = [];
    let cursor: string | null = '';
    for (let page = 1; cursor !== null; page += 1) {
      const query: Record<string, string> = { ...list.query, limit: '3', ...(cursor && { cursor }) };
      const answer = await client.get(list.path, query);
      expect(answer.body.data).toMatchObject({ page, limit: 3, total: COUNT });
      undisturbed.push(...rowsIn(answer).map(({ id }) => id));
      cursor = answer.body.data?.['next'] as string | null;
    }
    expect(undisturbed).toEqual(all);
    // Now with changes between the pages, following the Link header.
    const gone = new Set<string>();
    const seen: string[] = [];
    let address: string | undefined = `${list.path}?${new URLSearchParams({ ...list.query, limit: '2' })}`;
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
      if (victim !== undefined && !gone.has(victim) && all.includes(victim)) {
        gone.add(victim);
        await removed(client, list, victim);
      }
      await added(client, list, 100 + round * 2);
      expect(round).toBeLessThan(COUNT * 3);
    }
    expect(gone.size).toBeGreaterThan(1);
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

describe('updatedSince', () => {
  it.each(['/api/schedules', '/api/side-effects', '/api/injection-sites', '/api/nutrition', '/api/health'])(
    'of %s shows what changed then or later',
    async (path) => {
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
      await client.put(`${path}/${first}`, { notes: 'changed' });
      expect(await since(afterBoth)).toEqual([first]);
      // In another offset it is the same instant.
      expect(await since(afterBoth.replace('Z', '+00:00'))).toEqual([first]);
    },
  );

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

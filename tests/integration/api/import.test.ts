import { describe, expect, it } from 'vitest';
import type { ApiClient } from './client.ts';
import { useApi } from './world.ts';

const world = useApi();

const CALCULATION = {
  id: 'calc_17672736000000123456789ab',
  createdAt: '2026-01-01T08:00:00.000Z',
  peptideAmount: 5,
  waterVolume: 2,
  desiredDose: 0.25,
};
const EFFECT = { id: 'fx_0123456789abcdef', createdAt: CALCULATION.createdAt, name: 'Nausea', severity: 2 };

const send = (client: ApiClient, body: string, type: string, query: Record<string, string> = {}) =>
  client.call('POST', '/api/import', { body, query, headers: { 'content-type': type } });

const asJson = (client: ApiClient, file: object, query: Record<string, string> = {}) =>
  send(client, JSON.stringify(file), 'application/json', query);

describe('POST /api/import', () => {
  it('takes a file as the body: first a dry run, then in earnest, again adds nothing', async () => {
    const ada = await world.premium();
    const file = { calculations: [CALCULATION], sideEffects: [{ ...EFFECT, startedAt: EFFECT.createdAt }] };
    const dry = await asJson(ada, file, { dryRun: 'true' });
    expect(dry).toMatchObject({
      status: 200,
      body: {
        data: { dryRun: true, import: null, added: { calculations: 1, sideEffects: 1, compounds: 0 } },
      },
    });
    expect((await ada.get('/api/calculations')).body.data).toMatchObject({ total: 0 });
    const done = await asJson(ada, file);
    expect([done.status, done.headers.get('location')]).toEqual([
      201,
      expect.stringMatching(/^\/api\/import\/imp_/),
    ]);
    expect(done.body.data).toMatchObject({ dryRun: false, import: { state: 'done', canUndo: true } });
    expect((await ada.get('/api/side-effects')).body.data).toMatchObject({ total: 1 });
    expect((await asJson(ada, file)).body.data).toMatchObject({ added: { calculations: 0, sideEffects: 0 } });
    expect((await ada.get('/api/import')).body.data).toMatchObject({ total: 2, page: 1, limit: 20 });
    const { id } = done.body.data?.['import'] as { id: string };
    const undone = await ada.post(`/api/import/${id}/undo`);
    expect(undone.body.data).toMatchObject({
      import: { state: 'undone', canUndo: false, kept: { calculations: 0 } },
    });
    expect((await ada.get('/api/calculations')).body.data).toMatchObject({ total: 0 });
  });

  it('takes what /api/export gives, as CSV too', async () => {
    const [ada, bob] = [await world.premium(), await world.premium()];
    await asJson(ada, { calculations: [{ ...CALCULATION, notes: '=1+1' }] });
    const { text } = await ada.get('/api/export', { format: 'csv' });
    expect((await send(bob, text, 'text/csv; charset=utf-8')).body.data).toMatchObject({
      added: { calculations: 1 },
    });
    expect((await bob.get('/api/calculations')).body.data).toMatchObject({
      calculations: [{ notes: '=1+1' }],
    });
  });

  it('answers 422 for bad rows, in a dry run too, and takes nothing', async () => {
    const ada = await world.premium();
    for (const query of [{ dryRun: 'true' }, {}] as Record<string, string>[]) {
      const answer = await asJson(ada, { calculations: [CALCULATION, { ...CALCULATION, id: 'x' }] }, query);
      expect(answer).toMatchObject({
        status: 422,
        body: {
          error: 'BAD_ROWS',
          rows: [
            {
              type: 'calculations',
              line: 2,
              field: 'id',
              message: 'This is not the id of a calculation',
            },
          ],
        },
      });
    }
    expect((await ada.get('/api/calculations')).body.data).toMatchObject({ total: 0 });
  });

  it.each([
    ['half of a file', '{"calculations":', 'application/json', 400],
    ['nothing', '', 'application/json', 400],
    ['another type', '{}', 'text/plain', 415],
    ['an operator', '{"$where":[]}', 'application/json', 400],
    ['37 MB', 'x'.repeat(37 * 1024 * 1024), 'text/csv', 413],
    ['33 MB', '\n'.repeat(33 * 1024 * 1024), 'text/csv', 413],
  ])('refuses %s', async (_what, body, type, status) => {
    expect((await send(await world.premium(), body, type)).status).toBe(status);
  });

  it('holds the limits of the free plan, and runs once for each Idempotency-Key', async () => {
    const free = await world.free();
    expect((await asJson(free, { sideEffects: [{ ...EFFECT, startedAt: EFFECT.createdAt }] })).status).toBe(
      402,
    );
    const vials = [1, 2, 3, 4].map((number) => ({
      id: `vial_${number}0000000000`,
      createdAt: EFFECT.createdAt,
      name: 'A',
      totalAmount: 5,
    }));
    expect((await asJson(free, { compounds: vials })).status).toBe(402);
    const headers = { 'idempotency-key': 'monday', 'content-type': 'application/json' };
    const body = JSON.stringify({ compounds: vials.slice(1) });
    const first = await free.call('POST', '/api/import', { body, headers });
    const again = await free.call('POST', '/api/import', { body, headers });
    expect([first.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.text,
      'true',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { APPLE_FILE } from '#tests/support/apple-health.ts';
import { zipOf } from '#tests/support/zips.ts';
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

const send = (
  client: ApiClient,
  body: string | Uint8Array,
  type: string,
  query: Record<string, string> = {},
) => client.call('POST', '/api/import', { body, query, headers: { 'content-type': type } });

const asJson = (client: ApiClient, file: object, query: Record<string, string> = {}) =>
  send(client, JSON.stringify(file), 'application/json', query);

describe('POST /api/import', () => {
  it('accepts a file as the body: a dry run, then the import, and a second time adds nothing', async () => {
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

  it('accepts exports from /api/export, also as CSV', async () => {
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

  it.each([
    ['csv', 'text/csv'],
    ['json', 'application/json'],
  ] as const)(
    'takes the doses that /api/export gives as %s; as a PDF they come, too',
    async (format, type) => {
      const [ada, bob] = [await world.premium(), await world.premium()];
      const takenAt = new Date(Date.now() - 3_600_000).toISOString();
      const dose = { name: 'BPC-157', actualDose: 250, doseUnit: 'mcg', site: 'deltoid-left', takenAt };
      expect((await ada.post('/api/schedules/doses', dose)).status).toBe(201);
      const { text } = await ada.get('/api/export', { format, types: 'doses', metadata: 'false' });
      expect(text).toContain(takenAt);
      expect((await send(bob, text, type)).body.data).toMatchObject({ added: { doses: 1 } });
      const shown = (await bob.get('/api/schedules/doses')).body.data?.['doses'];
      expect(shown).toMatchObject([{ name: 'BPC-157', status: 'taken', site: 'deltoid-left', takenAt }]);
      const pdf = await ada.get('/api/export', { format: 'pdf', types: 'doses' });
      expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    },
  );

  it('accepts an Apple Health export as XML, and lists what it imported and skipped', async () => {
    const ada = await world.premium();
    const dry = await send(ada, APPLE_FILE, 'application/xml', { dryRun: 'true' });
    expect(dry).toMatchObject({
      status: 200,
      body: {
        data: {
          added: { measurements: 8 },
          healthFile: {
            leftOut: expect.arrayContaining([
              { type: 'HKQuantityTypeIdentifierStepCount', records: 1, reason: expect.any(String) as string },
            ]) as unknown,
          },
        },
      },
    });
    const done = await send(ada, APPLE_FILE, 'application/xml');
    expect([done.status, done.body.data]).toMatchObject([201, { added: { measurements: 8 } }]);
    const weights = await ada.get('/api/health', { metric: 'weight' });
    expect(weights.text).toContain('2024-02-06T22:30:00.000Z');
    const { text } = await ada.get('/api/export', {
      format: 'json',
      types: 'measurements',
      metadata: 'false',
    });
    const bob = await world.premium();
    expect((await send(bob, text, 'application/json')).body.data).toMatchObject({
      added: { measurements: 8 },
    });
  });

  it('accepts its zip file, and the JSON of Health Auto Export', async () => {
    const ada = await world.premium();
    const zip = await zipOf({ 'apple_health_export/export.xml': APPLE_FILE });
    expect((await send(ada, zip, 'application/zip')).body.data).toMatchObject({ added: { measurements: 8 } });
    const point = { date: '2024-02-06 14:30:00 -0800', qty: 70 };
    const metrics = [{ name: 'weight_body_mass', units: 'kg', data: [point] }];
    expect((await asJson(ada, { data: { metrics } })).body.data).toMatchObject({
      added: { measurements: 1 },
    });
    expect((await asJson(ada, { data: { metrics } })).body.data).toMatchObject({
      added: { measurements: 0 },
    });
  });

  it('returns 422 for bad rows, also in a dry run, and imports nothing', async () => {
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
    ['half of an XML file', APPLE_FILE.slice(0, -20), 'application/xml', 400],
    [
      'XML that declares entities',
      '<!DOCTYPE HealthData [<!ENTITY a "a">]><HealthData/>',
      'application/xml',
      400,
    ],
    ['nothing', '', 'application/json', 400],
    ['another type', '{}', 'text/plain', 415],
    ['an operator', '{"$where":[]}', 'application/json', 400],
    ['37 MB', 'x'.repeat(37 * 1024 * 1024), 'text/csv', 413],
    ['33 MB', '\n'.repeat(33 * 1024 * 1024), 'text/csv', 413],
  ])('refuses %s', async (_what, body, type, status) => {
    expect((await send(await world.premium(), body, type)).status).toBe(status);
  });

  it('respects the limits of the free plan, and runs once per Idempotency-Key', async () => {
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

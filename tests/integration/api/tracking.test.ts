import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { bomb, HTML, photograph, SVG } from '#tests/support/pictures.ts';
import type { ApiClient } from './client.ts';
import { useApi } from './world.ts';

/** Tracking through the API. */
const world = useApi();

const EFFECT = { name: 'Nausea', severity: 3, startedAt: '2026-01-05T08:00:00Z' };

const noted = async (api: ApiClient, more: object = {}) => {
  const { body } = await api.post('/api/side-effects', { ...EFFECT, ...more });
  return body.data?.['sideEffect'] as Record<string, unknown> & { id: string };
};

const send = (api: ApiClient, id: string, bytes: Uint8Array, field = 'image') =>
  api.call('POST', `/api/side-effects/${id}/images`, {
    file: { field, name: 'photo.jpg', type: 'image/jpeg', bytes: new Uint8Array(bytes) },
  });

describe('a side effect', () => {
  it('is logged, changed, ended, listed and deleted', async () => {
    const api = await world.premium();
    const effect = await noted(api);
    expect(effect).toMatchObject({
      ...EFFECT,
      startedAt: '2026-01-05T08:00:00.000Z',
      resolvedDate: null,
      images: [],
    });
    const at = `/api/side-effects/${effect.id}`;
    const changed = await api.put(at, { severity: 5 });
    expect(changed.body.data?.['sideEffect']).toMatchObject({ severity: 5, name: 'Nausea' });
    const ended = await api.patch(`${at}/resolve`, { resolvedDate: '2026-01-06' });
    expect(ended.body.data?.['sideEffect']).toMatchObject({ resolvedDate: '2026-01-06', severity: 5 });
    expect((await api.get('/api/side-effects', { state: 'open' })).body.data).toMatchObject({ total: 0 });
    expect((await api.get('/api/side-effects/stats')).body.data?.['stats']).toMatchObject({
      count: 1,
      meanSeverity: 5,
      medianDurationHours: 28,
      medianOnsetHours: null,
    });
    expect((await api.delete(at)).status).toBe(200);
    expect((await api.get(at)).status).toBe(404);
  });

  it('reports errors by field', async () => {
    const api = await world.premium();
    const { status, body } = await api.post('/api/side-effects', {
      name: '',
      severity: 6,
      startedAt: 'then',
    });
    expect([status, Object.keys(body.fields ?? {}).sort()]).toEqual([400, ['name', 'severity', 'startedAt']]);
    const { id } = await noted(api);
    const early = await api.patch(`/api/side-effects/${id}/resolve`, { resolvedDate: '2026-01-04' });
    expect([early.status, Object.keys(early.body.fields ?? {})]).toEqual([400, ['resolvedDate']]);
    expect((await api.post('/api/side-effects', { ...EFFECT, userId: 'x' })).status).toBe(400);
  });

  it('cannot refer to another account’s vial or dose', async () => {
    const [api, other] = [await world.premium(), await world.premium()];
    const vial = await other.post('/api/compounds', { name: 'X', concentration: 2.5, totalAmount: 5 });
    const { id: compoundId } = vial.body.data?.['compound'] as { id: string };
    for (const path of ['/api/side-effects', '/api/injection-sites']) {
      const entry = {
        ...(path.endsWith('effects') ? EFFECT : { site: 'deltoid-left', takenAt: EFFECT.startedAt }),
      };
      expect((await api.post(path, { ...entry, compoundId })).status).toBe(400);
      expect((await other.post(path, { ...entry, compoundId })).status).toBe(201);
    }
  });

  it('is reported for a valid period of at most five years', async () => {
    const api = await world.premium();
    await noted(api);
    const report = (start: string, end: string) => api.get('/api/side-effects/report', { start, end });
    expect((await report('2026-01-05', '2026-01-05')).body.data?.['report']).toMatchObject({
      stats: { count: 1, byName: [{ name: 'Nausea', count: 1 }] },
      sideEffects: [{ name: 'Nausea' }],
      leftOut: 0,
    });
    expect((await report('2026-02-01', '2026-01-01')).status).toBe(400);
    expect((await report('1976-01-01', '2026-01-01')).status).toBe(400);
    expect((await report('x', '2026-01-01')).status).toBe(400);
  });
});

describe('a picture', () => {
  it('is returned upright and without metadata, only to its owner', async () => {
    const [api, other] = [await world.premium(), await world.premium()];
    const { id } = await noted(api);
    const added = await send(api, id, await photograph());
    expect(added.status).toBe(201);
    const image = added.body.data?.['image'] as { id: string };
    expect(image).toMatchObject({ contentType: 'image/jpeg', width: 40, height: 80 });
    const at = `/api/side-effects/${id}/images/${image.id}`;
    const answer = await fetch(`${api.base}${at}`, { headers: { authorization: `Bearer ${api.token}` } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).exif).toBeUndefined();
    expect((await other.get(at)).status).toBe(404);
    expect((await send(other, id, await photograph())).status).toBe(404);
    expect((await api.delete(at)).status).toBe(200);
    expect((await api.get(at)).status).toBe(404);
  });

  it.each([
    ['a renamed web page', () => HTML, 415],
    ['a renamed SVG', () => SVG, 415],
    ['a decompression bomb', bomb, 400],
    ['6 MB', () => Buffer.alloc(6 * 1024 * 1024, 0xff), 413],
    ['nothing', () => Buffer.alloc(0), 400],
  ])('is refused: %s', async (_, bytes, status) => {
    const api = await world.premium();
    const { id } = await noted(api);
    const answer = await send(api, id, bytes());
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ success: false, fields: { image: [expect.any(String)] } });
  });
});

describe('sites, days and measurements', () => {
  it('rotate: the next site is returned with its reason', async () => {
    const api = await world.premium();
    await api.put('/api/injection-sites/next', { sites: ['deltoid-left', 'deltoid-right'] });
    await api.post('/api/injection-sites', {
      site: 'deltoid-left',
      takenAt: new Date().toISOString(),
      dose: '250 mcg',
    });
    await api.post('/api/injection-sites', {
      site: 'deltoid-left',
      takenAt: new Date().toISOString(),
      dose: 0.25,
    });
    const { body } = await api.get('/api/injection-sites/next');
    expect(body.data?.['suggestion']).toEqual({
      site: 'deltoid-right',
      why: 'unused',
      days: null,
      reason: 'You have not used this site yet.',
    });
    const { body: list } = await api.get('/api/injection-sites');
    expect(list.data).toMatchObject({
      total: 2,
      injectionSites: [
        { dose: 0.25, doseUnit: 'mg', pain: null },
        { dose: 250, doseUnit: 'mcg', pain: null },
      ],
    });
  });

  it.each([
    [
      '/api/injection-sites',
      'injectionSites',
      (day: string) => ({ site: 'deltoid-left', takenAt: `${day}T08:00:00Z` }),
    ],
    ['/api/nutrition', 'nutrition', (date: string) => ({ date, calories: 2100 })],
    [
      '/api/health',
      'measurements',
      (day: string) => ({ metric: 'weight', value: 80, measuredAt: `${day}T08:00:00Z` }),
    ],
    [
      '/api/side-effects',
      'sideEffects',
      (day: string) => ({ name: 'Rash', severity: 2, startedAt: `${day}T08:00:00Z` }),
    ],
  ])('of %s can be listed by their days', async (path, name, sent) => {
    const api = await world.premium();
    for (const day of ['2026-01-05', '2026-01-06', '2026-01-07'])
      expect((await api.post(path, sent(day))).status).toBe(201);
    const total = async (query: Record<string, string>) => {
      const { data } = (await api.get(path, query)).body;
      return [data?.['total'], (data?.[name] as object[]).length];
    };
    expect(await total({ start: '2026-01-06' })).toEqual([2, 2]);
    expect(await total({ end: '2026-01-06' })).toEqual([2, 2]);
    expect(await total({ start: '2026-01-06', end: '2026-01-06' })).toEqual([1, 1]);
    expect((await api.get(path, { start: '2026-01-06', end: '2026-01-05' })).status).toBe(400);
  });

  it('keep one entry per day, and a value in its measure’s unit', async () => {
    const api = await world.premium();
    await api.post('/api/nutrition', { date: '2026-01-05', calories: 2100 });
    const again = await api.post('/api/nutrition', { date: '2026-01-05', water: 2000 });
    expect(again.body.data?.['nutrition']).toMatchObject({ calories: 2100, water: 2000, protein: null });
    const weight = await api.post('/api/health', {
      metric: 'weight',
      value: 180,
      unit: 'lb',
      measuredAt: '2026-01-05T08:00:00Z',
    });
    expect(weight.body.data?.['measurement']).toMatchObject({ value: 180, text: '180', unit: 'lb' });
    expect(weight.body.data?.['warnings']).toEqual([]);
  });

  it('take back a measurement as it was read, and never a number with another unit than it was read with', async () => {
    const api = await world.premium();
    const created = await api.post('/api/health', {
      metric: 'weight',
      value: '173.0',
      unit: 'lb',
      measuredAt: '2026-01-05T08:00:00Z',
    });
    const { id } = created.body.data?.['measurement'] as { id: string };
    const at = `/api/health/${id}`;
    const read = async () => {
      const one = (await api.get(at)).body.data?.['measurement'] as { value: number; unit: string };
      const { body } = await api.get('/api/health', { metric: 'weight' });
      expect(body.data?.['measurements']).toEqual([one]);
      return one;
    };
    const first = await read();
    expect(first).toMatchObject({ value: 173, unit: 'lb' });
    expect((await api.put(at, { ...first, value: first.value + 1 })).status).toBe(200);
    expect(await read()).toMatchObject({ value: 174, text: '174', unit: 'lb' });
    // The export has the same pair, and so does an account that imports it.
    const { text: file } = await api.call('GET', '/api/export', {
      query: { format: 'csv', types: 'measurements' },
    });
    expect(file).toMatch(/,174,lb,/);
    // With only the unit changed, the sent pair is meant; without the number nothing is.
    expect((await api.put(at, { ...(await read()), unit: 'kg' })).body.data?.['measurement']).toMatchObject({
      value: 174,
      unit: 'kg',
    });
    const alone = await api.put(at, { unit: 'lb' });
    expect([alone.status, Object.keys(alone.body.fields ?? {})]).toEqual([400, ['value']]);
    expect(await read()).toMatchObject({ value: 174, unit: 'kg' });
    expect((await api.put(at, { value: 80 })).body.data?.['measurement']).toMatchObject({
      value: 80,
      unit: 'kg',
    });
  });

  it('take back a site’s dose only with its unit', async () => {
    const api = await world.premium();
    const dose = { site: 'deltoid-left', takenAt: '2026-01-05T08:00:00Z', dose: 250, doseUnit: 'mcg' };
    const { body } = await api.post('/api/injection-sites', dose);
    const read = body.data?.['injectionSite'] as { id: string; dose: number };
    const at = `/api/injection-sites/${read.id}`;
    const alone = await api.put(at, { doseUnit: 'mg' });
    expect([alone.status, Object.keys(alone.body.fields ?? {})]).toEqual([400, ['dose']]);
    const changed = await api.put(at, { ...read, dose: 300 });
    expect(changed.body.data?.['injectionSite']).toMatchObject({ dose: 300, doseUnit: 'mcg' });
    const both = await api.put(at, { dose: 0.3, doseUnit: 'mg' });
    expect(both.body.data?.['injectionSite']).toMatchObject({ dose: 0.3, doseUnit: 'mg' });
  });

  it('warn about a blood pressure whose numbers seem swapped, and still write it', async () => {
    const api = await world.premium();
    const measuredAt = '2026-01-05T08:00:00Z';
    const measure = async (metric: string, value: number, at = measuredAt) =>
      (await api.post('/api/health', { metric, value, measuredAt: at })).body.data ?? {};
    expect((await measure('systolic', 80))['warnings']).toEqual([]);
    const lower = await measure('diastolic', 120);
    expect(lower['warnings']).toMatchObject([
      { code: 'PRESSURE_SWAPPED', message: expect.any(String) as string },
    ]);
    expect(lower['measurement']).toMatchObject({ value: 120 });
    expect((await measure('diastolic', 120, '2026-01-05T08:01:00Z'))['warnings']).toEqual([]);
    const { id } = lower['measurement'] as { id: string };
    const change = async (value: number) =>
      (await api.put(`/api/health/${id}`, { value })).body.data?.['warnings'];
    expect(await change(60)).toEqual([]);
    expect(await change(80)).toMatchObject([{ code: 'PRESSURE_SWAPPED' }]);
  });
});

import { describe, expect, it } from 'vitest';
import { BLEND_VECTORS } from '#tests/support/blend-vectors.ts';
import type { ApiClient } from './client.ts';
import { useApi } from './world.ts';

/** Calculations and export through the API. */
const world = useApi();

const CALCULATION = { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25, peptideName: 'BPC-157' };

const save = (api: ApiClient, more: object = {}) =>
  api.post('/api/calculations', { ...CALCULATION, ...more });
const idOf = (body: { data?: Record<string, unknown> }) => (body.data?.['calculation'] as { id: string }).id;

describe('a calculation', () => {
  it('is calculated exactly and saved', async () => {
    const { status, body } = await save(await world.premium(), { peptideAmount: 2.01, notes: 'first' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      calculation: {
        id: expect.stringMatching(/^calc_/) as string,
        type: 'reconstitution',
        peptideName: 'BPC-157',
        peptideAmount: 2.01,
        concentration: 1.005,
        concentrationText: '1.01',
        injectionVolume: 0.24875621890547264,
        injectionVolumeText: '0.249',
        notes: 'first',
        isSessionOnly: false,
      },
      warnings: [],
    });
  });

  it('accepts numbers and decimal strings', async () => {
    const api = await world.premium();
    const texts = await save(api, { peptideAmount: '5', waterVolume: '2.0', desiredDose: '0,25' });
    const numbers = await save(api);
    const figures = ({ data }: typeof texts.body) => {
      const {
        id: _id,
        createdAt: _at,
        updatedAt: _then,
        ...rest
      } = data?.['calculation'] as Record<string, unknown>;
      return rest;
    };
    expect(figures(texts.body)).toEqual(figures(numbers.body));
  });

  it('uses the measured content on request, and shows the difference', async () => {
    const api = await world.premium();
    const saved = await save(api, { measuredAmount: 4.8 });
    expect(saved.status).toBe(201);
    expect(saved.body.data?.['calculation']).toMatchObject({
      peptideAmount: 5,
      measuredAmount: 4.8,
      measuredNote: expect.stringContaining(
        '10 units), 0.417 units less, for a true dose of 0.24 mg',
      ) as string,
      components: [{ name: 'BPC-157', amount: 4.8, concentration: 2.4, dose: 0.25 }],
      concentrationText: '2.40',
      unitsText: '10.42',
    });
    const again = await api.get(`/api/calculations/${idOf(saved.body)}`);
    expect(again.body.data?.['calculation']).toEqual(saved.body.data?.['calculation']);
    const plain = await save(api, { measuredAmount: null });
    expect(plain.body.data?.['calculation']).toMatchObject({
      measuredAmount: null,
      measuredNote: null,
      unitsText: '10',
    });
    expect((await save(api, { measuredAmount: 101 })).status).toBe(400);
  });

  it.each(BLEND_VECTORS)('of a blend returns each component, and is saved: $components', async (vector) => {
    const api = await world.premium();
    const { components, doseOf } = vector;
    const dose = vector.dosesMg[components.findIndex(({ name }) => name === doseOf)];
    const body = { components, doseOf, waterVolume: vector.water, desiredDose: dose };
    const saved = await api.post('/api/calculations', body);
    expect(saved.status).toBe(201);
    const { calculation } = saved.body.data as { calculation: Record<string, unknown> };
    expect(calculation).toMatchObject({
      doseOf,
      injectionVolumeText: vector.volume,
      unitsText: vector.units,
    });
    expect(calculation['components']).toEqual(
      components.map(({ name, amount }, at) => ({
        name,
        amount: Number(amount),
        concentration: expect.closeTo(Number(vector.concentrations[at]), 2) as number,
        dose: vector.dosesMg[at],
      })),
    );
    const again = await api.get(`/api/calculations/${String(calculation['id'])}`);
    expect(again.body.data?.['calculation']).toEqual(calculation);
    const exported = await api.get('/api/export?format=json&types=calculations');
    const text = components.map(({ name, amount }) => `${name}:${amount}`).join(';');
    expect(JSON.stringify(exported.body)).toContain(`"components":"${text}","doseOf":"${doseOf}"`);
  });

  it.each([
    [
      {
        components: [
          { name: 'BPC-157', amount: 5 },
          { name: 'BPC 157', amount: 5 },
        ],
      },
      'components',
    ],
    [{ components: [{ name: 'BPC-157', amount: 5 }], doseOf: 'KPV' }, 'doseOf'],
    [
      {
        components: [
          { name: 'A', amount: 5 },
          { name: 'B', amount: 6 },
        ],
        peptideAmount: 11,
      },
      'peptideAmount',
    ],
  ])('refuses %j', async (more, field) => {
    const api = await world.premium();
    const { status, body } = await api.post('/api/calculations', { waterVolume: 2, desiredDose: 1, ...more });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]]);
  });

  it.each([
    ['mcg', 'mg', { peptideAmount: 5, desiredDose: 250, desiredDoseUnit: 'mcg' }],
    ['IU', 'IU', { peptideAmount: 5000, amountUnit: 'IU', desiredDose: 250, desiredDoseUnit: 'IU' }],
  ])('takes a dose in %s, and answers in the unit of the amount', async (_, amountUnit, more) => {
    const { status, body } = await save(await world.premium(), more);
    expect([status, body.data?.['calculation']]).toMatchObject([
      201,
      { amountUnit, desiredDose: amountUnit === 'IU' ? 250 : 0.25, injectionVolume: 0.1 },
    ]);
  });

  it('warns, and still saves', async () => {
    const { body } = await save(await world.premium(), { desiredDose: 0.01 });
    expect(body.data?.['warnings']).toMatchObject([{ code: 'SMALL_VOLUME' }, {}]);
  });

  it.each([
    [{ peptideAmount: 101 }, 'peptideAmount', 'Peptide amount must be between 0.1mg and 100mg'],
    [{ waterVolume: 11 }, 'waterVolume', 'Water volume must be between 0.5ml and 10ml'],
    [{ desiredDose: 6 }, 'desiredDose', 'Desired dose must be positive and less than total peptide amount'],
    [
      { desiredDose: { $gt: '' } },
      'desiredDose',
      'Desired dose must be positive and less than total peptide amount',
    ],
    [{ peptideAmount: ['5'] }, 'peptideAmount', 'Peptide amount must be between 0.1mg and 100mg'],
    [{ desiredDoseUnit: 'g' }, 'desiredDoseUnit', 'Dose unit must be mg, mcg or IU'],
    [{ userId: 'x' }, 'userId', 'Unknown field'],
  ])('%j is refused at its field', async (more, field, message) => {
    const { status, body } = await save(await world.premium(), more);
    expect(status).toBe(400);
    expect(body.fields).toEqual({ [field]: [message] });
  });

  it('can be read and deleted only by its owner', async () => {
    const [owner, other] = [await world.premium(), await world.premium()];
    const at = `/api/calculations/${idOf((await save(owner)).body)}`;
    const missing = await other.get('/api/calculations/calc_1');
    for (const answer of [await other.get(at), await other.delete(at)])
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    expect((await owner.get(at)).status).toBe(200);
    expect((await owner.delete(at)).status).toBe(200);
    expect((await owner.get(at)).status).toBe(404);
  });
});

describe('the list', () => {
  it('has pages, sorting and a search', async () => {
    const api = await world.premium();
    for (const peptideName of ['A', 'B', 'C']) await save(api, { peptideName });
    const names = async (query: Record<string, string>) => {
      const { data } = (await api.get('/api/calculations', query)).body;
      return (data?.['calculations'] as { peptideName: string }[]).map(({ peptideName }) => peptideName);
    };
    expect(await names({})).toEqual(['C', 'B', 'A']);
    expect(await names({ limit: '2', page: '2' })).toEqual(['A']);
    expect(await names({ sort: 'name' })).toEqual(['A', 'B', 'C']);
    expect(await names({ search: 'b' })).toEqual(['B']);
    expect(await names({ page: '7' })).toEqual([]);
    expect((await api.get('/api/calculations')).body.data).toMatchObject({ page: 1, limit: 20, total: 3 });
  });

  it.each([
    ['page', '-1'],
    ['page', '0'],
    ['page', '1.5'],
    ['limit', '1000000000'],
    ['limit', '101'],
    ['limit', 'many'],
    ['sort', 'passwordHash'],
    ['search', 'x'.repeat(201)],
    ['search[$ne]', '1'],
    ['userId', 'x'],
  ])('refuses %s=%s', async (name, value) => {
    const { status, body } = await (await world.free()).get('/api/calculations', { [name]: value });
    expect(status).toBe(400);
    expect(Object.keys(body.fields ?? {})).toEqual([name]);
  });

  it('rejects a repeated name', async () => {
    const { status } = await (await world.free()).get('/api/calculations?page=1&page=2');
    expect(status).toBe(400);
  });

  it('says when nothing has changed', async () => {
    const api = await world.premium();
    await save(api);
    const tag = (await api.get('/api/calculations')).headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\//);
    const ask = () => api.call('GET', '/api/calculations', { headers: { 'if-none-match': `"x", ${tag}` } });
    const same = await ask();
    expect([same.status, same.text]).toEqual([304, '']);
    await save(api);
    expect((await ask()).status).toBe(200);
  });

  it('has the same contents as the page, including statistics', async () => {
    const api = await world.premium();
    await save(api);
    expect((await api.get('/api/calculations/stats/summary')).body.data).toEqual({
      totalCalculations: 1,
      uniqueCompounds: 1,
      lastSevenDays: 1,
      averageConcentration: 2.5,
      averageConcentrationText: '2.50',
    });
  });
});

describe('the export', () => {
  it('is a file in each format', async () => {
    const api = await world.premium();
    const id = idOf((await save(api)).body);
    const csv = await api.get('/api/export', { format: 'csv', types: 'calculations' });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('content-disposition')).toMatch(/filename="vialbook-export-\d{4}-\d\d-\d\d\.csv"/);
    expect(csv.text).toContain(id);
    const json = JSON.parse((await api.get('/api/export', { metadata: 'false' })).text) as Record<
      string,
      unknown[]
    >;
    expect(Object.keys(json)).toEqual(['calculations', 'compounds', 'schedules']);
    expect(json['calculations']).toMatchObject([{ id, concentrationText: '2.50' }]);
    expect((await api.get('/api/export', { format: 'pdf' })).text.slice(0, 5)).toBe('%PDF-');
  });

  it('contains only the requested days, and is a valid file even if empty', async () => {
    const api = await world.premium();
    await save(api);
    const query = { from: '2020-01-01', to: '2020-01-31', types: 'calculations,nutrition', metadata: '0' };
    const { status, text } = await api.get('/api/export', query);
    expect([status, JSON.parse(text)]).toEqual([200, { calculations: [], nutrition: [] }]);
  });

  it('requires Premium for premium types', async () => {
    const { status, body } = await (await world.free()).get('/api/export', { types: 'nutrition' });
    expect([status, body.error]).toEqual([402, 'PREMIUM_REQUIRED']);
  });

  it.each([
    ['format', 'exe', 'format'],
    ['types', 'users', 'types'],
    ['from', '2026-02-30', 'from'],
    ['metadata', 'maybe', 'metadata'],
  ])('refuses %s=%s', async (name, value, field) => {
    const { status, body } = await (await world.free()).get('/api/export', { [name]: value });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]]);
  });
});

describe('the water for several doses', () => {
  const DOSES = [2.5, 5, 7.5, 10, 12.5, 15];

  it('is found for a free account, and nothing is saved', async () => {
    const api = await world.free();
    const { status, body } = await api.post('/api/calculations/ladder', { peptideAmount: 30, doses: DOSES });
    expect(status).toBe(200);
    const data = body.data as { exact: boolean; choices: { waterVolume: number; doses: unknown[] }[] };
    expect(data.exact).toBe(true);
    expect(data.choices.map(({ waterVolume }) => waterVolume)).toEqual([1.8, 1.2, 0.6]);
    expect(data.choices[1]).toEqual({
      waterVolume: 1.2,
      doses: DOSES.map((dose, at) => ({ dose, volume: (at + 1) / 10, units: (at + 1) * 10, error: 0 })),
      worstError: 0,
    });
    expect((await api.get('/api/calculations')).body.data).toMatchObject({ total: 0 });
  });

  it('takes doses in mcg, and says which fields are wrong', async () => {
    const api = await world.free();
    const ask = (body: object) => api.post('/api/calculations/ladder', body);
    const texts = await ask({ peptideAmount: '5', doses: ['250', '0.5 mg'], desiredDoseUnit: 'mcg' });
    expect(texts.status).toBe(200);
    const { choices } = texts.body.data as { choices: { doses: { dose: number }[] }[] };
    expect(choices[0]?.doses.map(({ dose }) => dose)).toEqual([250, 500]);
    const { status, body } = await ask({ peptideAmount: 5, doses: [1, 6], capacityMl: 11 });
    expect([status, Object.keys(body.fields ?? {}).toSorted()]).toEqual([400, ['capacityMl', 'doses']]);
  });
});

import { describe, expect, it } from 'vitest';
import type { ApiClient } from './client.ts';
import { useApi } from './world.ts';

/** Vials through the API. */
const world = useApi();

const COMPOUND = { name: 'BPC-157', concentration: 2.5, totalAmount: 5, reconstitutionDate: '2026-11-20' };

type Compound = Record<string, unknown> & { id: string };
const add = (api: ApiClient, more: object = {}) => api.post('/api/compounds', { ...COMPOUND, ...more });
const compoundOf = ({ body }: { body: { data?: Record<string, unknown> } }) =>
  body.data?.['compound'] as Compound;

describe('a vial', () => {
  it('is added and read back', async () => {
    const api = await world.premium();
    const added = await add(api, { storageTemp: '2–8 °C', notes: 'first' });
    expect(added.status).toBe(201);
    const compound = compoundOf(added);
    expect(compound).toMatchObject({
      id: expect.stringMatching(/^vial_/) as string,
      concentration: 2.5,
      totalAmount: 5,
      remainingAmount: 5,
      status: 'reconstituted',
      isActive: true,
      expirationDate: null,
      beyondUseDate: '2026-12-18',
      notes: 'first',
    });
    expect(compoundOf(await api.get(`/api/compounds/${compound.id}`))).toEqual(compound);
    const list = await api.get('/api/compounds');
    expect(list.body.data).toEqual({ compounds: [compound], page: 1, limit: 20, total: 1, next: null });
  });

  it('warns about a future reconstitution date, and still writes it', async () => {
    const api = await world.premium();
    const added = await add(api, { reconstitutionDate: '2199-01-01' });
    expect([added.status, added.body.data?.['warnings']]).toMatchObject([
      201,
      [{ code: 'RECONSTITUTED_IN_FUTURE', message: expect.stringContaining('in the future') as string }],
    ]);
    expect(compoundOf(added).reconstitutionDate).toBe('2199-01-01');
    const path = `/api/compounds/${compoundOf(added).id}`;
    const change = async (body: object) => (await api.put(path, body)).body.data?.['warnings'];
    expect(await change({ notes: 'a day that was not sent is not warned of' })).toEqual([]);
    expect(await change({ reconstitutionDate: '2026-11-20' })).toEqual([]);
    expect(await change({ reconstitutionDate: '2198-01-01' })).toMatchObject([
      { code: 'RECONSTITUTED_IN_FUTURE' },
    ]);
    expect((await add(api)).body.data?.['warnings']).toEqual([]);
  });

  it('accepts amount and water instead of total and concentration, and reports contradictions', async () => {
    const api = await world.premium();
    const { concentration: _c, totalAmount: _t, ...rest } = COMPOUND;
    const added = await api.post('/api/compounds', { ...rest, amountMg: '5', waterMl: 3 });
    expect(compoundOf(added)).toMatchObject({
      totalAmount: 5,
      waterMl: 3,
      concentration: 5 / 3,
      concentrationText: '1.67',
    });
    expect((await add(api, { waterMl: 3 })).body).toMatchObject({
      error: 'INVALID_INPUT',
      fields: { concentration: [expect.any(String)] },
    });
    expect((await add(api, { amountMg: 6 })).body).toMatchObject({
      fields: { amountMg: [expect.any(String)] },
    });
  });

  it.each([['name'], ['concentration'], ['totalAmount']])('needs its %s', async (field) => {
    const { status, body } = await add(await world.premium(), { [field]: undefined });
    expect(status).toBe(400);
    expect(body.fields).toHaveProperty(field);
  });

  it('changes only what is sent', async () => {
    const api = await world.premium();
    const before = compoundOf(await add(api, { notes: 'kept' }));
    const changed = await api.put(`/api/compounds/${before.id}`, { lot: 'A1' });
    expect(compoundOf(changed)).toEqual({
      ...before,
      lot: 'A1',
      lotId: expect.stringMatching(/^lot_/) as string,
      updatedAt: expect.any(String) as string,
    });
  });

  it('is corrected within its limits, with a ledger entry', async () => {
    const api = await world.premium();
    const { id } = compoundOf(await add(api));
    const patch = (remainingAmount: unknown) =>
      api.patch(`/api/compounds/${id}/remaining`, { remainingAmount });
    expect(compoundOf(await patch(3.5))).toMatchObject({ remainingAmount: 3.5 });
    for (const wrong of [-1, 5.1, 'all', null, { $gt: 0 }])
      expect((await patch(wrong)).status, String(wrong)).toBe(400);
    const { body } = await api.get(`/api/compounds/${id}`);
    expect(body.data?.['ledger']).toMatchObject([{ kind: 'correction', amount: -1.5 }]);
  });

  it('is deleted', async () => {
    const api = await world.premium();
    const { id } = compoundOf(await add(api));
    expect((await api.delete(`/api/compounds/${id}`)).status).toBe(200);
    expect((await api.get(`/api/compounds/${id}`)).status).toBe(404);
  });
});

describe('the plan', () => {
  it('of a free account allows three vials, then returns 402', async () => {
    const api = await world.free();
    for (let count = 0; count < 3; count += 1) expect((await add(api)).status).toBe(201);
    const { status, body } = await add(api);
    expect(status).toBe(402);
    expect(body).toMatchObject({
      success: false,
      error: 'PLAN_LIMIT',
      message: expect.stringContaining('3 active vials') as string,
    });
  });
});

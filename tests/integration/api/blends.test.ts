import { describe, expect, it } from 'vitest';
import type { ApiClient } from './client.ts';
import { useApi } from './world.ts';

/** Vials with several peptides, and everything that counts a dose from one. */
const world = useApi();

const COMPONENTS = [
  { name: 'BPC-157', amount: 5 },
  { name: 'TB-500', amount: '10' },
];

type Answer = Awaited<ReturnType<ApiClient['get']>>;
type Compound = Record<string, unknown> & { id: string; components: Record<string, unknown>[] };
const data = ({ body }: Answer, field: string) => body.data?.[field];
const compoundOf = (answer: Answer) => data(answer, 'compound') as Compound;

const addBlend = async (api: ApiClient, more: object = {}) =>
  compoundOf(
    await api.post('/api/compounds', {
      components: COMPONENTS,
      waterMl: 2,
      reconstitutionDate: '2026-11-20',
      ...more,
    }),
  );
const left = async (api: ApiClient, id: string) =>
  compoundOf(await api.get(`/api/compounds/${id}`)).components.map(({ remainingAmount }) => remainingAmount);

const PLAN = {
  doseAmount: 0.25,
  doseUnit: 'mg',
  frequency: { kind: 'daily' },
  times: ['08:00'],
  timeZone: 'UTC',
};
const today = () => new Date().toISOString().slice(0, 10);
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** A plan that began yesterday, and its first dose. */
async function firstDose(
  api: ApiClient,
  more: object,
): Promise<{ schedule: Record<string, unknown>; id: string }> {
  const made = await api.post('/api/schedules', {
    ...PLAN,
    startDate: yesterday(),
    endDate: today(),
    ...more,
  });
  expect([made.status, made.body.message]).toEqual([201, 'Schedule created successfully']);
  const schedule = data(made, 'schedule') as { id: string };
  const listed = await api.get(`/api/schedules/doses?startDate=${yesterday()}&endDate=${today()}`);
  const doses = data(listed, 'doses') as { id: string; scheduleId: string }[];
  const dose = doses.find(({ scheduleId }) => scheduleId === schedule.id);
  return { schedule, id: dose?.id ?? '' };
}

describe('a vial of a blend', () => {
  it('is added with its components, each of which is counted', async () => {
    const api = await world.premium();
    const vial = await addBlend(api);
    expect(vial).toMatchObject({
      name: 'BPC-157 + TB-500',
      totalAmount: 5,
      concentration: 2.5,
      components: [
        { name: 'BPC-157', amount: 5, remainingAmount: 5, concentration: 2.5, concentrationText: '2.50' },
        { name: 'TB-500', amount: 10, remainingAmount: 10, concentration: 5, concentrationText: '5.00' },
      ],
    });
    const corrected = await api.patch(`/api/compounds/${vial.id}/remaining`, { remainingAmount: 4 });
    expect(compoundOf(corrected).components).toMatchObject([{ remainingAmount: 4 }, { remainingAmount: 8 }]);
    const found = await api.get('/api/compounds?search=tb-500');
    expect(data(found, 'compounds')).toMatchObject([{ id: vial.id }]);
  });

  it('with one component is a single peptide, and a single peptide has one component', async () => {
    const api = await world.premium();
    const one = await addBlend(api, { components: [{ name: 'KPV', amount: 10 }] });
    expect(one).toMatchObject({ name: 'KPV', totalAmount: 10, components: [{ name: 'KPV', amount: 10 }] });
  });

  it.each([
    ['an amount beside them', { totalAmount: 6 }, 'totalAmount'],
    ['the name of a component', { name: 'bpc 157' }, 'name'],
    ['another name than its one component', { name: 'A', components: [{ name: 'B', amount: 1 }] }, 'name'],
    ['a component twice', { components: [...COMPONENTS, { name: 'tb500', amount: 1 }] }, 'components'],
    [
      'seven components',
      { components: 'abcdefg'.split('').map((name) => ({ name, amount: 1 })) },
      'components',
    ],
    ['a concentration that does not match', { concentration: 3 }, 'concentration'],
  ])('is refused with %s', async (_what, more, field) => {
    const api = await world.premium();
    const { status, body } = await api.post('/api/compounds', {
      components: COMPONENTS,
      waterMl: 2,
      ...more,
    });
    expect([status, Object.keys(body.fields ?? {}).map((name) => name.split('.')[0])]).toEqual([
      400,
      [field],
    ]);
  });

  it('keeps what was drawn and the order of its components when its label is corrected', async () => {
    const api = await world.premium();
    const vial = await addBlend(api);
    await api.patch(`/api/compounds/${vial.id}/remaining`, { remainingAmount: 4 });
    const path = `/api/compounds/${vial.id}`;
    const corrected = await api.put(path, {
      components: [
        { name: 'BPC-157', amount: 5 },
        { name: 'TB-500 acetate', amount: 5 },
      ],
    });
    expect(compoundOf(corrected).components).toMatchObject([
      { name: 'BPC-157', remainingAmount: 4 },
      { name: 'TB-500 acetate', remainingAmount: 4 },
    ]);
    const fewer = await api.put(path, { components: null, totalAmount: 5 });
    expect([fewer.status, Object.keys(fewer.body.fields ?? {})]).toEqual([400, ['components']]);
  });
});

describe('a dose of a blend', () => {
  it('reduces every component, returns what was taken of each, and is undone exactly', async () => {
    const api = await world.premium();
    const vial = await addBlend(api);
    const { schedule, id } = await firstDose(api, {
      name: vial['name'],
      compoundId: vial.id,
      doseOf: 'TB-500',
    });
    expect(schedule).toMatchObject({
      doseOf: 'TB-500',
      components: [
        { name: 'BPC-157', amount: 5 },
        { name: 'TB-500', amount: 10 },
      ],
    });
    const taken = await api.patch(`/api/schedules/doses/${id}/taken`, {});
    expect(data(taken, 'dose')).toMatchObject({
      doseOf: 'TB-500',
      components: [
        { name: 'BPC-157', dose: 0.125 },
        { name: 'TB-500', dose: 0.25 },
      ],
      draws: [{ compoundId: vial.id, mg: 0.25 }],
    });
    expect(await left(api, vial.id)).toEqual([4.875, 9.75]);
    expect(data(await api.get(`/api/compounds/${vial.id}`), 'ledger')).toMatchObject([
      { kind: 'dose', amount: -0.25, component: 'TB-500' },
    ]);
    await api.patch(`/api/schedules/doses/${id}/undo`);
    expect(await left(api, vial.id)).toEqual([5, 10]);
  });

  it('records what was injected of each component at its site', async () => {
    const api = await world.premium();
    const vial = await addBlend(api);
    const { id } = await firstDose(api, { name: 'Healing', compoundId: vial.id, doseOf: 'TB-500' });
    await api.patch(`/api/schedules/doses/${id}/taken`, { site: 'deltoid-left' });
    const listed = data(await api.get('/api/injection-sites'), 'injectionSites') as { id: string }[];
    const ofBlend = {
      ...{ doseId: id, name: 'Healing', dose: 0.25, doseUnit: 'mg', doseOf: 'TB-500' },
      components: [
        { name: 'BPC-157', dose: 0.125 },
        { name: 'TB-500', dose: 0.25 },
      ],
    };
    expect(listed).toMatchObject([ofBlend]);
    const path = `/api/injection-sites/${listed[0]?.id ?? ''}`;
    expect(data(await api.put(path, { pain: 2 }), 'injectionSite')).toMatchObject({ ...ofBlend, pain: 2 });
    const alone = { site: 'deltoid-right', takenAt: '2026-01-02T08:00:00Z' };
    const single = await api.post('/api/injection-sites', {
      ...alone,
      name: 'KPV',
      dose: 500,
      doseUnit: 'mcg',
    });
    expect(data(single, 'injectionSite')).toMatchObject({
      doseOf: null,
      components: [{ name: 'KPV', dose: 500 }],
    });
    const bare = data(await api.post('/api/injection-sites', alone), 'injectionSite');
    expect(bare).toMatchObject({ doseOf: null, components: [] });
  });

  it('keeps its component when that is renamed, and is never drawn as another', async () => {
    const api = await world.premium();
    const vial = await addBlend(api);
    const { id } = await firstDose(api, { name: 'Healing', compoundId: vial.id, doseOf: 'TB-500' });
    await api.put(`/api/compounds/${vial.id}`, {
      components: [COMPONENTS[0], { name: 'TB-500 acetate', amount: 10 }],
    });
    const taken = await api.patch(`/api/schedules/doses/${id}/taken`, {});
    expect(data(taken, 'dose')).toMatchObject({
      components: [
        { name: 'BPC-157', dose: 0.125 },
        { name: 'TB-500 acetate', dose: 0.25 },
      ],
    });
    await api.patch(`/api/schedules/doses/${id}/undo`);
    const other = await addBlend(api, { components: [COMPONENTS[0], { name: 'KPV', amount: 10 }] });
    const refused = await api.patch(`/api/schedules/doses/${id}/taken`, {
      compoundId: other.id,
      confirm: true,
    });
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([400, ['compoundId']]);
    expect(await left(api, other.id)).toEqual([5, 10]);
  });

  it('is planned with the names and amounts currently on the label', async () => {
    const api = await world.premium();
    const vial = await addBlend(api);
    const endDate = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const plan = { name: 'Healing', compoundId: vial.id, doseOf: 'TB-500', endDate };
    const { schedule } = await firstDose(api, plan);
    const single = await firstDose(api, { name: 'KPV', endDate });
    await api.put(`/api/compounds/${vial.id}`, {
      components: [
        { name: 'BPC-157', amount: 4 },
        { name: 'TB-500 acetate', amount: 10 },
      ],
    });
    const { id } = schedule as { id: string };
    const now = data(await api.get(`/api/schedules/${id}`), 'schedule');
    expect(now).toMatchObject({
      doseOf: 'TB-500 acetate',
      components: [
        { name: 'BPC-157', amount: 4 },
        { name: 'TB-500 acetate', amount: 10 },
      ],
    });
    const listed = await api.get(
      `/api/schedules/doses?startDate=${today()}&endDate=${endDate}&status=pending`,
    );
    const doses = data(listed, 'doses') as { scheduleId: string; dueDate: string; components?: object[] }[];
    const ahead = doses.filter(({ dueDate }) => Date.parse(dueDate) > Date.now());
    const ofBlend = ahead.filter(({ scheduleId }) => scheduleId === id);
    expect(ofBlend.length).toBeGreaterThan(3);
    for (const { components } of ofBlend)
      expect(components).toMatchObject([
        { name: 'BPC-157', dose: 0.1 },
        { name: 'TB-500 acetate', dose: 0.25 },
      ]);
    expect(ahead.filter(({ scheduleId }) => scheduleId === single.schedule['id']).length).toBeGreaterThan(3);
  });

  it('is never drawn from a single peptide, nor a single peptide from a blend', async () => {
    const api = await world.premium();
    const blend = await addBlend(api);
    const alone = await firstDose(api, { name: 'BPC-157' });
    const taken = await api.patch(`/api/schedules/doses/${alone.id}/taken`, {});
    expect(data(taken, 'warnings')).toMatchObject([{ code: 'NO_OPEN_VIAL' }]);
    expect(await left(api, blend.id)).toEqual([5, 10]);
    const other = await addBlend(api, { components: [COMPONENTS[0], { name: 'TB-500', amount: 5 }] });
    const plan = await firstDose(api, {
      name: 'Healing',
      components: COMPONENTS,
      doseOf: 'BPC-157',
      times: ['12:00'],
    });
    await api.patch(`/api/schedules/doses/${plan.id}/taken`, { confirm: true });
    expect([await left(api, blend.id), await left(api, other.id)]).toEqual([
      [4.75, 9.5],
      [5, 5],
    ]);
  });

  it('asks if any component exceeds its ceiling, counting doses of that component alone', async () => {
    const api = await world.premium();
    const vial = await addBlend(api);
    await api.put('/api/ceilings', { name: 'TB-500', unit: 'mg', perDay: '0.9' });
    const alone = await firstDose(api, { name: 'TB-500', doseAmount: 0.5, times: ['00:00'] });
    await api.patch(`/api/schedules/doses/${alone.id}/taken`, {
      takenAt: new Date(Date.now() - 60_000).toISOString(),
    });
    const { id } = await firstDose(api, { name: vial['name'], compoundId: vial.id, doseOf: 'BPC-157' });
    const asked = await api.patch(`/api/schedules/doses/${id}/taken`, {
      takenAt: new Date(Date.now() - 60_000).toISOString(),
    });
    expect([asked.status, asked.body.error]).toEqual([409, 'CONFIRM_DOSE']);
    expect(JSON.stringify(asked.body)).toContain('TB-500: This dose brings that day’s total to 1 mg');
    expect(await left(api, vial.id)).toEqual([5, 10]);
    const sure = await api.patch(`/api/schedules/doses/${id}/taken`, { confirm: true });
    expect(data(sure, 'warnings')).toContainEqual(expect.objectContaining({ code: 'TOO_SOON' }));
    // And vice versa: what was taken in a blend counts for a dose of the component alone.
    await api.patch(`/api/schedules/doses/${alone.id}/undo`);
    const again = await api.patch(`/api/schedules/doses/${alone.id}/taken`, {});
    expect([again.status, again.body.error]).toEqual([409, 'CONFIRM_DOSE']);
  });

  it('rejects a plan for a component that the blend does not have', async () => {
    const api = await world.premium();
    const vial = await addBlend(api);
    const refuse = async (more: object) =>
      Object.keys(
        (await api.post('/api/schedules', { ...PLAN, startDate: today(), ...more })).body.fields ?? {},
      );
    expect(await refuse({ name: 'Healing', compoundId: vial.id, doseOf: 'KPV' })).toEqual(['doseOf']);
    expect(await refuse({ name: 'BPC-157', doseOf: 'TB-500' })).toEqual(['doseOf']);
    await api.put('/api/ceilings', { name: 'TB-500', unit: 'mg', perDose: '0.4' });
    const asked = await api.post('/api/schedules', {
      ...PLAN,
      startDate: today(),
      name: 'Healing',
      compoundId: vial.id,
    });
    expect([asked.status, asked.body.error]).toEqual([409, 'CONFIRM_DOSE']);
  });
});

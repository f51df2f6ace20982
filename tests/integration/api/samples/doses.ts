import type { ApiClient } from '../client.ts';
import type { Samples } from './sample.ts';

/** A pending dose of a new schedule. */
async function pending(owner: ApiClient) {
  const startDate = new Date().toISOString().slice(0, 10);
  const plan = { frequency: { kind: 'daily' }, times: ['08:00'], timeZone: 'UTC', startDate };
  const made = await owner.post('/api/schedules', {
    name: 'BPC-157',
    doseAmount: 250,
    doseUnit: 'mcg',
    ...plan,
  });
  const schedule = made.body.data?.['schedule'] as { id: string } | undefined;
  // How many doses of other schedules come before it depends on the time of day.
  for (let page = 1; ; page += 1) {
    const { body } = await owner.get('/api/schedules/doses', { status: 'pending', page: String(page) });
    const doses = (body.data?.['doses'] ?? []) as { id: string; scheduleId: string }[];
    const dose = doses.find(({ scheduleId }) => scheduleId === schedule?.id);
    // Callers who may not have doses use an unknown one.
    if (dose !== undefined || doses.length === 0) return { params: { id: dose?.id ?? '' } };
  }
}

/** A new schedule taken as needed. */
async function asNeeded(owner: ApiClient) {
  const plan = { name: 'BPC-157', doseAmount: 250, doseUnit: 'mcg', timeZone: 'UTC' };
  const made = await owner.post('/api/schedules', { ...plan, frequency: { kind: 'as-needed' } });
  const schedule = made.body.data?.['schedule'] as { id: string } | undefined;
  return { params: { id: schedule?.id ?? '' } };
}

const body = { notes: 'calm' };

export const doseSamples: Samples = {
  listCeilings: {},
  setCeiling: { prepare: () => ({ body: { name: 'BPC-157', unit: 'mcg', perDose: 500 } }) },
  getToday: {},
  listDoses: {
    prepare: () => ({ query: { status: 'pending', start: '2026-01-01', end: '2026-12-31' } }),
  },
  logDose: { prepare: () => ({ body: { name: 'TB-500', actualDose: '0.25', site: 'deltoid-left' } }) },
  takeAsNeeded: { prepare: async (owner) => ({ ...(await asNeeded(owner)), body }) },
  getDose: { prepare: pending },
  takeDose: { prepare: async (owner) => ({ ...(await pending(owner)), body: { actualDose: 300, ...body } }) },
  takeDoses: {
    async prepare(owner) {
      const { params } = await pending(owner);
      return { body: { ids: [params.id] } };
    },
    expect: { other: 404 },
  },
  missDose: { prepare: async (owner) => ({ ...(await pending(owner)), body }) },
  skipDose: { prepare: async (owner) => ({ ...(await pending(owner)), body }) },
  moveDose: {
    async prepare(owner) {
      const { params } = await pending(owner);
      const dueDate = new Date(Date.now() + 36 * 3_600_000).toISOString();
      return { params, body: { dueDate, scope: 'following' } };
    },
  },
  undoDose: {
    async prepare(owner) {
      const { params } = await pending(owner);
      await owner.patch(`/api/schedules/doses/${params.id}/skipped`, {});
      return { params };
    },
  },
  adherence: { prepare: () => ({ query: { start: '2026-01-01', end: '2026-03-01' } }) },
  scheduleStats: {},
  scheduleCalendar: { prepare: () => ({ query: { start: '2026-03-01', end: '2026-03-31' } }) },
};

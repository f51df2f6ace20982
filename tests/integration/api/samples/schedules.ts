import type { ApiClient } from '../client.ts';
import type { Samples } from './sample.ts';

/** A valid schedule. */
export const SCHEDULE = {
  name: 'BPC-157',
  doseAmount: 0.25,
  doseUnit: 'mg',
  frequency: { kind: 'daily' },
  times: ['08:00'],
  timeZone: 'Europe/Berlin',
  startDate: '2026-11-22',
};

/** Creates a schedule. @returns the parameters of its calls */
export async function savedSchedule(owner: ApiClient): Promise<{ params: { id: string } }> {
  const { body } = await owner.post('/api/schedules', SCHEDULE);
  const { id } = body.data?.['schedule'] as { id: string };
  return { params: { id } };
}

async function withFeed(owner: ApiClient) {
  await owner.put('/api/calendar-feed', {});
  return {};
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const scheduleSamples: Samples = {
  listSchedules: { prepare: () => ({ query: { limit: '5' } }) },
  createSchedule: { prepare: () => ({ body: SCHEDULE }) },
  previewSchedule: { prepare: () => ({ body: SCHEDULE }) },
  getSchedule: { prepare: savedSchedule },
  updateSchedule: {
    prepare: async (owner) => ({ ...(await savedSchedule(owner)), body: { times: ['09:00'] } }),
  },
  toggleSchedule: {
    prepare: async (owner) => ({ ...(await savedSchedule(owner)), body: { isActive: false } }),
  },
  savePause: {
    async prepare(owner) {
      const { params } = await savedSchedule(owner);
      return { params: { ...params, firstDay: inDays(10) }, body: { lastDay: inDays(12) } };
    },
  },
  endPause: {
    async prepare(owner) {
      const { params } = await savedSchedule(owner);
      const firstDay = inDays(10);
      await owner.patch(`/api/schedules/${params.id}/pauses/${firstDay}`, { lastDay: firstDay });
      return { params: { ...params, firstDay } };
    },
  },
  swapSchedule: {
    prepare: async (owner) => ({
      ...(await savedSchedule(owner)),
      body: { fromDay: inDays(3), name: 'TB-500', confirm: true },
    }),
  },
  undoSwap: {
    async prepare(owner) {
      const { params } = await savedSchedule(owner);
      const body = { fromDay: inDays(3), name: 'TB-500', confirm: true };
      const answer = await owner.post(`/api/schedules/${params.id}/swaps`, body);
      const schedule = answer.body.data?.['schedule'] as { swaps: { id: string }[] } | undefined;
      return { params: { ...params, swapId: schedule?.swaps[0]?.id ?? '' } };
    },
  },
  beginAgain: {
    async prepare(owner) {
      const { params } = await savedSchedule(owner);
      await owner.patch(`/api/schedules/${params.id}/toggle`, { isActive: false });
      return { params, body: { startDate: inDays(2), confirm: true } };
    },
  },
  deleteSchedule: { prepare: savedSchedule },
  getCalendarFeed: { prepare: withFeed },
  setCalendarFeed: {
    prepare: async (owner) => ({ ...(await withFeed(owner)), body: { privacy: 'busy', alarms: true } }),
  },
  deleteCalendarFeed: { prepare: withFeed },
};

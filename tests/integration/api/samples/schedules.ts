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

/** Makes a schedule. @returns the parameters of its calls */
export async function savedSchedule(owner: ApiClient): Promise<{ params: { id: string } }> {
  const { body } = await owner.post('/api/schedules', SCHEDULE);
  const { id } = body.data?.['schedule'] as { id: string };
  return { params: { id } };
}

export const scheduleSamples: Samples = {
  listSchedules: { given: () => ({ query: { limit: '5' } }) },
  createSchedule: { given: () => ({ body: SCHEDULE }) },
  previewSchedule: { given: () => ({ body: SCHEDULE }) },
  getSchedule: { given: savedSchedule },
  updateSchedule: {
    given: async (owner) => ({ ...(await savedSchedule(owner)), body: { times: ['09:00'] } }),
  },
  toggleSchedule: {
    given: async (owner) => ({ ...(await savedSchedule(owner)), body: { isActive: false } }),
  },
  deleteSchedule: { given: savedSchedule },
};

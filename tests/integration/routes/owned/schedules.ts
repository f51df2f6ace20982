import { expect } from 'vitest';
import { storedIn } from '../stored.ts';
import type { Web } from '../web.ts';
import type { WebClient } from '../web-client.ts';
import type { Owned } from './owned.ts';

/** A valid schedule, by the names of the form's controls. */
export const scheduleForm = (more: Record<string, string> = {}) => ({
  name: 'Mine alone',
  doseAmount: '250',
  doseUnit: 'mcg',
  'frequency.kind': 'daily',
  times: '08:00',
  timeZone: 'UTC',
  startDate: '2026-03-01',
  step: 'save',
  ...more,
});

/** Makes a schedule. @returns its id */
export async function makeSchedule(client: WebClient, more: Record<string, string> = {}): Promise<string> {
  const { status, location, body } = await client.post('/dashboard/schedule/new', scheduleForm(more));
  expect(status, body.slice(0, 300)).toBe(302);
  return location?.split('/').at(-1) ?? '';
}

const stored = async (web: Web, id: string) => (await storedIn(web.dataDir, 'schedules', { _id: id }))[0];

const page = (
  path: string,
  more: { form?: Record<string, string>; takesForms?: boolean },
  isAsMade: (row: Record<string, unknown>) => boolean,
): Owned => ({
  premium: true,
  async make(owner, web) {
    const id = await makeSchedule(owner);
    const isThere = async () => {
      const row = await stored(web, id);
      return row !== undefined && isAsMade(row);
    };
    return { at: `/dashboard/schedule/${id}${path}`, shows: 'Mine alone', isThere, ...more };
  },
});

export const daysFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Schedules, and what can be done to one. */
export const OWNED_SCHEDULES: Record<string, Owned> = {
  '/dashboard/schedule/:id': page('', { takesForms: false }, () => true),
  '/dashboard/schedule/:id/edit': page(
    '/edit',
    { form: scheduleForm({ name: 'Changed' }) },
    ({ name }) => name === 'Mine alone',
  ),
  '/dashboard/schedule/:id/pause': page(
    '/pause',
    { form: { isActive: 'false' } },
    ({ isActive }) => isActive === true,
  ),
  '/dashboard/schedule/:id/pauses': page(
    '/pauses',
    { form: { firstDay: daysFromNow(3), lastDay: daysFromNow(5) } },
    ({ pauses }) => pauses === undefined,
  ),
  '/dashboard/schedule/:id/swap': page(
    '/swap',
    { form: { fromDay: daysFromNow(3), name: 'Another', confirm: 'yes' } },
    ({ swaps }) => swaps === undefined,
  ),
  '/dashboard/schedule/:id/again': {
    premium: true,
    async make(owner, web) {
      const id = await makeSchedule(owner, { endDate: '2026-03-05' });
      const userId = (await stored(web, id))?.['userId'];
      const count = async () => (await storedIn(web.dataDir, 'schedules', { userId })).length;
      const before = await count();
      // Only its owner makes a schedule of it.
      const isThere = async () => (await count()) === before;
      const form = { startDate: daysFromNow(3), confirm: 'yes' };
      return { at: `/dashboard/schedule/${id}/again`, shows: 'Mine alone', isThere, form };
    },
  },
  '/dashboard/schedule/:id/take': {
    premium: true,
    async make(owner, web) {
      const id = await makeSchedule(owner, { 'frequency.kind': 'as-needed' });
      // Only its owner makes a dose of it.
      const isThere = async () => (await storedIn(web.dataDir, 'doses', { scheduleId: id })).length === 0;
      return { at: `/dashboard/schedule/${id}/take`, shows: 'Mine alone', isThere, form: { notes: 'calm' } };
    },
  },
  '/dashboard/schedule/:id/delete': page('/delete', {}, () => true),
  '/dashboard/schedule/:id/template': {
    premium: true,
    async make(owner, web) {
      const id = await makeSchedule(owner);
      // Keeping it as a template is what the owner's form does; until then there is none of this name.
      const title = `Template of ${id}`;
      const isThere = async () => {
        const templates = await storedIn(web.dataDir, 'schedule_templates', { title });
        return templates.length === 0;
      };
      return { at: `/dashboard/schedule/${id}/template`, shows: 'Mine alone', isThere, form: { title } };
    },
  },
  '/dashboard/schedule/templates/:id/delete': {
    premium: true,
    async make(owner, web) {
      const id = await makeSchedule(owner);
      const title = `Template of ${id}`;
      await owner.post(`/dashboard/schedule/${id}/template`, { title });
      const templates = () => storedIn(web.dataDir, 'schedule_templates', { title });
      const [made] = await templates();
      const isThere = async () => (await templates()).length === 1;
      return { at: `/dashboard/schedule/templates/${String(made?._id)}/delete`, shows: title, isThere };
    },
  },
};

import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { storedIn } from '../stored.ts';
import type { Owned } from './owned.ts';

/** Doses. What is "there" is one that nobody has said anything about. */
export const OWNED_DOSES: Record<string, Owned> = {
  '/dashboard/schedule/doses/:id': {
    premium: true,
    async make(owner, web) {
      const id = await asSomeone(web.dataDir, owner.email, async (ctx, { repos }) => {
        const today = new Date().toISOString().slice(0, 10);
        const plan = { frequency: { kind: 'daily' }, times: ['08:00'], timeZone: 'UTC', startDate: today };
        const dose = { name: 'Mine alone', doseAmount: '1', doseUnit: 'mg' };
        const schedule = await createSchedule(ctx, { ...plan, ...dose });
        const ownerId = ctx.actor.kind === 'user' ? ctx.actor.id : '';
        const [first] = await repos.doses.list(ownerId, { scheduleId: schedule.id, limit: 1 });
        return first?.id ?? '';
      });
      const isThere = async () =>
        (await storedIn(web.dataDir, 'doses')).some(
          (row) => String(row._id) === id && row['status'] === 'pending',
        );
      return {
        at: `/dashboard/schedule/doses/${id}`,
        shows: 'Mine alone',
        isThere,
        form: { intent: 'skipped' },
      };
    },
  },
};

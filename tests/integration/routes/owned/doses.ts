import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { storedIn } from '../stored.ts';
import type { Owned } from './owned.ts';

/** A dose of a new schedule at a page of its own. What is "there" is one that nobody has said anything about. */
function dosePage(page: string, form: () => Record<string, string>): Owned {
  return {
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
        (await storedIn(web.dataDir, 'doses', { _id: id })).some(
          (row) => row['status'] === 'pending' && row['movedAt'] === undefined,
        );
      return { at: `/dashboard/schedule/doses/${id}${page}`, shows: 'Mine alone', isThere, form: form() };
    },
  };
}

const inTwoDays = () => new Date(Date.now() + 50 * 3_600_000).toISOString().slice(0, 16);

export const OWNED_DOSES: Record<string, Owned> = {
  '/dashboard/schedule/doses/:id': dosePage('', () => ({ intent: 'skipped' })),
  '/dashboard/schedule/doses/:id/move': dosePage('/move', () => ({ dueDate: inTwoDays(), scope: 'this' })),
};

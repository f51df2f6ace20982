import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAdherence } from '#app/features/doses/adherence.server.ts';
import { markMissedDoses } from '#app/features/doses/dose-effects.server.ts';
import { missDose, skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { generateAllDoses, refreshScheduleDates } from '#app/features/schedules/dose-generation.server.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import { stockForecast } from '#app/features/vials/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { vial } from '#tests/support/vials.ts';
import { BODY, ownerIdOf, premiumPerson } from '#tests/support/schedule-people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const HOUR = 3_600_000;
const CONFIRMED = { confirmed: ['TOO_SOON' as const] };
const { times: _times, startDate: _day, ...PLAN } = BODY;
const EVERY_8 = { ...PLAN, frequency: { kind: 'after-last', everyHours: 8 } } as const;

const dosesOf = (ctx: Ctx, scheduleId: string) => db.repos.doses.list(ownerIdOf(ctx), { scheduleId });
const pendingOf = async (ctx: Ctx, id: string) =>
  (await dosesOf(ctx, id)).filter(({ status }) => status === 'pending');
const hours = (count: number) => new Date(db.clock.now().getTime() + count * HOUR);

/** What undo has to restore. */
const stateOf = async (ctx: Ctx, id: string) => {
  const doses = await dosesOf(ctx, id);
  const { nextDoseDate, lastDoseDate } = await getSchedule(ctx, id);
  return {
    doses: doses.map((dose) => [dose.id, dose.status, dose.dueDate, dose.takenAt, dose.notes]),
    nextDoseDate,
    lastDoseDate,
  };
};

async function planned(more: object = {}) {
  const ctx = await premiumPerson(db);
  const { id } = await createSchedule(ctx, { ...EVERY_8, ...more });
  const [first] = await dosesOf(ctx, id);
  return { ctx, id, firstId: first?.id ?? '' };
}

describe('a schedule that counts from the last dose', () => {
  it('has its first dose now, and creates the next one, one interval later, as soon as one is taken', async () => {
    const { ctx, id, firstId } = await planned();
    expect(await dosesOf(ctx, id)).toMatchObject([
      { id: firstId, status: 'pending', dueDate: db.clock.now() },
    ]);
    db.clock.advance(HOUR);
    await takeDose(ctx, firstId);
    expect(await pendingOf(ctx, id)).toMatchObject([
      { dueDate: hours(8), remindAt: new Date(hours(8).getTime() - 15 * 60_000), remindStage: 'upcoming' },
    ]);
    expect((await getSchedule(ctx, id)).nextDoseDate).toEqual(hours(8));
  });

  it('returns to its earlier state when taking or skipping is undone', async () => {
    const { ctx, id, firstId } = await planned();
    const before = await stateOf(ctx, id);
    for (const act of [takeDose, skipDose, missDose]) {
      await act(ctx, firstId);
      expect(await pendingOf(ctx, id)).toHaveLength(1);
      await undoDose(ctx, firstId);
      expect(await stateOf(ctx, id)).toEqual(before);
    }
    await takeDose(ctx, firstId);
    expect(await pendingOf(ctx, id)).toMatchObject([{ dueDate: hours(8) }]);
  });

  it('has exactly one next dose, however often and concurrently it is generated', async () => {
    const { ctx, id, firstId } = await planned();
    const taken = await Promise.allSettled([1, 2, 3, 4].map(() => takeDose(ctx, firstId)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const ownerId = ownerIdOf(ctx);
    const worker = () => db.ctx(TERMINAL);
    await Promise.all([1, 2, 3, 4].map(() => refreshScheduleDates(worker(), ownerId, id)));
    expect(await pendingOf(ctx, id)).toHaveLength(1);
    // Taking and undoing at the same time as workers process the schedule.
    for (let round = 0; round < 4; round += 1) {
      const [next] = await pendingOf(ctx, id);
      const looks = () => [1, 2, 3, 4].map(() => refreshScheduleDates(worker(), ownerId, id));
      await Promise.all([takeDose(ctx, next?.id ?? '', CONFIRMED), ...looks()]);
      await Promise.all([undoDose(ctx, next?.id ?? ''), ...looks()]);
      expect((await pendingOf(ctx, id)).map((dose) => dose.id)).toEqual([next?.id]);
    }
    expect(await dosesOf(ctx, id)).toHaveLength(2);
  });

  it('continues after an unlogged dose without doses piling up, and moves when that is logged late', async () => {
    const { ctx, id, firstId } = await planned();
    const firstDue = db.clock.now();
    db.clock.advance(26 * HOUR);
    await markMissedDoses(db.ctx(TERMINAL));
    const doses = await dosesOf(ctx, id);
    expect(doses).toMatchObject([
      { id: firstId, status: 'missed' },
      { status: 'pending', dueDate: new Date(firstDue.getTime() + 24 * HOUR) },
    ]);
    await takeDose(ctx, firstId);
    expect(await pendingOf(ctx, id)).toMatchObject([{ id: doses[1]?.id, dueDate: hours(8) }]);
    await undoDose(ctx, firstId);
    expect((await dosesOf(ctx, id)).map(({ status, dueDate }) => ({ status, dueDate }))).toEqual(
      doses.map(({ status, dueDate }) => ({ status, dueDate })),
    );
  });

  it('counts a dose as taken on time within a quarter of the interval', async () => {
    const { ctx, id, firstId } = await planned();
    db.clock.advance(2 * HOUR);
    await takeDose(ctx, firstId);
    const [second] = await pendingOf(ctx, id);
    db.clock.advance(11 * HOUR);
    await takeDose(ctx, second?.id ?? '');
    const adherence = await getAdherence(ctx);
    expect(adherence.total).toMatchObject({ taken: 1, missed: 1, text: '50%' });
    expect(adherence.streak).toBe(0);
    await undoDose(ctx, second?.id ?? '');
    expect((await getAdherence(ctx)).total).toMatchObject({ taken: 1, missed: 0 });
  });

  it('has no next dose while paused, and is not overdue when resumed', async () => {
    const { ctx, id, firstId } = await planned();
    await takeDose(ctx, firstId);
    await toggleSchedule(ctx, id, { isActive: false });
    await refreshScheduleDates(db.ctx(TERMINAL), ownerIdOf(ctx), id);
    expect(await pendingOf(ctx, id)).toEqual([]);
    db.clock.advance(100 * HOUR);
    await toggleSchedule(ctx, id, { isActive: true });
    expect(await pendingOf(ctx, id)).toMatchObject([{ dueDate: db.clock.now() }]);
  });

  it('follows a change of its hours or kind and back, and is deleted with its doses', async () => {
    const { ctx, id, firstId } = await planned();
    await takeDose(ctx, firstId);
    await updateSchedule(ctx, id, { frequency: { kind: 'after-last', everyHours: 12 }, doseAmount: '0.3' });
    expect(await pendingOf(ctx, id)).toMatchObject([{ dueDate: hours(12), doseAmount: '0.3' }]);
    await updateSchedule(ctx, id, { frequency: { kind: 'daily' }, times: ['08:00'] });
    expect((await pendingOf(ctx, id)).every(({ wallTime }) => wallTime === '08:00')).toBe(true);
    await updateSchedule(ctx, id, { frequency: { kind: 'after-last', everyHours: 6 } });
    expect(await pendingOf(ctx, id)).toMatchObject([{ dueDate: hours(6) }]);
    await deleteSchedule(ctx, id);
    expect(await dosesOf(ctx, id)).toMatchObject([{ status: 'taken' }]);
  });

  it('gets its next dose from the worker if a process died before creating it', async () => {
    const { ctx, id, firstId } = await planned();
    await takeDose(ctx, firstId);
    await db.repos.doses.deleteFuturePending(ownerIdOf(ctx), id, null);
    expect(await pendingOf(ctx, id)).toEqual([]);
    db.clock.advance(25 * HOUR);
    await generateAllDoses(db.ctx(TERMINAL));
    expect(await pendingOf(ctx, id)).toHaveLength(1);
  });

  it('uses up stock as planned at first, then by the mean of the last weeks, marked as an estimate', async () => {
    const ctx = await premiumPerson(db);
    const reconstitutionDate = db.clock.now().toISOString().slice(0, 10);
    const fresh = vial({ id: 'vial_after_last', userId: ownerIdOf(ctx), reconstitutionDate });
    await db.repos.vials.create(fresh, null);
    const daily = { kind: 'after-last', everyHours: 24 };
    const { id } = await createSchedule(ctx, { ...EVERY_8, frequency: daily });
    const [first] = await stockForecast(ctx, ownerIdOf(ctx));
    expect(first?.isEstimate).toBeUndefined();
    // 20 doses of 0.25 mg.
    expect(first?.daysOfSupply).toBe(20);
    for (let day = 0; day < 5; day += 1) {
      const [next] = await pendingOf(ctx, id);
      await takeDose(ctx, next?.id ?? '');
      // Twice as far apart as planned.
      db.clock.advance(48 * HOUR);
    }
    const [later] = await stockForecast(ctx, ownerIdOf(ctx));
    expect(later).toMatchObject({ isEstimate: true });
    expect((later?.runOutDay ?? '') > (first?.runOutDay ?? '')).toBe(true);
  });
});

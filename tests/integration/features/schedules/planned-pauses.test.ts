import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAdherence } from '#app/features/doses/adherence.server.ts';
import { markMissedDoses } from '#app/features/doses/dose-effects.server.ts';
import { getCalendar } from '#app/features/doses/dose-lists.server.ts';
import { takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { getToday } from '#app/features/doses/today.server.ts';
import { generateAllDoses, generateDoses } from '#app/features/schedules/dose-generation.server.ts';
import { moveDose, endPause, savePause } from '#app/features/schedules/plan-changes.server.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  previewSchedule,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import { stockForecast } from '#app/features/vials/stock-forecast.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { BODY, ownerIdOf, premiumPerson } from '#tests/support/schedule-people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const worker = () => db.ctx(TERMINAL);
const dayIn = (days: number) => new Date(db.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
const dosesOf = (ctx: Ctx, scheduleId: string) => db.repos.doses.list(ownerIdOf(ctx), { scheduleId });
const timesOf = async (ctx: Ctx, id: string) =>
  (await dosesOf(ctx, id)).map((dose) => [dose.id, dose.dueDate.getTime(), dose.status]);
const daysOf = async (ctx: Ctx, id: string) => (await dosesOf(ctx, id)).map(({ localDay }) => localDay);

async function planned(more: object = {}) {
  const ctx = await premiumPerson(db);
  const { id } = await createSchedule(ctx, { ...BODY, times: ['08:00'], startDate: dayIn(1), ...more });
  return { ctx, id };
}

describe('a planned pause', () => {
  it('removes only the doses within it, ends by itself, and restores all of them when it is removed', async () => {
    const { ctx, id } = await planned();
    const all = await timesOf(ctx, id);
    const [first, last] = [dayIn(3), dayIn(9)];
    const schedule = await savePause(ctx, id, { firstDay: first, lastDay: last });
    expect(schedule.pauses).toEqual([{ firstDay: first, lastDay: last }]);
    const open = await daysOf(ctx, id);
    expect(open).toHaveLength(all.length - 7);
    expect(open.filter((day) => day >= first && day <= last)).toEqual([]);
    await Promise.all([1, 2, 3].map(() => generateDoses(worker(), ownerIdOf(ctx), id)));
    expect(await daysOf(ctx, id)).toEqual(open);
    // Pausing without an end date and resuming keeps the planned pause.
    await toggleSchedule(ctx, id, { isActive: false });
    await toggleSchedule(ctx, id, { isActive: true });
    expect(await daysOf(ctx, id)).toEqual(open);
    await updateSchedule(ctx, id, { notes: 'other' });
    expect(await daysOf(ctx, id)).toEqual(open);
    await savePause(ctx, id, { firstDay: dayIn(4), lastDay: last }, first);
    expect(await daysOf(ctx, id)).toContain(first);
    await endPause(ctx, id, dayIn(4));
    expect(await timesOf(ctx, id)).toEqual(all);
    expect((await getSchedule(ctx, id)).pauses).toEqual([]);
  });

  it('keeps logged doses, removes pending ones, counts none as missed, and can be ended early', async () => {
    const { ctx, id } = await planned({ times: ['00:00', '00:01', '23:59'] });
    db.clock.advance(Date.parse(`${dayIn(1)}T12:00:00Z`) - db.clock.now().getTime());
    const today = dayIn(0);
    const [taken] = await dosesOf(ctx, id);
    await takeDose(ctx, taken?.id ?? '');
    await savePause(ctx, id, { firstDay: today, lastDay: dayIn(10) });
    const left = (await dosesOf(ctx, id)).filter(({ localDay }) => localDay === today);
    expect(left.map((dose) => [dose.id, dose.status])).toEqual([[taken?.id, 'taken']]);
    expect(await getToday(ctx)).toMatchObject({
      open: { rows: [] },
      paused: [{ scheduleId: id, name: BODY.name, firstDay: today, lastDay: dayIn(10) }],
    });
    expect((await getCalendar(ctx, 'month', today)).paused).toMatchObject([{ scheduleId: id }]);
    db.clock.advance(4 * DAY);
    await generateAllDoses(worker());
    await markMissedDoses(worker());
    expect((await dosesOf(ctx, id)).filter(({ status }) => status === 'missed')).toEqual([]);
    expect(await getAdherence(ctx, { startDate: today, endDate: dayIn(0) })).toMatchObject({
      total: { taken: 1, missed: 0 },
    });
    await expect(savePause(ctx, id, { firstDay: dayIn(1), lastDay: dayIn(9) }, today)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    const { pauses } = await endPause(ctx, id, today);
    expect(pauses).toEqual([{ firstDay: today, lastDay: dayIn(-1) }]);
    const now = db.clock.now();
    const due = (await dosesOf(ctx, id)).filter(({ localDay }) => localDay === dayIn(0));
    expect(due.map(({ wallTime }) => wallTime)).toEqual(['23:59']);
    expect(due.every(({ dueDate }) => dueDate > now)).toBe(true);
    await expect(endPause(ctx, id, today)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(endPause(ctx, id, dayIn(200))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('uses the schedule’s time zone, shows in the preview, and leaves its doses out of the forecast', async () => {
    const ctx = await premiumPerson(db);
    const vial = await addVial(ctx, {
      name: 'BPC-157',
      concentration: '2.5',
      totalAmount: '5',
      reconstitutionDate: dayIn(0),
    });
    const plan = { ...BODY, name: 'BPC-157', doseAmount: 0.5, doseUnit: 'mg', timeZone: 'Pacific/Auckland' };
    const { id } = await createSchedule(ctx, { ...plan, compoundId: vial.id, startDate: dayIn(1) });
    const runOut = async () => (await stockForecast(ctx, ownerIdOf(ctx)))[0]?.runOutDay ?? null;
    const before = await runOut();
    await savePause(ctx, id, { firstDay: dayIn(3), lastDay: dayIn(5) });
    const after = await runOut();
    expect(Date.parse(after ?? '') - Date.parse(before ?? '')).toBe(3 * DAY);
    const { doses } = await previewSchedule(ctx, { ...plan, startDate: dayIn(1) }, id);
    expect(doses.map(({ localDay }) => localDay)).toEqual((await daysOf(ctx, id)).slice(0, 14));
    const [gone] = (await previewSchedule(ctx, { ...plan, startDate: dayIn(1) })).doses.filter(
      ({ localDay }) => localDay === dayIn(3),
    );
    expect(gone).toBeDefined();
  });

  it('moves the next dose of a schedule that counts from the last one to its end, and back', async () => {
    const { ctx, id } = await planned({
      frequency: { kind: 'after-last', everyHours: 24 },
      times: undefined,
      firstDueAt: new Date(db.clock.now().getTime() + 2 * DAY).toISOString(),
    });
    const [next] = await dosesOf(ctx, id);
    const due = next?.dueDate.getTime() ?? 0;
    const first = dayIn(1);
    await savePause(ctx, id, { firstDay: first, lastDay: dayIn(6) });
    const [moved, ...none] = await dosesOf(ctx, id);
    expect(none).toEqual([]);
    expect(moved).toMatchObject({ localDay: dayIn(7), wallTime: next?.wallTime, status: 'pending' });
    await takeDose(ctx, moved?.id ?? '', { takenAt: db.clock.now().toISOString() });
    const [, second] = await dosesOf(ctx, id);
    expect(second?.localDay).toBe(dayIn(7));
    await undoDose(ctx, moved?.id ?? '');
    await endPause(ctx, id, first);
    expect((await dosesOf(ctx, id)).map(({ dueDate }) => dueDate.getTime())).toEqual([due]);
  });

  it('accepts no moved doses and no overlapping pause', async () => {
    const { ctx, id } = await planned();
    await savePause(ctx, id, { firstDay: dayIn(4), lastDay: dayIn(6) });
    const [first] = await dosesOf(ctx, id);
    await expect(moveDose(ctx, first?.id ?? '', { dueDate: `${dayIn(5)}T08:00:00Z` })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(savePause(ctx, id, { firstDay: dayIn(6), lastDay: dayIn(8) })).rejects.toMatchObject({
      fields: { firstDay: [expect.stringContaining('Another pause')] },
    });
    await expect(savePause(ctx, id, { firstDay: dayIn(8), lastDay: dayIn(7) })).rejects.toMatchObject({
      fields: { lastDay: [expect.any(String)] },
    });
    const other = await premiumPerson(db);
    await expect(savePause(other, id, { firstDay: dayIn(8), lastDay: dayIn(9) })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('a dose that is undone after its schedule was changed', () => {
  async function undone(change: (ctx: Ctx, id: string) => Promise<unknown>) {
    const ctx = await premiumPerson(db);
    const ownerId = ownerIdOf(ctx);
    const vial = await addVial(ctx, {
      name: 'BPC-157',
      concentration: '2.5',
      totalAmount: '5',
      reconstitutionDate: dayIn(0),
    });
    const body = { ...BODY, name: 'BPC-157', compoundId: vial.id, timeZone: 'UTC', startDate: dayIn(1) };
    const { id } = await createSchedule(ctx, body);
    const [dose] = await dosesOf(ctx, id);
    await takeDose(ctx, dose?.id ?? '');
    db.clock.advance(1000);
    await change(ctx, id);
    const left = async () => (await db.repos.vials.find(ownerId, vial.id))?.remaining;
    expect(await left()).not.toBe('5');
    await undoDose(ctx, dose?.id ?? '');
    expect(await left()).toBe('5');
    return (await dosesOf(ctx, id)).filter((one) => one.id === dose?.id);
  }

  it('is recreated as the schedule is now, and its stock is returned', async () => {
    const doses = await undone((ctx, id) => updateSchedule(ctx, id, { times: ['08:00'], notes: 'other' }));
    expect(doses).toMatchObject([{ status: 'pending', draws: [], scheduleRevision: 2 }]);
  });

  it('is removed if the schedule was paused or deleted, and its stock is returned', async () => {
    expect(await undone((ctx, id) => toggleSchedule(ctx, id, { isActive: false }))).toEqual([]);
    expect(await undone((ctx, id) => deleteSchedule(ctx, id))).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAdherence } from '#app/features/doses/adherence.server.ts';
import { takeAsNeeded, previewAsNeeded, findAsNeededPlan } from '#app/features/doses/as-needed.server.ts';
import { logDose, previewLog, undoDose } from '#app/features/doses/doses.server.ts';
import { getToday } from '#app/features/doses/today.server.ts';
import { generateAllDoses } from '#app/features/schedules/dose-generation.server.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  previewSchedule,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import { getTravelZones, listTravelQuestions } from '#app/features/schedules/schedule-travel.server.ts';
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
const { times: _times, startDate: _day, ...PLAN } = BODY;
const AS_NEEDED = { ...PLAN, frequency: { kind: 'as-needed', minGapHours: 4, maxPerDay: 2 } } as const;
const PACE = { confirmed: ['TOO_SOON' as const, 'OVER_DAILY_LIMIT' as const] };

/** The warnings, except the one everyone without a vial gets. */
const asked = ({ warnings }: { warnings: readonly { code: string }[] }) =>
  warnings.map(({ code }) => code).filter((code) => code !== 'NO_OPEN_VIAL');

const dosesOf = (ctx: Ctx, scheduleId: string) => db.repos.doses.list(ownerIdOf(ctx), { scheduleId });
const hours = (count: number) => new Date(db.clock.now().getTime() + count * HOUR);
/** The next 06:00 UTC, so that most of the day is still ahead. */
const morning = () => {
  const now = db.clock.now().getTime();
  db.clock.advance(30 * HOUR - (now % (24 * HOUR)));
};

async function planned(more: object = {}) {
  morning();
  const ctx = await premiumPerson(db);
  const { id } = await createSchedule(ctx, { ...AS_NEEDED, ...more });
  return { ctx, id };
}

async function withVial() {
  const found = await planned();
  const id = `vial_${found.id}`;
  const reconstitutionDate = db.clock.now().toISOString().slice(0, 10);
  const fresh = vial({ id, userId: ownerIdOf(found.ctx), reconstitutionDate });
  await db.repos.vials.create(fresh, null);
  const left = async () => (await db.repos.vials.find(ownerIdOf(found.ctx), id))?.remaining;
  return { ...found, left, full: fresh.remaining };
}

describe('an as-needed schedule', () => {
  it('plans no doses and no reminders, shows none in its preview, and gets none from the worker', async () => {
    const { ctx, id } = await planned();
    expect(await previewSchedule(ctx, AS_NEEDED)).toMatchObject({ doses: [] });
    db.clock.advance(30 * HOUR);
    await generateAllDoses(db.ctx(TERMINAL));
    expect(await dosesOf(ctx, id)).toEqual([]);
    expect(await getSchedule(ctx, id)).toMatchObject({ nextDoseDate: null, lastDoseDate: null, times: [] });
    expect((await getTravelZones(ctx)).schedules).toEqual([]);
    expect(await listTravelQuestions(ctx, 'Asia/Tokyo')).toEqual([]);
  });

  it('creates a dose when one is taken and draws it, and undo reverses both', async () => {
    const { ctx, id, left, full } = await withVial();
    const outcome = await takeAsNeeded(ctx, id, { notes: 'sore' });
    if (!outcome.done) throw new Error('It asked');
    const now = db.clock.now();
    expect(outcome).toMatchObject({
      warnings: [],
      dose: { scheduleId: id, status: 'taken', asNeeded: true },
    });
    expect(outcome.dose).toMatchObject({ dueDate: now, takenAt: now, actualDose: '0.25', notes: 'sore' });
    expect(outcome.dose.remindAt).toBeNull();
    expect(Number(await left())).toBeCloseTo(Number(full) - 0.25, 6);
    expect((await getSchedule(ctx, id)).lastDoseDate).toEqual(now);
    expect(await undoDose(ctx, outcome.dose.id)).toBeNull();
    expect(await dosesOf(ctx, id)).toEqual([]);
    expect(await left()).toBe(full);
    expect((await getSchedule(ctx, id)).lastDoseDate).toBeNull();
  });

  it('logs one dose per submission, and a new one after that was undone', async () => {
    const { ctx, id, left, full } = await withVial();
    const press = { idempotencyKey: 'press-1' };
    const both = await Promise.all([takeAsNeeded(ctx, id, {}, press), takeAsNeeded(ctx, id, {}, press)]);
    expect(both.map(({ done }) => done)).toEqual([true, true]);
    const [dose, ...more] = await dosesOf(ctx, id);
    expect(more).toEqual([]);
    expect(Number(await left())).toBeCloseTo(Number(full) - 0.25, 6);
    await undoDose(ctx, dose?.id ?? '');
    expect(await left()).toBe(full);
    db.clock.advance(1000);
    await takeAsNeeded(ctx, id, {}, press);
    expect(await dosesOf(ctx, id)).toHaveLength(1);
    expect(Number(await left())).toBeCloseTo(Number(full) - 0.25, 6);
  });

  it('asks within the minimum gap and above the daily maximum, but never refuses', async () => {
    const { ctx, id } = await planned();
    await takeAsNeeded(ctx, id);
    const first = db.clock.now();
    db.clock.advance(4 * HOUR - 60_000);
    const early = await takeAsNeeded(ctx, id);
    expect(early.done).toBe(false);
    expect(asked(early)).toEqual(['TOO_SOON']);
    expect(early.warnings[0]?.message).toContain(`from ${hhmm(new Date(first.getTime() + 4 * HOUR))}.`);
    expect(await dosesOf(ctx, id)).toHaveLength(1);
    db.clock.advance(60_000);
    const second = await takeAsNeeded(ctx, id);
    expect(second.done).toBe(true);
    expect(asked(second)).toEqual([]);
    db.clock.advance(4 * HOUR);
    const third = await takeAsNeeded(ctx, id);
    expect(third.done).toBe(false);
    expect(asked(third)).toEqual(['OVER_DAILY_LIMIT']);
    expect(third.warnings[0]?.message).toContain('number 3');
    expect(await takeAsNeeded(ctx, id, PACE)).toMatchObject({ done: true });
    // A dose logged for an earlier time counts towards the gap of the one after it, too.
    const between = { takenAt: new Date(first.getTime() + HOUR).toISOString() };
    expect(asked(await takeAsNeeded(ctx, id, between))).toEqual(['TOO_SOON', 'TOO_SOON', 'OVER_DAILY_LIMIT']);
  });

  it('counts doses logged without a schedule, and asks about its limits for them, too', async () => {
    const { ctx, id } = await planned();
    const single = { name: AS_NEEDED.name, actualDose: '0.25', doseUnit: 'mg' as const };
    expect(await logDose(ctx, single)).toMatchObject({ done: true });
    db.clock.advance(HOUR);
    expect(await takeAsNeeded(ctx, id)).toMatchObject({ done: false });
    expect(asked(await previewLog(ctx, single))).toEqual(['TOO_SOON']);
    expect(asked(await previewAsNeeded(ctx, id))).toEqual(['TOO_SOON']);
  });

  it('shows on Today when the last dose was taken and when the next needs no confirmation, in the owner’s zone', async () => {
    const { ctx, id } = await planned();
    const line = async () => (await getToday(ctx)).asNeeded;
    expect(await line()).toMatchObject([
      { id, paceText: 'Not taken yet · 0 of 2 today', isEarly: false, amountText: '0.25 mg' },
    ]);
    await takeAsNeeded(ctx, id);
    const next = hhmm(hours(4));
    db.clock.advance(90 * 60_000);
    expect(await line()).toMatchObject([
      { paceText: `Last taken 1 h 30 min ago, next from ${next} · 1 of 2 today`, isEarly: true },
    ]);
    db.clock.advance(3 * HOUR);
    expect(await line()).toMatchObject([{ paceText: 'Last taken 4 h 30 min ago · 1 of 2 today' }]);
    expect((await getToday(ctx)).done.rows).toMatchObject([{ canUndo: true, status: 'taken' }]);
    await toggleSchedule(ctx, id, { isActive: false });
    expect(await line()).toEqual([]);
    // Taken doses are logged anyway.
    expect(await takeAsNeeded(ctx, id)).toMatchObject({ done: true });
  });

  it('is listed on Today from its first day to its last', async () => {
    const day = (count: number) =>
      hours(24 * count)
        .toISOString()
        .slice(0, 10);
    morning();
    const { ctx } = await planned({ startDate: day(3), endDate: day(4) });
    const listed = async () => (await getToday(ctx)).asNeeded.length;
    expect(await listed()).toBe(0);
    db.clock.advance(48 * HOUR);
    expect(await listed()).toBe(1);
    db.clock.advance(72 * HOUR);
    expect(await listed()).toBe(0);
  });

  it('does not count in adherence', async () => {
    const { ctx, id } = await planned();
    await takeAsNeeded(ctx, id);
    const { total, streak } = await getAdherence(ctx);
    expect({ taken: total.taken, missed: total.missed, streak }).toEqual({ taken: 0, missed: 0, streak: 0 });
  });

  it('uses up stock by the mean of the last weeks, marked as an estimate, and has no forecast before', async () => {
    const { ctx, id } = await withVial();
    await takeAsNeeded(ctx, id);
    const [before] = await stockForecast(ctx, ownerIdOf(ctx));
    expect(before).toMatchObject({ why: 'no-doses' });
    for (let day = 0; day < 8; day += 1) {
      db.clock.advance(24 * HOUR);
      await takeAsNeeded(ctx, id);
    }
    const [after] = await stockForecast(ctx, ownerIdOf(ctx));
    expect(after).toMatchObject({ isEstimate: true, why: null });
    expect(after?.daysOfSupply).toBeGreaterThan(5);
  });

  it('defaults to the amount of its ramp, and asks about a different one', async () => {
    const ramp = { start: '0.25', step: '0.25', everyWeeks: 1, target: '1' };
    const { ctx, id } = await planned({ ramp });
    db.clock.advance(8 * 24 * HOUR);
    expect(await takeAsNeeded(ctx, id)).toMatchObject({ done: true, dose: { actualDose: '0.5' } });
    db.clock.advance(8 * HOUR);
    const large = await takeAsNeeded(ctx, id, { actualDose: '5' });
    expect(large.done).toBe(false);
    expect(asked(large)).toEqual(['ABOVE_PLAN']);
  });

  it('is found by its name or id, unlike other kinds of schedule', async () => {
    const { ctx, id } = await planned();
    const daily = await createSchedule(ctx, { ...BODY, name: 'Every day' });
    await expect(takeAsNeeded(ctx, daily.id)).rejects.toMatchObject({ conflict: 'NOT_AS_NEEDED' });
    await expect(takeAsNeeded(ctx, 'sched_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await findAsNeededPlan(ctx, AS_NEEDED.name.toUpperCase())).toMatchObject({ id });
    expect(await findAsNeededPlan(ctx, id)).toMatchObject({ id });
    await expect(findAsNeededPlan(ctx, 'Every day')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const second = await createSchedule(ctx, { ...AS_NEEDED, confirm: true });
    await expect(findAsNeededPlan(ctx, AS_NEEDED.name)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await findAsNeededPlan(ctx, second.id)).toMatchObject({ id: second.id });
  });

  it('keeps taken doses when it changes to another kind or is deleted', async () => {
    const { ctx, id } = await planned();
    await takeAsNeeded(ctx, id);
    await updateSchedule(ctx, id, { frequency: { kind: 'daily' }, times: ['23:00'] });
    const doses = await dosesOf(ctx, id);
    expect(doses.filter(({ asNeeded }) => asNeeded)).toHaveLength(1);
    expect(doses.filter(({ status }) => status === 'pending').length).toBeGreaterThan(30);
    await updateSchedule(ctx, id, { frequency: { kind: 'as-needed' } });
    expect(await dosesOf(ctx, id)).toHaveLength(1);
    expect((await getToday(ctx)).asNeeded).toMatchObject([{ id }]);
    await deleteSchedule(ctx, id);
    expect(await dosesOf(ctx, id)).toMatchObject([{ status: 'taken' }]);
  });
});

const hhmm = (at: Date) => at.toISOString().slice(11, 16);

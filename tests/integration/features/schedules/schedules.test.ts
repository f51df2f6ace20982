import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  previewSchedule,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import { listUnloggedDoses } from '#app/features/doses/backfill.server.ts';
import { publicCode, type AppError } from '#app/domain/errors.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { generateAllDoses } from '#app/features/schedules/dose-generation.server.ts';
import { newPerson } from '#tests/support/people.ts';
import { BODY, discardVial, ownerIdOf, premiumPerson, storedVial } from '#tests/support/schedule-people.ts';

let db: TestDatabase;
beforeAll(async () => {
  // It is 10 March 2090, 12:00 UTC, a Friday.
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => ({ code: 'done', fields: undefined }),
    (error: AppError) => ({ code: publicCode(error), fields: error.fields }),
  );
const codeOf = async (promise: Promise<unknown>) => (await failureOf(promise)).code;
const dosesOf = (ctx: Ctx, scheduleId: string) => db.repos.doses.list(ownerIdOf(ctx), { scheduleId });
const duesOf = async (ctx: Ctx, id: string) =>
  (await dosesOf(ctx, id)).map(({ dueDate }) => dueDate.toISOString().slice(0, 16));

async function take(ctx: Ctx, scheduleId: string, index: number): Promise<void> {
  const dose = (await dosesOf(ctx, scheduleId))[index];
  if (dose === undefined) throw new Error('no such dose');
  const changes = { status: 'taken' as const, takenAt: db.clock.now(), remindAt: null };
  await db.repos.doses.change(ownerIdOf(ctx), dose.id, changes);
}

describe('creating a schedule', () => {
  it('creates its doses for 35 days in the same request', async () => {
    const ctx = await premiumPerson(db);
    const schedule = await createSchedule(ctx, BODY);
    expect(schedule).toMatchObject({
      isActive: true,
      name: 'BPC-157',
      doseAmount: '0.25',
      lastDoseDate: null,
    });
    expect(schedule.nextDoseDate).toEqual(new Date('2090-03-10T20:00:00Z'));
    const doses = await dosesOf(ctx, schedule.id);
    expect(doses.length).toBeGreaterThanOrEqual(2 * 35);
    expect(doses[0]).toMatchObject({
      localDay: '2090-03-10',
      wallTime: '20:00',
      doseAmount: '0.25',
      status: 'pending',
      remindAt: new Date('2090-03-10T19:45:00Z'),
      remindStage: 'upcoming',
      version: 0,
    });
    expect(doses.at(-1)?.dueDate.getTime()).toBeGreaterThan(db.clock.now().getTime() + 35 * 86_400_000);
  });

  it('reminds at the time of the dose if the lead is 0', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, { ...BODY, reminderLeadMinutes: 0 });
    const [, evening] = await dosesOf(ctx, id);
    expect(evening).toMatchObject({ remindAt: evening?.dueDate, remindStage: 'due' });
  });

  it('uses the user’s own time zone by default', async () => {
    const ctx = { ...(await premiumPerson(db)), timeZone: 'Asia/Tokyo' };
    const schedule = await createSchedule(ctx, { ...BODY, timeZone: '' });
    expect(schedule.timeZone).toBe('Asia/Tokyo');
  });

  it('creates one schedule if its form is sent several times', async () => {
    const ctx = await premiumPerson(db);
    const idempotencyKey = { ...BODY, saveKey: 'one press' };
    const made = await Promise.all([1, 2, 3].map(() => createSchedule(ctx, idempotencyKey)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await listSchedules(ctx)).total).toBe(1);
    expect((await createSchedule(ctx, { ...BODY, saveKey: 'another' })).id).not.toBe(made[0]?.id);
  });

  it('that starts in the past creates unlogged doses since its first day, without reminders', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, { ...BODY, startDate: '2090-01-01' });
    const dues = await duesOf(ctx, id);
    expect(dues.slice(0, 2)).toEqual(['2090-01-01T08:00', '2090-01-01T20:00']);
    const past = (await dosesOf(ctx, id)).filter(({ dueDate }) => dueDate < ctx.now());
    expect(past.every(({ status, remindAt }) => status === 'pending' && remindAt === null)).toBe(true);
    expect(past.length).toBeGreaterThan(2 * 67);
    // "Log past days" lists them all, not the last two.
    const unlogged = await listUnloggedDoses(ctx, { from: '2090-01-01', to: '2090-01-07' });
    expect(unlogged.rows).toHaveLength(14);
  });

  it('leaves out times that have already passed on the day of its creation', async () => {
    const ctx = await premiumPerson(db);
    const now = ctx.now();
    const today = now.toISOString().slice(0, 10);
    const times = ['00:01', '23:59'];
    for (const startDate of [today, '2090-03-01']) {
      const { id } = await createSchedule(ctx, { ...BODY, times, startDate });
      const ofToday = (await duesOf(ctx, id)).filter((due) => due.startsWith(today));
      expect(ofToday).toEqual([`${today}T23:59`]);
      expect((await duesOf(ctx, id)).some((due) => due < today)).toBe(startDate < today);
    }
  });

  it('that starts long ago creates doses for at most two thousand days', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, { ...BODY, times: ['08:00'], startDate: '1950-01-01' });
    const past = (await dosesOf(ctx, id)).filter(({ dueDate }) => dueDate < ctx.now());
    expect(past.length).toBeGreaterThan(1990);
    expect(past.length).toBeLessThanOrEqual(2000);
  });

  it('that starts long ago gets the rest of its past from the worker if the request was interrupted', async () => {
    const ctx = await premiumPerson(db);
    const body = { ...BODY, times: ['08:00'], startDate: '2088-01-01', timeZone: 'UTC' };
    const { id } = await createSchedule(ctx, body);
    const whole = await dosesOf(ctx, id);
    const [first] = whole;
    // The state after the act that creates the schedule.
    await db.repos.doses.deletePendingBetween(ownerIdOf(ctx), id, {
      from: first?.dueDate ?? ctx.now(),
      before: ctx.now(),
    });
    const pastFrom = new Date('2087-12-31T00:00:00Z');
    await db.repos.schedules.set(ownerIdOf(ctx), id, { pastFrom, madeUntil: ctx.now() });
    expect((await dosesOf(ctx, id)).length).toBeLessThan(40);
    await updateSchedule(ctx, id, { notes: 'in between' });
    await generateAllDoses(db.ctx(TERMINAL));
    const again = await dosesOf(ctx, id);
    expect(again.map((dose) => [dose.id, dose.dueDate])).toEqual(
      whole.map((dose) => [dose.id, dose.dueDate]),
    );
    expect(await db.repos.schedules.find(ownerIdOf(ctx), id)).toMatchObject({ pastFrom: null });
    expect(await generateAllDoses(db.ctx(TERMINAL))).toBe(0);
  });

  it('gets its doses in one round however many do, and although another one fails', async () => {
    let broken = '';
    const other = await openTestDatabase({
      watched: (repos) => {
        const { schedules } = repos;
        const find = (userId: string, id: string) =>
          id === broken ? Promise.reject(new Error('damaged')) : schedules.find(userId, id);
        return { ...repos, schedules: { ...schedules, find } };
      },
    });
    try {
      const ctx = await premiumPerson(other);
      const ownerId = ownerIdOf(ctx);
      const first = await createSchedule(ctx, BODY);
      const second = await createSchedule(ctx, BODY);
      const copied = await other.repos.schedules.find(ownerId, first.id);
      const poor = ownerIdOf((await newPerson(other, 'poor@example.org')).ctx);
      const copies = Array.from({ length: 520 }, (_, index) => ({
        ...copied!,
        id: `plan_${index}`,
        userId: poor,
      }));
      const behind = { madeUntil: other.clock.now() };
      for (const copy of copies) await other.repos.schedules.create({ ...copy, ...behind });
      for (const { id } of [first, second]) await other.repos.schedules.set(ownerId, id, behind);
      broken = first.id;
      const backlog = () =>
        other.repos.schedules.backlog(
          new Date(other.clock.now().getTime() + 35 * 86_400_000),
          other.clock.now(),
        );
      const due = new Date(other.clock.now().getTime() - 35 * 86_400_000);
      expect(await backlog()).toEqual({ waiting: 522, oldestAt: due });
      await expect(generateAllDoses(other.ctx(TERMINAL))).rejects.toThrow('damaged');
      // The others without Premium wait for a day, and the broken one for its lease.
      expect(await backlog()).toEqual({ waiting: 0, oldestAt: null });
      other.clock.advance(61_000);
      expect(await backlog()).toMatchObject({ waiting: 1 });
      broken = '';
      expect(await generateAllDoses(other.ctx(TERMINAL))).toBe(1);
    } finally {
      await other.dispose();
    }
  });

  it.each(['9999-12-31', '2200-01-01', '1949-12-31'])('refuses a first day of %s', async (startDate) => {
    const ctx = await premiumPerson(db);
    const refused = { fields: { startDate: ['Enter a day from 1950 to 2199'] } };
    expect(await failureOf(createSchedule(ctx, { ...BODY, startDate }))).toMatchObject(refused);
    expect(await failureOf(previewSchedule(ctx, { ...BODY, startDate }))).toMatchObject(refused);
    const { id } = await createSchedule(ctx, BODY);
    expect(await failureOf(updateSchedule(ctx, id, { startDate }))).toMatchObject(refused);
    const endDate = { fields: { endDate: ['Enter a day from 1950 to 2199'] } };
    if (startDate > '2')
      expect(await failureOf(updateSchedule(ctx, id, { endDate: startDate }))).toMatchObject(endDate);
  });

  it('that starts next year creates no doses yet but knows the next one', async () => {
    const ctx = await premiumPerson(db);
    const schedule = await createSchedule(ctx, { ...BODY, startDate: '2091-01-01' });
    expect(await dosesOf(ctx, schedule.id)).toEqual([]);
    expect(schedule.nextDoseDate).toEqual(new Date('2091-01-01T08:00:00Z'));
  });

  it('accepts only the owner’s vials that are not used up', async () => {
    const [ctx, other] = [await premiumPerson(db), await premiumPerson(db)];
    const mine = await storedVial(db, ctx, 'reconstituted');
    expect((await createSchedule(ctx, { ...BODY, compoundId: mine })).compoundId).toBe(mine);
    const refused = async (compoundId: string) =>
      (await failureOf(createSchedule(ctx, { ...BODY, compoundId }))).fields?.['compoundId'];
    expect(await refused(await storedVial(db, other, 'reconstituted'))).toEqual(['Choose one of your vials']);
    expect(await refused('vial_none')).toEqual(['Choose one of your vials']);
    expect(await refused(await storedVial(db, ctx, 'discarded'))).toEqual([
      'This vial is empty or discarded. Choose another one.',
    ]);
    expect((await listSchedules(ctx)).total).toBe(1);
  });

  it('previews fourteen doses and saves nothing', async () => {
    const ctx = await premiumPerson(db);
    const { doses } = await previewSchedule(ctx, { ...BODY, startDate: '2026-01-01' });
    expect(doses).toHaveLength(14);
    expect(doses[0]?.dueDate).toEqual(new Date('2026-01-01T08:00:00Z'));
    expect((await listSchedules(ctx)).total).toBe(0);
    expect(await codeOf(previewSchedule(ctx, { ...BODY, times: [] }))).toBe('INVALID_INPUT');
  });
});

describe('changing a schedule', () => {
  it('keeps past and logged doses and recreates the rest', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, { ...BODY, startDate: '2090-03-09' });
    await take(ctx, id, 3);
    const before = await dosesOf(ctx, id);
    const changed = await updateSchedule(ctx, id, {
      times: ['07:00', '21:00'],
      doseAmount: '0.5',
      confirm: true,
      timeZone: 'Europe/Berlin',
    });
    expect(changed).toMatchObject({
      times: ['07:00', '21:00'],
      timeZone: 'Europe/Berlin',
      doseAmount: '0.5',
    });
    const after = await dosesOf(ctx, id);
    // Yesterday evening and this morning are past; tomorrow morning was taken early.
    expect(before.slice(0, 4).map(({ status }) => status)).toEqual([
      'pending',
      'pending',
      'pending',
      'taken',
    ]);
    expect(after.filter(({ doseAmount }) => doseAmount === '0.25')).toEqual([
      before[0],
      before[1],
      before[3],
    ]);
    const rest = after.filter(({ doseAmount }) => doseAmount === '0.5');
    expect(rest.slice(0, 3).map(({ localDay, wallTime }) => `${localDay} ${wallTime}`)).toEqual([
      '2090-03-10 21:00',
      '2090-03-11 21:00',
      '2090-03-12 07:00',
    ]);
    expect(new Set(rest.map(({ timeZone }) => timeZone))).toEqual(new Set(['Europe/Berlin']));
    expect(changed.nextDoseDate).toEqual(new Date('2090-03-10T20:00:00Z'));
  });

  it('adds no second dose on a day whose dose was taken', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, { ...BODY, times: ['12:30'] });
    await take(ctx, id, 0);
    await updateSchedule(ctx, id, { times: ['21:00'] });
    expect((await duesOf(ctx, id)).slice(0, 3)).toEqual([
      '2090-03-10T12:30',
      '2090-03-11T21:00',
      '2090-03-12T21:00',
    ]);
  });

  it('changes only the given fields, and clears empty ones', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, { ...BODY, notes: 'left side', endDate: '2090-12-31' });
    expect(await updateSchedule(ctx, id, { endDate: null })).toMatchObject({
      notes: 'left side',
      endDate: null,
    });
    expect(await updateSchedule(ctx, id, { notes: '' })).toMatchObject({ notes: null, name: 'BPC-157' });
    expect((await failureOf(updateSchedule(ctx, id, { endDate: '2090-01-01' }))).fields).toHaveProperty(
      'endDate',
    );
  });

  it('does nothing if nothing changed', async () => {
    const ctx = await premiumPerson(db);
    const { id, updatedAt } = await createSchedule(ctx, BODY);
    db.clock.advance(1000);
    expect((await updateSchedule(ctx, id, { ...BODY })).updatedAt).toEqual(updatedAt);
  });

  it('keeps a vial that has since been used up, but accepts no other used-up one', async () => {
    const ctx = await premiumPerson(db);
    const vial = await storedVial(db, ctx, 'reconstituted');
    const { id } = await createSchedule(ctx, { ...BODY, compoundId: vial });
    await discardVial(db, ctx, vial);
    expect((await updateSchedule(ctx, id, { notes: 'x' })).compoundId).toBe(vial);
    const other = await storedVial(db, ctx, 'discarded');
    expect(await codeOf(updateSchedule(ctx, id, { compoundId: other }))).toBe('INVALID_INPUT');
  });

  it('at the same time as another change results in one of the two, with its doses', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, { ...BODY, times: ['08:00'] });
    const changes = ['09:00', '10:00', '11:00'].map((time) =>
      codeOf(updateSchedule(ctx, id, { times: [time] })),
    );
    const outcomes = await Promise.all(changes);
    expect(outcomes.filter((code) => code === 'done')).toHaveLength(
      outcomes.length - outcomes.filter((code) => code === 'CHANGED_MEANWHILE').length,
    );
    const [time] = (await getSchedule(ctx, id)).times;
    const future = (await dosesOf(ctx, id)).filter(({ dueDate }) => dueDate > db.clock.now());
    expect(new Set(future.map(({ wallTime }) => wallTime))).toEqual(new Set([time]));
  });
});

describe('pausing a schedule', () => {
  it('removes future pending doses, and resuming recreates them', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, BODY);
    await take(ctx, id, 3);
    const paused = await toggleSchedule(ctx, id, { isActive: false });
    expect(paused).toMatchObject({ isActive: false, nextDoseDate: null });
    expect(await duesOf(ctx, id)).toEqual(['2090-03-12T08:00']);
    await toggleSchedule(ctx, id, { isActive: false });
    const active = await toggleSchedule(ctx, id, { isActive: true });
    expect(active.nextDoseDate).toEqual(new Date('2090-03-10T20:00:00Z'));
    const dues = await duesOf(ctx, id);
    expect(dues.slice(0, 4)).toEqual([
      '2090-03-10T20:00',
      '2090-03-11T08:00',
      '2090-03-11T20:00',
      '2090-03-12T08:00',
    ]);
    expect(await codeOf(toggleSchedule(ctx, id, { isActive: 'no' }))).toBe('INVALID_INPUT');
  });
});

describe('deleting a schedule', () => {
  it('deletes pending doses and keeps history', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, BODY);
    await take(ctx, id, 0);
    await deleteSchedule(ctx, id);
    expect((await dosesOf(ctx, id)).map(({ status }) => status)).toEqual(['taken']);
    expect(await codeOf(getSchedule(ctx, id))).toBe('NOT_FOUND');
    expect(await codeOf(deleteSchedule(ctx, id))).toBe('NOT_FOUND');
  });
});

describe('access to schedules', () => {
  it('is limited to the owner and needs Premium', async () => {
    const [ctx, other] = [await premiumPerson(db), await premiumPerson(db)];
    const { id } = await createSchedule(ctx, BODY);
    const calls = (asked: Ctx) => [
      getSchedule(asked, id),
      updateSchedule(asked, id, { notes: 'x' }),
      toggleSchedule(asked, id, { isActive: false }),
      deleteSchedule(asked, id),
    ];
    const codes = (asked: Ctx) => Promise.all(calls(asked).map(codeOf));
    expect(await codes(other)).toEqual(Array(4).fill('NOT_FOUND'));
    const free = await newPerson(db, 'free@example.org');
    expect(await codes(free.ctx)).toEqual(Array(4).fill('PREMIUM_REQUIRED'));
    expect(await codeOf(createSchedule(free.ctx, BODY))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(previewSchedule(free.ctx, BODY))).toBe('PREMIUM_REQUIRED');
    expect(await codes(db.ctx())).toEqual(Array(4).fill('UNAUTHENTICATED'));
    expect((await getSchedule(ctx, id)).isActive).toBe(true);
    expect((await listSchedules(other)).items).toEqual([]);
  });
});

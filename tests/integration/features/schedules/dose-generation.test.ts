import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  generateAllDoses,
  generateDoses,
  refreshScheduleDates,
} from '#app/features/schedules/dose-generation.server.ts';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { BODY, ownerIdOf, premiumPerson } from '#tests/support/schedule-people.ts';
import { sized } from '#tests/support/size.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const DAY_MS = 86_400_000;
const worker = () => db.ctx(TERMINAL);
const dosesOf = (ctx: Ctx, scheduleId: string) => db.repos.doses.list(ownerIdOf(ctx), { scheduleId });
const lastDay = async (ctx: Ctx, id: string) => (await dosesOf(ctx, id)).at(-1)?.localDay;

/** Grants Premium permanently, because these tests look further ahead than the trial lasts. */
async function lasting(): Promise<Ctx> {
  const ctx = await premiumPerson(db);
  const users = testConnection(db).collection('users');
  await users.updateOne({ _id: ownerIdOf(ctx) as never }, { $set: { grantedAt: db.clock.now() } });
  return ctx;
}

describe('the job that generates doses', () => {
  it('keeps every schedule 35 days ahead, and creates each dose once with any number of workers', async () => {
    const people = await Promise.all([1, 2, 3, 4, 5, 6].map(() => lasting()));
    const made = await Promise.all(
      people.map(async (ctx) => ({ ctx, id: (await createSchedule(ctx, BODY)).id })),
    );
    db.clock.advance(10 * DAY_MS);
    const seen = await Promise.all([1, 2, 3, 4].map(() => generateAllDoses(worker())));
    expect(seen.reduce((sum, count) => sum + count)).toBe(6);
    for (const { ctx, id } of made) {
      const doses = await dosesOf(ctx, id);
      // From the evening of 10 March (created at noon) to 24 April: 46 days, plus the morning of the 25th.
      expect(doses).toHaveLength(2 * 46);
      expect(new Set(doses.map(({ localDay, wallTime }) => localDay + wallTime)).size).toBe(doses.length);
    }
    expect(await generateAllDoses(worker())).toBe(0);
  });

  it('takes over from a dead worker when its lease expires', async () => {
    const ctx = await lasting();
    const { id } = await createSchedule(ctx, BODY);
    db.clock.advance(3 * DAY_MS);
    const before = await lastDay(ctx, id);
    for (;;) {
      const now = db.clock.now();
      const lease = new Date(now.getTime() + 60_000);
      if ((await db.repos.schedules.claimUnmade(new Date(now.getTime() + 35 * DAY_MS), now, lease)) === null)
        break;
    }
    expect(await generateAllDoses(worker())).toBe(0);
    db.clock.advance(60_000);
    await generateAllDoses(worker());
    expect((await lastDay(ctx, id)) ?? '').toBe('2090-04-28');
    expect(before).toBe('2090-04-25');
  });

  it('creates only doses that can still be taken after a long outage', async () => {
    const ctx = await lasting();
    const { id } = await createSchedule(ctx, BODY);
    const last = (await dosesOf(ctx, id)).at(-1)?.dueDate ?? new Date(0);
    db.clock.advance(60 * DAY_MS);
    await generateAllDoses(worker());
    const [next] = (await dosesOf(ctx, id)).filter(({ dueDate }) => dueDate > last);
    expect(next?.dueDate.getTime()).toBeGreaterThanOrEqual(db.clock.now().getTime() - DAY_MS);
    expect(next?.remindAt).toBeNull();
  });

  it('skips paused and ended schedules and those of free accounts', async () => {
    const ctx = await premiumPerson(db);
    const [free, paused, over] = [
      await createSchedule(ctx, { ...BODY, startDate: '2099-01-01' }),
      await createSchedule(ctx, BODY),
      await createSchedule(await lasting(), { ...BODY, startDate: '2090-01-01', endDate: '2090-01-02' }),
    ];
    await toggleSchedule(ctx, paused.id, { isActive: false });
    db.clock.advance(20 * DAY_MS);
    await generateAllDoses(worker());
    const ids = [];
    for (let round = 0; round < 50; round += 1) {
      const later = new Date(db.clock.now().getTime() + 2 * DAY_MS);
      const claimed = await db.repos.schedules.claimUnmade(
        new Date(later.getTime() + 30 * DAY_MS),
        later,
        new Date(later.getTime() + 1e9),
      );
      if (claimed === null) break;
      ids.push(claimed.id);
    }
    expect(ids).toContain(free.id);
    expect(ids).not.toContain(paused.id);
    expect(ids).not.toContain(over.id);
  });
});

describe('generating doses while the schedule changes', () => {
  const future = async (ctx: Ctx, id: string) =>
    (await dosesOf(ctx, id)).filter(({ dueDate }) => dueDate > db.clock.now());

  it('results in the doses of the last change, whichever was faster', async () => {
    for (let round = 0; round < sized(4, 8); round += 1) {
      const ctx = await lasting();
      const today = db.clock.now().toISOString().slice(0, 10);
      const { id } = await createSchedule(ctx, { ...BODY, startDate: today });
      await Promise.all([
        generateDoses(worker(), ownerIdOf(ctx), id),
        updateSchedule(ctx, id, { times: ['21:00'], doseAmount: '1', confirm: true }),
        generateDoses(worker(), ownerIdOf(ctx), id),
      ]);
      const left = await future(ctx, id);
      expect(new Set(left.map(({ wallTime, doseAmount }) => `${wallTime} ${doseAmount}`))).toEqual(
        new Set(['21:00 1']),
      );
      expect(left.length).toBeGreaterThanOrEqual(35);
    }
  });

  it('leaves no pending doses of a schedule deleted meanwhile', async () => {
    for (let round = 0; round < sized(4, 8); round += 1) {
      const ctx = await lasting();
      const { id } = await createSchedule(ctx, BODY);
      await Promise.all([generateDoses(worker(), ownerIdOf(ctx), id), deleteSchedule(ctx, id)]);
      expect(await dosesOf(ctx, id)).toEqual([]);
    }
  });

  it('leaves no future doses of a schedule paused meanwhile', async () => {
    const ctx = await lasting();
    const { id } = await createSchedule(ctx, BODY);
    await Promise.all([
      generateDoses(worker(), ownerIdOf(ctx), id),
      toggleSchedule(ctx, id, { isActive: false }),
      generateDoses(worker(), ownerIdOf(ctx), id),
    ]);
    expect(await future(ctx, id)).toEqual([]);
  });
});

it('the next and last dose dates of a schedule follow its doses', async () => {
  const ctx = await lasting();
  const today = db.clock.now().toISOString().slice(0, 10);
  const { id } = await createSchedule(ctx, { ...BODY, startDate: today });
  const [first, second, third] = (await dosesOf(ctx, id)).filter(({ dueDate }) => dueDate > db.clock.now());
  if (!first || !second || !third) throw new Error('too few doses');
  const takenAt = db.clock.now();
  await db.repos.doses.change(ownerIdOf(ctx), first.id, { status: 'taken', takenAt });
  await refreshScheduleDates(ctx, ownerIdOf(ctx), id);
  expect(await getSchedule(ctx, id)).toMatchObject({ nextDoseDate: second.dueDate, lastDoseDate: takenAt });
  // Time passes without any change; the next dose is calculated again.
  db.clock.advance(second.dueDate.getTime() - db.clock.now().getTime() + 1);
  expect((await getSchedule(ctx, id)).nextDoseDate).toEqual(third.dueDate);
});

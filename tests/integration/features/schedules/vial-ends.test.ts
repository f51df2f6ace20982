import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { takeAsNeeded } from '#app/features/doses/as-needed.server.ts';
import {
  beginAgain,
  createSchedule,
  getSchedule,
  previewSchedule,
  setEndsWithVial,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import { generateAllDoses } from '#app/features/schedules/dose-generation.server.ts';
import { swapSchedule, undoSwap } from '#app/features/schedules/plan-changes.server.ts';
import { stockForecast } from '#app/features/vials/stock-forecast.server.ts';
import { addVial, correctRemaining, deleteVial, discardVial } from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import {
  BODY,
  discardVial as discardBehindItsBack,
  ownerIdOf,
  premiumPerson,
} from '#tests/support/schedule-people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const DAY = 86_400_000;
const dayIn = (days: number) => new Date(db.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
const vialOf = (ctx: Ctx, totalAmount: string, name = 'BPC-157') =>
  addVial(ctx, { name, concentration: '2.5', totalAmount, reconstitutionDate: dayIn(0) });
const pendingOf = async (ctx: Ctx, scheduleId: string) =>
  (await db.repos.doses.list(ownerIdOf(ctx), { scheduleId, status: 'pending', from: db.clock.now() })).map(
    ({ id, dueDate }) => ({ id, due: dueDate.getTime() }),
  );
const stateOf = async (ctx: Ctx, id: string) => {
  const { stopsAt = null, nextDoseDate } = await getSchedule(ctx, id);
  return { hasStopped: stopsAt !== null, hasNext: nextDoseDate !== null };
};
const RUNNING = { hasStopped: false, hasNext: true };
const STOPPED = { hasStopped: true, hasNext: false };

/** A schedule with a dose of 0.25 mg that ends with its vial. */
async function planned(totalAmount: string, more: object = {}) {
  const ctx = await premiumPerson(db);
  const vial = await vialOf(ctx, totalAmount);
  const body = { ...BODY, times: ['08:00'], startDate: dayIn(1), compoundId: vial.id, endsWithVial: true };
  const { id } = await createSchedule(ctx, { ...body, ...more });
  return { ctx, id, vialId: vial.id };
}

/** Takes the next pending dose when it is due. */
async function takeNext(ctx: Ctx, scheduleId: string): Promise<string> {
  const [next] = await pendingOf(ctx, scheduleId);
  if (next === undefined) throw new Error('no dose is pending');
  db.clock.advance(Math.max(0, next.due - db.clock.now().getTime()));
  const taken = await takeDose(ctx, next.id, {
    confirmed: ['TOO_SOON', 'NO_OPEN_VIAL', 'OVER_DRAWN', 'PAST_DATE'],
  });
  expect(taken.done).toBe(true);
  return next.id;
}

describe('a schedule that ends with its vial', () => {
  it('stops with the dose that empties the vial, and continues with the same doses when that is undone', async () => {
    const { ctx, id } = await planned('0.5');
    await takeNext(ctx, id);
    const before = await pendingOf(ctx, id);
    expect(await stateOf(ctx, id)).toEqual(RUNNING);
    const last = await takeNext(ctx, id);
    expect(await pendingOf(ctx, id)).toEqual([]);
    expect(await stateOf(ctx, id)).toEqual(STOPPED);
    await generateAllDoses(db.ctx(TERMINAL));
    expect(await pendingOf(ctx, id)).toEqual([]);
    await undoDose(ctx, last);
    expect((await pendingOf(ctx, id)).slice(0, before.length)).toEqual(before);
    expect(await stateOf(ctx, id)).toEqual(RUNNING);
    await takeDose(ctx, last, {});
    expect(await stateOf(ctx, id)).toEqual(STOPPED);
  });

  it('gets back the doses due while it was stopped, if they can still be taken', async () => {
    const { ctx, id } = await planned('0.25', { times: ['08:00', '20:00'] });
    const first = await takeNext(ctx, id);
    db.clock.advance(14 * 3_600_000);
    await undoDose(ctx, first);
    const owner = ownerIdOf(ctx);
    const { doses } = db.repos;
    const due = await doses.list(owner, { scheduleId: id, before: db.clock.now() });
    expect(due.map(({ wallTime, status }) => [wallTime, status])).toEqual([
      ['08:00', 'pending'],
      ['20:00', 'pending'],
    ]);
  });

  it('stops when the vial is discarded, corrected to empty or deleted, and continues after a correction', async () => {
    const { ctx, id, vialId } = await planned('5');
    const before = await pendingOf(ctx, id);
    await correctRemaining(ctx, vialId, { remainingAmount: '0' });
    expect([await stateOf(ctx, id), await pendingOf(ctx, id)]).toEqual([STOPPED, []]);
    await correctRemaining(ctx, vialId, { remainingAmount: '3' });
    expect([await stateOf(ctx, id), await pendingOf(ctx, id)]).toEqual([RUNNING, before]);
    await discardVial(ctx, vialId);
    expect(await stateOf(ctx, id)).toEqual(STOPPED);

    const other = await planned('5');
    await deleteVial(other.ctx, other.vialId);
    expect(await stateOf(other.ctx, other.id)).toEqual(STOPPED);
  });

  it('stops whichever schedule takes the last dose, without affecting schedules that don’t end with it', async () => {
    const { ctx, id, vialId } = await planned('0.25');
    const more = { ...BODY, times: ['07:00'], startDate: dayIn(1), compoundId: vialId };
    const other = await createSchedule(ctx, more);
    await takeNext(ctx, other.id);
    expect(await stateOf(ctx, id)).toEqual(STOPPED);
    expect(await stateOf(ctx, other.id)).toEqual(RUNNING);
  });

  it('stays paused and stopped, whatever else happens meanwhile', async () => {
    const { ctx, id, vialId } = await planned('5');
    await toggleSchedule(ctx, id, { isActive: false });
    await discardVial(ctx, vialId);
    await toggleSchedule(ctx, id, { isActive: true });
    expect([await stateOf(ctx, id), await pendingOf(ctx, id)]).toEqual([STOPPED, []]);
    await updateSchedule(ctx, id, { endsWithVial: false });
    expect(await stateOf(ctx, id)).toEqual(RUNNING);
  });

  it('ends with the vial of its last swap, continues with a new one, and stops again when that swap is undone', async () => {
    const { ctx, id, vialId } = await planned('5');
    const second = await vialOf(ctx, '5');
    const { swaps } = await swapSchedule(ctx, id, {
      fromDay: dayIn(3),
      compoundId: second.id,
      confirm: true,
    });
    await discardVial(ctx, vialId);
    expect(await stateOf(ctx, id)).toEqual(RUNNING);
    await discardVial(ctx, second.id);
    expect((await getSchedule(ctx, id)).stopsAt?.toISOString().slice(0, 10)).toBe(dayIn(3));
    expect((await pendingOf(ctx, id)).length).toBe(2);
    await undoSwap(ctx, id, swaps?.[0]?.id ?? '');
    expect(await stateOf(ctx, id)).toMatchObject({ hasStopped: true });
    const third = await vialOf(ctx, '5');
    await swapSchedule(ctx, id, { fromDay: dayIn(0), compoundId: third.id, confirm: true });
    expect(await stateOf(ctx, id)).toEqual(RUNNING);
  });

  it('is stopped by the worker if an earlier version was interrupted', async () => {
    const { ctx, id, vialId } = await planned('5');
    // Those versions marked the schedules of a vial before they changed it.
    await db.repos.schedules.set(ownerIdOf(ctx), id, { madeUntil: db.clock.now() });
    await discardBehindItsBack(db, ctx, vialId);
    await generateAllDoses(db.ctx(TERMINAL));
    expect([await stateOf(ctx, id), await pendingOf(ctx, id)]).toEqual([STOPPED, []]);
  });

  it('is stopped by the worker if its vial has more schedules than one act brings up to date', async () => {
    const { ctx, id, vialId } = await planned('5');
    const body = { ...BODY, times: ['08:00'], startDate: dayIn(1), compoundId: vialId, endsWithVial: true };
    const others: string[] = [];
    for (let count = 0; count < 11; count += 1) others.push((await createSchedule(ctx, body)).id);
    await discardVial(ctx, vialId);
    const states = () => Promise.all([id, ...others].map((one) => stateOf(ctx, one)));
    expect((await states()).filter(({ hasStopped }) => hasStopped)).toHaveLength(10);
    await generateAllDoses(db.ctx(TERMINAL));
    expect((await states()).filter(({ hasStopped }) => hasStopped)).toHaveLength(12);
  });

  it('stops once if several requests empty the vial at the same time', async () => {
    const { ctx, id } = await planned('0.5', { times: ['08:00', '08:05', '08:10', '08:15'] });
    const [first, ...others] = await pendingOf(ctx, id);
    const four = [first, ...others].slice(0, 4).map((dose) => dose?.id ?? '');
    db.clock.advance((first?.due ?? 0) + 1_200_000 - db.clock.now().getTime());
    const confirmed = ['TOO_SOON', 'NO_OPEN_VIAL', 'OVER_DRAWN', 'PAST_DATE'] as const;
    await Promise.all(four.map((dose) => takeDose(ctx, dose, { confirmed: [...confirmed] })));
    expect([await stateOf(ctx, id), await pendingOf(ctx, id)]).toEqual([STOPPED, []]);
    await Promise.all(four.map((dose) => undoDose(ctx, dose)));
    const after = await pendingOf(ctx, id);
    expect(await stateOf(ctx, id)).toEqual(RUNNING);
    expect(after.slice(0, 5)).toEqual(others.slice(3, 8));
  });

  it('can count from the last dose or be as needed', async () => {
    const chain = await planned('0.5', {
      frequency: { kind: 'after-last', everyHours: 12 },
      times: [],
      firstDueAt: new Date(db.clock.now().getTime() + 3_600_000).toISOString(),
    });
    await takeNext(chain.ctx, chain.id);
    expect(await pendingOf(chain.ctx, chain.id)).toHaveLength(1);
    const last = await takeNext(chain.ctx, chain.id);
    expect([await stateOf(chain.ctx, chain.id), await pendingOf(chain.ctx, chain.id)]).toEqual([STOPPED, []]);
    await undoDose(chain.ctx, last);
    expect((await getSchedule(chain.ctx, chain.id)).stopsAt).toBeNull();

    const needed = await planned('0.25', { frequency: { kind: 'as-needed' }, times: [] });
    db.clock.advance(DAY);
    await takeAsNeeded(needed.ctx, needed.id, {});
    expect((await getSchedule(needed.ctx, needed.id)).stopsAt).not.toBeNull();
  });
});

describe('the expected end of a schedule with its vial', () => {
  it('is shown in the preview, counts doses of other schedules, and causes no reorder alert', async () => {
    const { ctx, id, vialId } = await planned('5');
    const body = { ...BODY, times: ['08:00'], startDate: dayIn(1), compoundId: vialId, endsWithVial: true };
    // 20 doses of the stored schedule, 20 of the previewed one.
    expect((await previewSchedule(ctx, body)).endsAbout).toBe(dayIn(10));
    expect((await previewSchedule(ctx, body, id)).endsAbout).toBe(dayIn(20));
    expect((await previewSchedule(ctx, { ...body, endsWithVial: false })).endsAbout).toBeNull();
    const [forecast] = await stockForecast(ctx, ownerIdOf(ctx));
    expect(forecast).toMatchObject({ runOutDay: null, level: 'ok' });
    await setEndsWithVial(ctx, id, false);
    expect((await stockForecast(ctx, ownerIdOf(ctx)))[0]).toMatchObject({ runOutDay: dayIn(21) });
  });

  it('needs a vial, leaves the rest unchanged, and is kept when started again with a usable vial', async () => {
    const { ctx, id, vialId } = await planned('5');
    const body = { ...BODY, compoundId: '', endsWithVial: true };
    const refused = { code: 'INVALID_INPUT', fields: { endsWithVial: expect.anything() as unknown } };
    await expect(createSchedule(ctx, body)).rejects.toMatchObject(refused);
    await expect(previewSchedule(ctx, body)).rejects.toMatchObject(refused);
    await expect(updateSchedule(ctx, id, { compoundId: null })).rejects.toMatchObject(refused);
    await expect(createSchedule(ctx, { ...BODY, endsWithVial: 'perhaps' })).rejects.toMatchObject(refused);
    expect((await updateSchedule(ctx, id, { notes: 'Evening' })).endsWithVial).toBe(true);
    await toggleSchedule(ctx, id, { isActive: false });
    expect(await beginAgain(ctx, id)).toMatchObject({ endsWithVial: true, compoundId: vialId });
    await discardVial(ctx, vialId);
    expect(await beginAgain(ctx, id)).toMatchObject({ endsWithVial: false, compoundId: null });
  });
});

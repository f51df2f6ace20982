import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveDose, previewMove, undoMove } from '#app/features/schedules/plan-changes.server.ts';
import { markMissedDoses } from '#app/features/doses/dose-effects.server.ts';
import { skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { deliverReminders } from '#app/features/reminders/deliveries.server.ts';
import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import { generateAllDoses, generateDoses } from '#app/features/schedules/dose-generation.server.ts';
import {
  createSchedule,
  getSchedule,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { DoseRecord } from '#models/index.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { vial } from '#tests/support/vials.ts';
import { BODY, ownerIdOf, premiumPerson } from '#tests/support/schedule-people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const later = (at: Date, ms: number) => new Date(at.getTime() + ms);
const iso = (at: Date) => at.toISOString();
const worker = () => db.ctx(TERMINAL);

const dosesOf = (ctx: Ctx, scheduleId: string) => db.repos.doses.list(ownerIdOf(ctx), { scheduleId });
const pendingOf = async (ctx: Ctx, id: string) =>
  (await dosesOf(ctx, id)).filter(({ status }) => status === 'pending');
const found = (doses: readonly DoseRecord[], id: string) =>
  doses.find((dose) => dose.id === id) ?? expect.unreachable('the dose is gone');

/** Ids and instants of the doses, which must be neither lost nor duplicated. */
const timesOf = (doses: readonly DoseRecord[]) => doses.map(({ id, dueDate }) => [id, dueDate] as const);

async function planned(more: object = {}) {
  const ctx = await premiumPerson(db);
  const startDate = iso(later(db.clock.now(), DAY)).slice(0, 10);
  const { id } = await createSchedule(ctx, { ...BODY, timeZone: 'UTC', startDate, ...more });
  const doses = await dosesOf(ctx, id);
  const [first, second, third] = doses as [DoseRecord, DoseRecord, DoseRecord];
  return { ctx, id, doses, first, second, third };
}

describe('moving a dose', () => {
  it('on its own keeps its id and changes its time everywhere, and undo restores it exactly', async () => {
    const { ctx, id, doses, first } = await planned();
    const to = later(first.dueDate, 5 * HOUR);
    expect(await previewMove(ctx, first.id, { dueDate: iso(to) })).toMatchObject({
      doses: [{ from: first.dueDate, to }],
      tooCloseTo: null,
    });
    expect(timesOf(await dosesOf(ctx, id))).toEqual(timesOf(doses));
    const moved = await moveDose(ctx, first.id, { dueDate: iso(to) });
    expect(moved).toMatchObject({
      id: first.id,
      dueDate: to,
      localDay: iso(to).slice(0, 10),
      wallTime: iso(to).slice(11, 16),
      movedFrom: { localDay: first.localDay, wallTime: first.wallTime },
      moveHistory: [{ from: first.dueDate, to, isUndo: false }],
      remindStage: 'upcoming',
    });
    expect(await getSchedule(ctx, id)).toMatchObject({ nextDoseDate: to });
    expect(timesOf((await dosesOf(ctx, id)).filter((dose) => dose.id !== first.id))).toEqual(
      timesOf(doses.slice(1)),
    );
    await undoDose(ctx, first.id);
    const after = await dosesOf(ctx, id);
    expect(timesOf(after)).toEqual(timesOf(doses));
    expect(found(after, first.id)).toMatchObject({ movedFrom: null, remindAt: first.remindAt });
    expect(found(after, first.id).moveHistory).toHaveLength(2);
    await expect(undoDose(ctx, first.id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('with all after it moves each of them by the same amount, and undo restores them exactly', async () => {
    const { ctx, id, doses, first, second } = await planned({ times: ['08:00', '20:00'] });
    await moveDose(ctx, second.id, { dueDate: iso(later(second.dueDate, 90 * 60_000)), scope: 'following' });
    const after = await dosesOf(ctx, id);
    // For them, the window of 36 days now starts and ends 90 minutes later.
    for (const dose of doses.slice(1, -1))
      expect(found(after, dose.id).dueDate).toEqual(later(dose.dueDate, 90 * 60_000));
    expect(found(after, first.id).dueDate).toEqual(first.dueDate);
    expect(new Set(after.map((dose) => dose.id)).size).toBe(after.length);
    await undoMove(ctx, second.id);
    expect(timesOf(await dosesOf(ctx, id))).toEqual(timesOf(doses));
  });

  it('survives changing, pausing, resuming and regenerating, without duplicates', async () => {
    const { ctx, id, first, third } = await planned();
    const to = later(first.dueDate, 30 * HOUR);
    await moveDose(ctx, first.id, { dueDate: iso(to) });
    await moveDose(ctx, third.id, { dueDate: iso(later(third.dueDate, 2 * HOUR)), scope: 'following' });
    const moved = timesOf(await dosesOf(ctx, id));
    await updateSchedule(ctx, id, { notes: 'other', reminderLeadMinutes: 5 });
    expect(timesOf(await dosesOf(ctx, id))).toEqual(moved);
    await toggleSchedule(ctx, id, { isActive: false });
    expect(await pendingOf(ctx, id)).toEqual([]);
    await toggleSchedule(ctx, id, { isActive: true });
    expect(timesOf(await dosesOf(ctx, id))).toEqual(moved);
    await Promise.all([1, 2, 3].map(() => generateDoses(worker(), ownerIdOf(ctx), id)));
    expect(timesOf(await dosesOf(ctx, id))).toEqual(moved);
    expect(found(await dosesOf(ctx, id), first.id).moveHistory).toHaveLength(1);
    db.clock.advance(3 * DAY);
    await generateAllDoses(worker());
    const later3 = await dosesOf(ctx, id);
    for (const [doseId, dueDate] of moved) expect(found(later3, doseId).dueDate).toEqual(dueDate);
    expect(new Set(later3.map((dose) => dose.id)).size).toBe(later3.length);
  });

  it('can put an overdue dose on tomorrow, and undo it even after that time has passed', async () => {
    const { ctx, id, first, doses } = await planned();
    db.clock.advance(first.dueDate.getTime() + 3 * HOUR - db.clock.now().getTime());
    const to = later(db.clock.now(), 20 * HOUR);
    await moveDose(ctx, first.id, { dueDate: iso(to) });
    expect(found(await pendingOf(ctx, id), first.id)).toMatchObject({ dueDate: to });
    await updateSchedule(ctx, id, { notes: 'still there' });
    expect(found(await pendingOf(ctx, id), first.id)).toMatchObject({ dueDate: to });
    db.clock.advance(21 * HOUR);
    await undoDose(ctx, first.id);
    const back = found(await pendingOf(ctx, id), first.id);
    expect(back.dueDate).toEqual(first.dueDate);
    await markMissedDoses(worker());
    expect(found(await dosesOf(ctx, id), first.id).status).toBe('missed');
    expect(timesOf(await dosesOf(ctx, id)).slice(0, doses.length)).toEqual(timesOf(doses));
  });

  it('leaves a taken dose as it is when others move or the schedule changes', async () => {
    const { ctx, id, first, second } = await planned();
    await moveDose(ctx, first.id, { dueDate: iso(later(first.dueDate, 2 * HOUR)) });
    db.clock.advance(first.dueDate.getTime() + 2 * HOUR - db.clock.now().getTime());
    await takeDose(ctx, first.id);
    await moveDose(ctx, second.id, { dueDate: iso(later(second.dueDate, HOUR)), scope: 'following' });
    await updateSchedule(ctx, id, { times: ['21:00'] });
    const taken = (await dosesOf(ctx, id)).filter(({ localDay }) => localDay === first.localDay);
    expect(taken).toMatchObject([{ id: first.id, status: 'taken', dueDate: later(first.dueDate, 2 * HOUR) }]);
  });

  it('previews only the doses that move: none that was taken early', async () => {
    const { ctx, id, doses, first, second } = await planned();
    await takeDose(ctx, second.id, { confirmed: ['TOO_SOON'] });
    const change = { dueDate: iso(later(first.dueDate, HOUR)), scope: 'following' } as const;
    const preview = await previewMove(ctx, first.id, change);
    await moveDose(ctx, first.id, change);
    const moved = (await dosesOf(ctx, id)).filter(
      ({ id: one, dueDate }) => dueDate.getTime() !== found(doses, one).dueDate.getTime(),
    );
    expect(preview.doses.map(({ to }) => to)).toEqual(moved.slice(0, 7).map(({ dueDate }) => dueDate));
  });

  it('is refused for logged doses, past times, times too far ahead and the time of another dose', async () => {
    const { ctx, first, second } = await planned();
    const refused = (id: string, at: Date, scope: 'this' | 'following' = 'this') =>
      expect(moveDose(ctx, id, { dueDate: iso(at), scope })).rejects;
    await refused(first.id, later(db.clock.now(), -HOUR)).toMatchObject({ code: 'INVALID_INPUT' });
    await refused(first.id, later(db.clock.now(), 36 * DAY)).toMatchObject({ code: 'INVALID_INPUT' });
    await refused(first.id, first.dueDate).toMatchObject({ code: 'INVALID_INPUT' });
    await refused(first.id, second.dueDate).toMatchObject({ code: 'INVALID_INPUT' });
    await refused(second.id, first.dueDate, 'following').toMatchObject({ code: 'INVALID_INPUT' });
    await skipDose(ctx, first.id);
    await refused(first.id, later(first.dueDate, HOUR)).toMatchObject({ code: 'CONFLICT' });
    await refused('dose_none', later(first.dueDate, HOUR)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('changes the next dose of a schedule that counts from the last one, and undo restores it', async () => {
    const ctx = await premiumPerson(db);
    const { times: _times, startDate: _day, ...plan } = BODY;
    const { id } = await createSchedule(ctx, { ...plan, frequency: { kind: 'after-last', everyHours: 8 } });
    const [first] = (await dosesOf(ctx, id)) as [DoseRecord];
    await takeDose(ctx, first.id);
    const [next] = (await pendingOf(ctx, id)) as [DoseRecord];
    const to = later(next.dueDate, 3 * HOUR);
    await moveDose(ctx, next.id, { dueDate: iso(to), scope: 'following' });
    const now = async () => (await pendingOf(ctx, id)).map((dose) => [dose.id, dose.dueDate]);
    expect(await now()).toEqual([[next.id, to]]);
    await toggleSchedule(ctx, id, { isActive: false });
    await toggleSchedule(ctx, id, { isActive: true });
    await Promise.all([1, 2].map(() => generateDoses(worker(), ownerIdOf(ctx), id)));
    expect(await now()).toEqual([[next.id, to]]);
    await undoDose(ctx, next.id);
    expect(await now()).toEqual([[next.id, next.dueDate]]);
    await moveDose(ctx, next.id, { dueDate: iso(to) });
    db.clock.advance(12 * HOUR);
    await takeDose(ctx, next.id);
    expect(await pendingOf(ctx, id)).toMatchObject([{ dueDate: later(db.clock.now(), 8 * HOUR) }]);
  });
});

describe('reminders of a moved dose', () => {
  it('are no longer sent for the old time, and are sent once each for the new one', async () => {
    const { ctx, first } = await planned({ reminderLeadMinutes: 15 });
    const ownerId = ownerIdOf(ctx);
    const sent = async () => {
      const { db: stored } = testConnection(db);
      const rows = await stored
        ?.collection('reminders')
        .find({ userId: ownerId, doseId: first.id })
        .sort({ reminderTime: 1 })
        .toArray();
      return (rows ?? []).map((row) => [row['type'], row['reminderTime'], row['isRead']]);
    };
    const states = async () => {
      const { db: stored } = testConnection(db);
      const rows = await stored
        ?.collection('deliveries')
        .find({ userId: ownerId, doseId: first.id })
        .toArray();
      return (rows ?? []).map((row) => row['state'] as string).sort();
    };
    db.clock.advance(first.dueDate.getTime() - 15 * 60_000 - db.clock.now().getTime());
    await remindOfDoses(worker());
    db.clock.advance(60_000);
    const to = later(first.dueDate, 6 * HOUR);
    await moveDose(ctx, first.id, { dueDate: iso(to) });
    await deliverReminders(worker());
    const waiting = await states();
    expect(waiting).toEqual(waiting.map(() => 'dropped'));
    const old = await sent();
    expect(old).toEqual([['upcoming', later(first.dueDate, -15 * 60_000), true]]);
    db.clock.advance(HOUR);
    await remindOfDoses(worker());
    expect(await sent()).toEqual(old);
    db.clock.advance(to.getTime() - 15 * 60_000 - db.clock.now().getTime());
    await Promise.all([remindOfDoses(worker()), remindOfDoses(worker())]);
    expect(await sent()).toEqual([...old, ['upcoming', later(to, -15 * 60_000), false]]);
    db.clock.advance(15 * 60_000);
    await remindOfDoses(worker());
    expect(await sent()).toEqual([...old, ['due', to, false]]);
  });
});

describe('a future dose that was taken and undone', () => {
  async function takenBack() {
    const person = await planned();
    const ownerId = ownerIdOf(person.ctx);
    const compoundId = `vial_${person.id}`;
    const reconstitutionDate = iso(db.clock.now()).slice(0, 10);
    const fresh = vial({ id: compoundId, userId: ownerId, reconstitutionDate });
    await db.repos.vials.create(fresh, null);
    const left = async () => (await db.repos.vials.find(ownerId, compoundId))?.remaining;
    const take = async () => {
      db.clock.advance(60_000);
      await takeDose(person.ctx, person.first.id, { confirmed: ['TOO_SOON'] });
    };
    const undo = async () => {
      db.clock.advance(60_000);
      await undoDose(person.ctx, person.first.id);
    };
    await take();
    await undo();
    expect(await left()).toBe(fresh.remaining);
    return { ...person, take, undo, left, full: fresh.remaining };
  }

  it.each([
    ['changed', (ctx: Ctx, id: string) => updateSchedule(ctx, id, { doseAmount: '0.3' })],
    [
      'paused and resumed',
      async (ctx: Ctx, id: string) => {
        await toggleSchedule(ctx, id, { isActive: false });
        await toggleSchedule(ctx, id, { isActive: true });
      },
    ],
  ])('is drawn from stock when taken again after its schedule was %s', async (_, change) => {
    const { ctx, id, first, take, undo, left, full } = await takenBack();
    await change(ctx, id);
    const again = found(await pendingOf(ctx, id), first.id);
    await take();
    expect(again.status).toBe('pending');
    const drawn = String(Number(full) - Number(again.doseAmount));
    expect(await left()).toBe(drawn);
    await undo();
    expect(await left()).toBe(full);
    await take();
    expect(await left()).toBe(drawn);
  });
});

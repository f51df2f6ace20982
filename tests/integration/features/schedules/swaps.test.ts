import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeDose } from '#app/features/doses/doses.server.ts';
import {
  beginAgain,
  createSchedule,
  getSchedule,
  previewSchedule,
  toggleSchedule,
  updateSchedule,
} from '#app/features/schedules/schedules.server.ts';
import { generateAllDoses, generateDoses } from '#app/features/schedules/dose-generation.server.ts';
import { previewSwap, swapSchedule, undoSwap } from '#app/features/schedules/plan-changes.server.ts';
import { SCHEDULE_MESSAGES } from '#app/domain/schedules/schedule-schema.ts';
import { readSwaps, swapsCell } from '#app/domain/schedules/plan-change-schema.ts';
import { stockForecast } from '#app/features/vials/stock-forecast.server.ts';
import { addVial, updateVial } from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { fieldsOf } from '#tests/support/outcomes.ts';
import { BODY, ownerIdOf, premiumPerson } from '#tests/support/schedule-people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const DAY = 86_400_000;
const worker = () => db.ctx(TERMINAL);
const dayIn = (days: number) => new Date(db.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
const dosesOf = (ctx: Ctx, scheduleId: string) => db.repos.doses.list(ownerIdOf(ctx), { scheduleId });
const allOf = async (ctx: Ctx, id: string) =>
  (await dosesOf(ctx, id)).map(({ id: doseId, dueDate, name, compoundId, doseAmount, status }) => ({
    ...{ doseId, due: dueDate.getTime(), name, compoundId, doseAmount, status },
  }));
const vialOf = (ctx: Ctx, name: string, totalAmount = '5') =>
  addVial(ctx, { name, concentration: '2.5', totalAmount, reconstitutionDate: dayIn(0) });

async function planned(more: object = {}) {
  const ctx = await premiumPerson(db);
  const body = { ...BODY, times: ['08:00'], startDate: dayIn(1), ...more };
  const { id } = await createSchedule(ctx, body);
  return { ctx, id };
}

describe('changing compound, vial or dose from a day on', () => {
  it('changes only the doses from that day on, as previewed, and undo restores them exactly', async () => {
    const { ctx, id } = await planned();
    const before = await allOf(ctx, id);
    const vial = await vialOf(ctx, 'TB-500');
    const fromDay = dayIn(5);
    const input = { fromDay, compoundId: vial.id, doseAmount: '500 mcg', confirm: true };
    const { doses } = await previewSwap(ctx, id, input);
    expect(await allOf(ctx, id)).toEqual(before);
    const { swaps, name } = await swapSchedule(ctx, id, input);
    expect(name).toBe('BPC-157');
    const after = await allOf(ctx, id);
    const change = { name: 'TB-500', compoundId: vial.id, doseAmount: '0.5' };
    const begin = Date.parse(fromDay);
    expect(after).toEqual(before.map((dose) => (dose.due >= begin ? { ...dose, ...change } : dose)));
    expect(doses.map(({ dueDate, after: part }) => ({ due: dueDate.getTime(), ...part }))).toEqual(
      after
        .filter(({ due }) => due >= begin)
        .slice(0, 7)
        .map(({ due }) => ({ due, ...change })),
    );
    await Promise.all([1, 2, 3].map(() => generateDoses(worker(), ownerIdOf(ctx), id)));
    await toggleSchedule(ctx, id, { isActive: false });
    await toggleSchedule(ctx, id, { isActive: true });
    expect(await allOf(ctx, id)).toEqual(after);
    await undoSwap(ctx, id, swaps?.[0]?.id ?? '');
    expect(await allOf(ctx, id)).toEqual(before);
    await expect(undoSwap(ctx, id, swaps?.[0]?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('previews only doses that change: none that was taken early, and none after a later change', async () => {
    const { ctx, id } = await planned();
    const [first, second] = await dosesOf(ctx, id);
    await takeDose(ctx, first?.id ?? '', { confirmed: ['NO_OPEN_VIAL', 'TOO_SOON'] });
    await swapSchedule(ctx, id, { fromDay: dayIn(4), name: 'TB-500', confirm: true });
    const input = { fromDay: dayIn(1), name: 'Third', confirm: true };
    const before = await allOf(ctx, id);
    const { doses } = await previewSwap(ctx, id, input);
    await swapSchedule(ctx, id, input);
    const changed = (await allOf(ctx, id)).filter(({ name }, at) => name !== before[at]?.name);
    expect(doses.map(({ dueDate }) => dueDate.getTime())).toEqual(changed.map(({ due }) => due));
    expect(doses[0]?.dueDate).toEqual(second?.dueDate);
    expect(doses).toHaveLength(2);
  });

  it('keeps logged doses, applies to the schedule from that day, and survives a change of its times', async () => {
    const { ctx, id } = await planned();
    await swapSchedule(ctx, id, { fromDay: dayIn(3), name: 'TB-500', confirm: true });
    const [first] = await dosesOf(ctx, id);
    await takeDose(ctx, first?.id ?? '', { confirmed: ['NO_OPEN_VIAL'] });
    db.clock.advance(4 * DAY);
    await generateAllDoses(worker());
    expect(await getSchedule(ctx, id)).toMatchObject({ name: 'TB-500' });
    await updateSchedule(ctx, id, { times: ['09:00'] });
    expect(await getSchedule(ctx, id)).toMatchObject({ name: 'TB-500', swaps: [{ name: 'TB-500' }] });
    const names = new Set(
      (await dosesOf(ctx, id)).filter(({ dueDate }) => dueDate > db.clock.now()).map(({ name }) => name),
    );
    expect([...names]).toEqual(['TB-500']);
    expect((await dosesOf(ctx, id))[0]).toMatchObject({ name: 'BPC-157', status: 'taken' });
    await updateSchedule(ctx, id, { name: 'Third', confirm: true });
    expect(await getSchedule(ctx, id)).toMatchObject({ name: 'Third', swaps: [] });
    expect((await dosesOf(ctx, id)).at(-1)).toMatchObject({ name: 'Third' });
  });

  it('makes the forecast count each compound from its own stock', async () => {
    const ctx = await premiumPerson(db);
    const [first, second] = [await vialOf(ctx, 'BPC-157', '2'), await vialOf(ctx, 'TB-500', '1')];
    const body = { ...BODY, times: ['08:00'], doseAmount: '0.25', startDate: dayIn(1) };
    const { id } = await createSchedule(ctx, { ...body, compoundId: first.id });
    const runOut = async () =>
      Object.fromEntries(
        (await stockForecast(ctx, ownerIdOf(ctx))).map(({ name, runOutDay }) => [name, runOutDay]),
      );
    expect(await runOut()).toEqual({ 'BPC-157': dayIn(9), 'TB-500': null });
    await swapSchedule(ctx, id, { fromDay: dayIn(4), compoundId: second.id, confirm: true });
    expect(await runOut()).toEqual({ 'BPC-157': null, 'TB-500': dayIn(8) });
  });

  it('asks about an unusual amount, and refuses a vial of another compound, a past day and no change', async () => {
    const { ctx, id } = await planned();
    const vial = await vialOf(ctx, 'TB-500');
    const swap = (input: object) => swapSchedule(ctx, id, { fromDay: dayIn(2), ...input });
    await expect(swap({ doseAmount: '2.5' })).rejects.toMatchObject({ code: 'CONFIRM_DOSE' });
    await expect(swap({ name: 'Else', compoundId: vial.id })).rejects.toMatchObject({
      fields: { compoundId: [expect.stringContaining('TB-500')] },
    });
    await expect(swap({ fromDay: dayIn(-1), name: 'Else' })).rejects.toMatchObject({
      fields: { fromDay: [expect.any(String)] },
    });
    await expect(swap({})).rejects.toMatchObject({ fields: { name: [expect.any(String)] } });
    expect(await fieldsOf(swap({ doseAmount: '250 mg' }))).toEqual({
      doseAmount: [SCHEDULE_MESSAGES.doseTooLarge, 'Did you mean 250 mcg?'],
    });
    const other = await premiumPerson(db);
    await expect(swapSchedule(other, id, { fromDay: dayIn(2), name: 'Else' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(
      swapSchedule(ctx, id, { fromDay: dayIn(2), compoundId: 'vial_of_nobody' }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('draws from a blend by the same component from that day on, and survives an export', async () => {
    const ctx = await premiumPerson(db);
    const blend = (name: string, second: string) =>
      addVial(ctx, {
        name,
        components: [
          { name: 'BPC-157', amount: 5 },
          { name: 'TB-500', amount: second },
        ],
        waterMl: '2',
        reconstitutionDate: dayIn(0),
      });
    const [first, other] = [await blend('Wolverine', '5'), await blend('Stronger', '10')];
    const body = { ...BODY, times: ['08:00'], startDate: dayIn(1), compoundId: first.id, doseOf: 'TB-500' };
    const { id } = await createSchedule(ctx, { ...body, name: 'Wolverine' });
    const input = { fromDay: dayIn(4), compoundId: other.id, confirm: true };
    const { swaps } = await swapSchedule(ctx, id, input);
    const part = {
      doseOf: 'TB-500',
      components: [
        { name: 'BPC-157', amount: '5' },
        { name: 'TB-500', amount: '10' },
      ],
    };
    expect(swaps).toMatchObject([{ name: 'Stronger', blend: part }]);
    const doses = await dosesOf(ctx, id);
    expect(doses.slice(2, 4).map(({ name, blend: held }) => [name, held?.components[1]?.amount])).toEqual([
      ['Wolverine', '5'],
      ['Stronger', '10'],
    ]);
    expect(readSwaps(swapsCell(swaps))).toMatchObject([{ name: 'Stronger', blend: part }]);
    await swapSchedule(ctx, id, { fromDay: dayIn(6), doseAmount: '0.3', confirm: true });
    expect((await getSchedule(ctx, id)).swaps?.[1]).toMatchObject({ compoundId: other.id, blend: part });
    const stronger = part.components.map((one, at) => (at === 1 ? { ...one, amount: '12' } : one));
    await updateVial(ctx, other.id, { components: stronger });
    expect((await getSchedule(ctx, id)).swaps?.map(({ blend: held }) => held?.components[1]?.amount)).toEqual(
      ['12', '12'],
    );
    expect((await dosesOf(ctx, id))[3]?.blend?.components).toMatchObject(stronger);
    await updateVial(ctx, other.id, { components: part.components });
    db.clock.advance(7 * DAY);
    const again = await beginAgain(ctx, (await toggleSchedule(ctx, id, { isActive: false })).id, {
      confirm: true,
    });
    expect(again).toMatchObject({ name: 'Stronger', blend: part, doseAmount: '0.3' });
  });

  it('applies to the next dose of a schedule that counts from the last one', async () => {
    const { ctx, id } = await planned({
      frequency: { kind: 'after-last', everyHours: 48 },
      times: undefined,
      firstDueAt: new Date(db.clock.now().getTime() + DAY).toISOString(),
    });
    await swapSchedule(ctx, id, { fromDay: dayIn(2), name: 'TB-500', confirm: true });
    const [first] = await dosesOf(ctx, id);
    expect(first).toMatchObject({ name: 'BPC-157' });
    await takeDose(ctx, first?.id ?? '', { confirmed: ['NO_OPEN_VIAL'] });
    const doses = await dosesOf(ctx, id);
    expect(doses.map(({ name, status }) => [name, status])).toEqual([
      ['BPC-157', 'taken'],
      ['TB-500', 'pending'],
    ]);
  });
});

describe('starting a schedule again', () => {
  it('creates a new one with the same settings and length and its ramp from the start; the old one keeps its doses', async () => {
    const ramp = { start: '0.25', step: '0.25', everyWeeks: 1, target: '1' };
    const course = { weeksOn: 2, weeksOff: 1 };
    const { ctx, id } = await planned({ endDate: dayIn(20), ramp, course });
    await expect(beginAgain(ctx, id)).rejects.toMatchObject({ code: 'CONFLICT' });
    const days = await dosesOf(ctx, id);
    const old = await getSchedule(ctx, id);
    db.clock.advance(30 * DAY);
    await generateAllDoses(worker());
    const startDate = dayIn(2);
    const again = await beginAgain(ctx, id, { startDate, saveKey: 'once', confirm: true });
    expect((await beginAgain(ctx, id, { startDate, saveKey: 'once', confirm: true })).id).toBe(again.id);
    expect(again).toMatchObject({
      name: old.name,
      ramp,
      course,
      startDate,
      endDate: dayIn(21),
      isActive: true,
    });
    expect((await dosesOf(ctx, again.id)).map(({ doseAmount }) => doseAmount)).toEqual(
      days.map(({ doseAmount }) => doseAmount),
    );
    expect(await dosesOf(ctx, id)).toHaveLength(days.length);
    const { doses } = await previewSchedule(ctx, {
      ...BODY,
      times: ['08:00'],
      startDate,
      endDate: dayIn(21),
      ramp,
      course,
    });
    expect((await dosesOf(ctx, again.id)).slice(0, 14).map(({ dueDate }) => dueDate)).toEqual(
      doses.map(({ dueDate }) => dueDate),
    );
  });

  it('works for a paused one, leaves out a used-up vial, and is limited to the owner', async () => {
    const ctx = await premiumPerson(db);
    const vial = await vialOf(ctx, 'BPC-157');
    const { id } = await createSchedule(ctx, { ...BODY, compoundId: vial.id, startDate: dayIn(1) });
    await toggleSchedule(ctx, id, { isActive: false });
    expect(await beginAgain(ctx, id, { confirm: true })).toMatchObject({
      compoundId: vial.id,
      startDate: dayIn(0),
      endDate: null,
    });
    await db.repos.vials
      .findWithSlot(ownerIdOf(ctx), vial.id)
      .then((found) =>
        found === null
          ? expect.unreachable()
          : db.repos.vials.replace(found.vial, { ...found.vial, status: 'empty' }, found.slot),
      );
    expect(await beginAgain(ctx, id, { confirm: true })).toMatchObject({ compoundId: null });
    await expect(beginAgain(await premiumPerson(db), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

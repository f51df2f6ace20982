import { afterAll, beforeAll, expect, it } from 'vitest';
import { BLEND_KEY } from '#app/domain/vials/contents.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { changedDraws, getDosePage } from '#app/features/doses/pages.server.ts';
import { logDose, previewDose, previewLog, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { getToday, listUpcomingDoses } from '#app/features/doses/today.server.ts';
import { changeProfile } from '#app/features/accounts/profile.server.ts';
import { discardVial } from '#app/features/vials/vials.server.ts';
import { testConnection, openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { ctxOfToken, newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

it('the change since the last dose is shown until a dose is taken that way', async () => {
  const ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
  const { ctx } = ada;
  const old = await stockedVial(ada, { name: 'BPC-157', concentration: '2.5', waterMl: null });
  const schedule = await storedSchedule(db, ada);
  const hours = (count: number) => new Date(db.clock.now().getTime() + count * 3_600_000);
  const [first, second, third] = [
    await storedDose(db, schedule, hours(-3)),
    await storedDose(db, schedule, hours(-2)),
    await storedDose(db, schedule, hours(-1)),
  ];
  const ahead = await storedDose(db, schedule, hours(48));
  expect((await previewDose(ctx, first.id)).readBack).toBe(
    'First dose from this vial of 2.5 mg/ml: 10 units.',
  );
  const confirmed = ['TOO_SOON' as const];
  await takeDose(ctx, first.id, { confirmed });
  expect((await previewDose(ctx, second.id)).readBack).toBeNull();
  await discardVial(ctx, old.id, {});
  await stockedVial(ada, { name: 'bpc-157', concentration: '5', waterMl: null });
  const said = 'This vial is 5 mg/ml, the last one was 2.5: 5 units, not 10.';
  expect((await getDosePage(ctx, second.id)).line.readBack).toBe(said);
  expect((await getToday(ctx)).open.rows.map((row) => row.readBack)).toEqual([said, said]);
  expect((await listUpcomingDoses(ctx)).map(({ id, readBack }) => [id, readBack])).toEqual([
    [ahead.id, said],
  ]);
  await takeDose(ctx, second.id, { actualDose: '300', confirmed });
  expect((await getDosePage(ctx, third.id)).line.readBack).toBe(
    'This dose is 250 mcg, the last one was 300: 5 units, not 6.',
  );
  await takeDose(ctx, third.id, { confirmed });
  expect((await previewDose(ctx, ahead.id)).readBack).toBeNull();
});

it('the last of several doses taken at the same instant is the one recorded last, then the one due last', async () => {
  const bob = await newPerson(db, 'bob@example.org', { plan: 'trial' });
  const schedule = await storedSchedule(db, bob);
  const takenAt = db.clock.now();
  const before = (minutes: number) => new Date(takenAt.getTime() - minutes * 60_000);
  const taken = (name: string, actualDose: string, actedAt: Date, dueDate: Date) =>
    storedDose(db, schedule, dueDate, {
      ...{ id: `once_${name}`, status: 'taken', takenAt, actualDose, actedAt, nameKey: 'bpc-157' },
    });
  const last = async () => {
    const at = async (days: number) => {
      const upTo = new Date(takenAt.getTime() + days * DAY_MS);
      const found = await db.repos.doses.lastTaken(schedule.userId, ['bpc-157', 'tb-500'], upTo);
      return [...found];
    };
    // Taken lately, and long ago.
    const [[key, dose] = [], ...others] = await at(0);
    expect(key).toBe('bpc-157');
    expect(others).toEqual([['tb-500', null]]);
    expect(await at(30)).toEqual([[key, dose], ...others]);
    return dose;
  };
  await taken('earlier', '50', before(0), before(9));
  await db.repos.doses.change(schedule.userId, 'once_earlier', { takenAt: before(1) });
  expect(await last()).toMatchObject({ takenAt: before(1), amount: '50' });
  await taken('m', '100', before(2), before(4));
  expect(await last()).toMatchObject({ takenAt, amount: '100' });
  await taken('z', '200', before(2), before(3));
  await taken('a', '300', before(2), before(5));
  expect(await last()).toMatchObject({ takenAt, amount: '200' });
  await taken('b', '400', before(1), before(6));
  await taken('c', '500', before(3), before(1));
  expect(await last()).toMatchObject({ takenAt, amount: '400' });
});

it('the last dose of a compound may be one of a blend, and is found however long ago it was', async () => {
  const ann = await newPerson(db, 'ann@example.org', { plan: 'trial' });
  const schedule = await storedSchedule(db, ann);
  const now = db.clock.now();
  const taken = (id: string, days: number, more: object) => {
    const takenAt = new Date(now.getTime() - days * DAY_MS);
    return storedDose(db, schedule, takenAt, { id, status: 'taken', takenAt, actedAt: takenAt, ...more });
  };
  const names = ['bpc-157', 'tb-500', 'semaglutide', 'nad+'];
  const last = async (days: number) => {
    const upTo = new Date(now.getTime() - days * DAY_MS);
    const found = await db.repos.doses.lastTaken(schedule.userId, names, upTo);
    return names.map((name) => found.get(name)?.takenAt.getTime() ?? null);
  };
  const ago = (days: number) => now.getTime() - days * DAY_MS;
  await taken('old', 40, { nameKey: 'semaglutide' });
  await taken('single', 3, { nameKey: 'bpc-157' });
  await taken('blend', 2, { nameKey: BLEND_KEY, nameKeys: ['bpc-157', 'tb-500'] });
  await taken('newer', 1, { nameKey: 'tb-500' });
  expect(await last(0)).toEqual([ago(2), ago(1), ago(40), null]);
  expect(await last(1.5)).toEqual([ago(2), ago(2), ago(40), null]);
  expect(await last(2.5)).toEqual([ago(3), null, ago(40), null]);
  expect(await last(50)).toEqual([null, null, null, null]);
  expect([...(await db.repos.doses.lastTaken(schedule.userId, [], now))]).toEqual([]);
});

it('the change since the last dose is shown for a dose without a schedule, even before its amount is known', async () => {
  const eve = await newPerson(db, 'eve@example.org', { plan: 'trial' });
  const { ctx } = eve;
  const old = await stockedVial(eve, { name: 'BPC-157', concentration: '2.5', waterMl: null });
  await stockedVial(eve, { name: 'TB-500', concentration: '5', waterMl: null });
  const dose = { name: 'BPC-157', actualDose: '250', doseUnit: 'mcg' as const };
  expect(await previewLog(ctx, dose)).toEqual({
    warnings: [],
    askedAmount: 'BPC-157 250 mcg',
    drawText: '10 units (0.1 ml)',
    readBack: 'First dose from this vial of 2.5 mg/ml: 10 units.',
  });
  expect(await changedDraws(ctx)).toEqual([]);
  const at = (hours: number) => new Date(db.clock.now().getTime() + hours * 3_600_000).toISOString();
  await logDose(ctx, { ...dose, takenAt: at(-48) });
  expect(await changedDraws(ctx)).toEqual([]);
  expect((await previewLog(ctx, dose)).readBack).toBeNull();
  await discardVial(ctx, old.id, {});
  const fresh = await stockedVial(eve, { name: 'bpc-157', concentration: '5', waterMl: null });
  const said = 'This vial is 5 mg/ml, the last one was 2.5: 5 units, not 10.';
  expect(await changedDraws(ctx)).toEqual([{ name: 'bpc-157', sentence: said }]);
  expect((await previewLog(ctx, dose)).readBack).toBe(said);
  const other = await stockedVial(eve, { name: 'BPC-157', concentration: '1', waterMl: null });
  expect(await previewLog(ctx, { ...dose, compoundId: other.id })).toMatchObject({
    drawText: '25 units (0.25 ml)',
    readBack: 'This vial is 1 mg/ml, the last one was 2.5: 25 units, not 10.',
  });
  await logDose(ctx, { ...dose, compoundId: fresh.id });
  expect(await changedDraws(ctx)).toEqual([]);
});

it('units are those of the owner’s syringe, and a new syringe is mentioned until a dose is drawn with it', async () => {
  const zoe = await newPerson(db, 'zoe@example.org', { plan: 'trial' });
  await stockedVial(zoe, { name: 'BPC-157', concentration: '2.5', waterMl: null });
  const schedule = await storedSchedule(db, zoe);
  const hours = (count: number) => new Date(db.clock.now().getTime() + count * 3_600_000);
  const first = await storedDose(db, schedule, hours(-48));
  const second = await storedDose(db, schedule, hours(-1));
  const confirmed = ['TOO_SOON' as const];
  const taken = await takeDose(zoe.ctx, first.id, { confirmed, takenAt: hours(-48).toISOString() });
  expect(taken.done && taken.dose.syringe).toBe('u100-1ml');
  // Doses from before syringes could be chosen store none; pages used U-100 then.
  await testConnection(db)
    .collection<{ _id: string }>('doses')
    .updateOne({ _id: first.id }, { $unset: { syringe: '' } });
  expect((await previewDose(zoe.ctx, second.id)).readBack).toBeNull();
  await changeProfile(zoe.ctx, { syringe: 'u40-1ml' });
  const ctx = await ctxOfToken(db, zoe.signedIn.token);
  const said =
    'Your syringe is U-40 1 ml, the last dose was drawn with U-100 1 ml: 4 U-40 units, not 10 of U-100.';
  const { line } = await getDosePage(ctx, second.id);
  expect([line.drawText, line.readBack]).toEqual(['4 U-40 units (0.1 ml)', said]);
  expect(await changedDraws(ctx)).toEqual([{ name: 'BPC-157', sentence: said }]);
  const much = { name: 'BPC-157', actualDose: '2500', doseUnit: 'mcg' as const };
  expect((await previewLog(ctx, much)).warnings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('40 U-40 units instead of 4.'),
  );
  const again = await takeDose(ctx, second.id, { confirmed });
  expect(again.done && again.dose.syringe).toBe('u40-1ml');
  expect(await changedDraws(ctx)).toEqual([]);
  expect(await undoDose(ctx, second.id)).toMatchObject({ status: 'pending', syringe: null });
});

it('a dose keeps the owner’s own syringe as it was, so that other measures and its removal are mentioned', async () => {
  const eva = await newPerson(db, 'eva@example.org', { plan: 'trial' });
  await stockedVial(eva, { name: 'BPC-157', concentration: '2.5', waterMl: null });
  const schedule = await storedSchedule(db, eva);
  const hours = (count: number) => new Date(db.clock.now().getTime() + count * 3_600_000);
  const first = await storedDose(db, schedule, hours(-48));
  const second = await storedDose(db, schedule, hours(-1));
  const again = () => ctxOfToken(db, eva.signedIn.token);
  const blue = { name: 'Blue', barrelMl: '0.7', unitsPerMl: '40', mark: '0.5' };
  const { syringes } = await changeProfile(eva.ctx, { syringes: [blue] });
  const [{ id } = expect.unreachable('it was not saved')] = syringes;
  await changeProfile(eva.ctx, { syringe: id });
  const takenAt = hours(-48).toISOString();
  const taken = await takeDose(await again(), first.id, { confirmed: ['TOO_SOON'], takenAt });
  expect(taken.done && taken.dose.syringe).toEqual({ id, ...blue });
  expect((await previewDose(await again(), second.id)).readBack).toBeNull();
  await changeProfile(eva.ctx, { syringes: [{ id, ...blue, unitsPerMl: '80' }] });
  expect((await previewDose(await again(), second.id)).readBack).toBe(
    'The measures of Blue have changed since the last dose: 8 U-80 units, not 4 of U-40.',
  );
  await changeProfile(eva.ctx, { syringes: [] });
  const { line } = await getDosePage(await again(), second.id);
  expect([line.drawText, line.readBack]).toEqual([
    '10 units (0.1 ml)',
    'Your syringe is U-100 1 ml, the last dose was drawn with Blue: 10 units, not 4 of U-40.',
  ]);
});

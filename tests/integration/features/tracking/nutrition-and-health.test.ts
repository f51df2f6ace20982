import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addQuickEntry,
  latestMeasurements,
  addMeasurement,
  deleteMeasurement,
  getMeasurement,
  listMeasurements,
  updateMeasurement,
  addMeasure,
  readMeasures,
  removeMeasure,
} from '#app/features/tracking/health/measurements.server.ts';
import {
  deleteNutrition,
  findNutritionOf,
  getNutrition,
  listNutrition,
  saveNutrition,
  updateNutrition,
  weekMeans,
} from '#app/features/tracking/nutrition/nutrition.server.ts';
import { changeProfile } from '#app/features/accounts/profile.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { codeOf, fieldsOf } from '#tests/support/outcomes.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

let people = 0;
const premium = (more = {}) => newPerson(db, `body-${(people += 1)}@example.org`, { plan: 'trial', ...more });

describe('nutrition', () => {
  it('has one entry a day, in which only the given fields change', async () => {
    const { ctx } = await premium();
    const first = await saveNutrition(ctx, { date: '2090-03-10', calories: '2100', protein: '120,5' });
    const second = await saveNutrition(ctx, { date: '2090-03-10', protein: null, water: 2000, notes: ' x ' });
    expect(second).toMatchObject({
      id: first.id,
      calories: '2100',
      protein: null,
      water: '2000',
      notes: 'x',
    });
    expect(await updateNutrition(ctx, first.id, { fat: '0' })).toMatchObject({ fat: '0', calories: '2100' });
    expect(await findNutritionOf(ctx, '2090-03-10')).toMatchObject({ fat: '0' });
    expect((await listNutrition(ctx)).total).toBe(1);
  });

  it('makes one entry when a day is sent many times at once', async () => {
    const { ctx } = await premium();
    await Promise.all([1, 2, 3, 4].map((n) => saveNutrition(ctx, { date: '2090-03-09', calories: n * 100 })));
    expect((await listNutrition(ctx)).total).toBe(1);
  });

  it('reports what is wrong with each field', async () => {
    const { ctx } = await premium();
    const wrong = {
      date: '2090-02-30',
      calories: '-1',
      protein: 'x',
      carbs: 2001,
      fat: '1e2',
      water: '1.2345',
    };
    expect(Object.keys((await fieldsOf(saveNutrition(ctx, wrong))) ?? {}).sort()).toEqual(
      Object.keys(wrong).sort(),
    );
    expect(await fieldsOf(saveNutrition(ctx, { date: '2090-03-12', calories: 1 }))).toHaveProperty('date');
    expect(await fieldsOf(saveNutrition(ctx, { date: '2090-03-10' }))).toEqual({
      calories: ['Enter at least one value'],
    });
  });

  it('belongs to its owner alone and needs a premium account', async () => {
    const [owner, other] = [await premium(), await premium()];
    const { id } = await saveNutrition(owner.ctx, { date: '2090-03-10', calories: 1 });
    for (const attempt of [
      () => getNutrition(other.ctx, id),
      () => updateNutrition(other.ctx, id, { fat: 1 }),
      () => deleteNutrition(other.ctx, id),
    ])
      expect(await codeOf(attempt())).toBe('NOT_FOUND');
    expect((await saveNutrition(other.ctx, { date: '2090-03-10', calories: 2 })).id).not.toBe(id);
    await deleteNutrition(owner.ctx, id);
    expect((await listNutrition(owner.ctx)).total).toBe(0);
    const free = await newPerson(db, 'free-body@example.org');
    expect(await codeOf(saveNutrition(free.ctx, { date: '2090-03-10', calories: 1 }))).toBe(
      'PREMIUM_REQUIRED',
    );
    expect(await codeOf(readMeasures(free.ctx))).toBe('PREMIUM_REQUIRED');
  });

  it('averages the days of the last week that have a value', async () => {
    const { ctx } = await premium();
    await saveNutrition(ctx, { date: '2090-03-10', calories: 2000 });
    await saveNutrition(ctx, { date: '2090-03-04', calories: 1000, fat: 50 });
    await saveNutrition(ctx, { date: '2090-03-03', calories: 9000 });
    expect(await weekMeans(ctx)).toEqual({
      calories: 1500,
      protein: null,
      carbs: null,
      fat: 50,
      water: null,
    });
  });
});

const AT = '2090-03-10T08:00';

describe('a measurement', () => {
  it('is stored in the metric unit and as it was entered', async () => {
    const { ctx } = await premium();
    const { id } = await addMeasurement(ctx, {
      metric: 'weight',
      value: '180,5',
      unit: 'lb',
      measuredAt: AT,
    });
    expect(await getMeasurement(ctx, id)).toMatchObject({ text: '180.5', unit: 'lb', value: 81.873422785 });
    const glucose = await addMeasurement(ctx, {
      metric: 'glucose',
      value: 100,
      unit: 'mg/dL',
      measuredAt: AT,
    });
    expect(glucose.value).toBeCloseTo(5.55, 2);
    expect((await addMeasurement(ctx, { metric: 'mood', value: 7, measuredAt: AT })).unit).toBe('');
  });

  it('is in the user’s own unit unless another one is given', async () => {
    const { ctx } = await premium();
    await changeProfile(ctx, { timeZone: 'UTC', doseUnit: 'mg', units: 'imperial' });
    expect((await addMeasurement(ctx, { metric: 'weight', value: 180, measuredAt: AT })).unit).toBe('lb');
  });

  it('is refused if its value is impossible', async () => {
    const { ctx } = await premium();
    const add = (metric: string, value: string, more = {}) =>
      fieldsOf(addMeasurement(ctx, { metric, value, measuredAt: AT, ...more }));
    expect(await add('weight', '701')).toEqual({ value: ['Weight must be from 1 to 700 kg'] });
    expect(await add('mood', '11')).toHaveProperty('value');
    expect(await add('sleep', '25')).toHaveProperty('value');
    expect(await add('weight', '80', { unit: 'stone' })).toHaveProperty('unit');
    expect(await add('height', '180')).toHaveProperty('metric');
    expect(await add('weight', '80', { measuredAt: '2091-01-01T00:00' })).toHaveProperty('measuredAt');
  });

  it('changes only in the given fields, and only for its owner', async () => {
    const [owner, other] = [await premium(), await premium()];
    const { id } = await addMeasurement(owner.ctx, {
      metric: 'weight',
      value: 80,
      measuredAt: AT,
      notes: 'n',
    });
    expect(await updateMeasurement(owner.ctx, id, { value: '81' })).toMatchObject({
      value: 81,
      text: '81',
      notes: 'n',
    });
    expect(await updateMeasurement(owner.ctx, id, { notes: null })).toMatchObject({ value: 81, notes: null });
    expect(await codeOf(updateMeasurement(owner.ctx, id, { value: '9999' }))).toBe('INVALID_INPUT');
    for (const attempt of [
      () => getMeasurement(other.ctx, id),
      () => updateMeasurement(other.ctx, id, { value: 1 }),
      () => deleteMeasurement(other.ctx, id),
    ])
      expect(await codeOf(attempt())).toBe('NOT_FOUND');
    await deleteMeasurement(owner.ctx, id);
    expect((await listMeasurements(owner.ctx)).total).toBe(0);
  });

  it('counts as the latest of several at the same instant if the list shows it first', async () => {
    const { ctx, signedIn } = await premium();
    const userId = signedIn.user.id;
    const measuredAt = db.clock.now();
    const base = { metric: 'weight', unit: 'kg', measuredAt, notes: null, createdAt: measuredAt };
    for (const [id, value] of [
      ['m', 80],
      ['z', 81],
      ['a', 82],
    ] as const)
      await db.repos.measurements.create({ _id: id, userId, ...base, value, text: String(value) });
    expect((await listMeasurements(ctx)).items.map(({ value }) => value)).toEqual([81, 80, 82]);
    expect((await latestMeasurements(ctx)).map(({ value }) => value)).toEqual([81]);
  });
});

describe('the quick entry', () => {
  it('saves all values of one time, once per submission', async () => {
    const { ctx } = await premium();
    const entry = {
      measuredAt: AT,
      values: { weight: '80.5', systolic: '120', diastolic: '80', mood: '' },
      saveKey: 'k',
    };
    expect(await addQuickEntry(ctx, entry)).toBe(3);
    await addQuickEntry(ctx, entry);
    expect((await listMeasurements(ctx)).total).toBe(3);
    expect((await listMeasurements(ctx, { metric: 'systolic' })).items.map(({ text }) => text)).toEqual([
      '120',
    ]);
    expect((await latestMeasurements(ctx)).map(({ metric }) => metric)).toEqual([
      'weight',
      'systolic',
      'diastolic',
    ]);
  });

  it('saves nothing if one value is invalid or all are empty', async () => {
    const { ctx } = await premium();
    const values = { weight: '80', mood: '99', sleep: 'x' };
    expect(await fieldsOf(addQuickEntry(ctx, { measuredAt: AT, values }))).toEqual({
      mood: ['Mood, 1 to 10 must be from 1 to 10'],
      sleep: ['Enter a number'],
    });
    expect(await codeOf(addQuickEntry(ctx, { measuredAt: AT, values: { weight: ' ' } }))).toBe(
      'INVALID_INPUT',
    );
    expect((await listMeasurements(ctx)).total).toBe(0);
  });
});

describe('a user’s own measures', () => {
  it('can be added once, used and removed', async () => {
    const { ctx } = await premium();
    const { key } = await addMeasure(ctx, { name: ' Waist ', unit: 'cm' });
    for (const name of ['waist', 'Weight'])
      expect(await codeOf(addMeasure(ctx, { name }))).toBe('ALREADY_EXISTS');
    await addMeasurement(ctx, { metric: key, value: 84, measuredAt: AT });
    expect((await readMeasures(ctx)).own).toMatchObject([{ key, name: 'Waist' }]);
    await removeMeasure(ctx, key);
    expect((await listMeasurements(ctx)).total).toBe(1);
    expect(await codeOf(removeMeasure(ctx, key))).toBe('NOT_FOUND');
  });

  it('are limited to twenty, even when many are added at once', async () => {
    const { ctx } = await premium();
    const codes = await Promise.all(
      Array.from({ length: 25 }, (_, n) => codeOf(addMeasure(ctx, { name: `M ${n}` }))),
    );
    expect(codes.filter((code) => code === 'done')).toHaveLength(20);
  });
});

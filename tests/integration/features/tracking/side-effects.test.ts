import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIDE_EFFECT_TEMPLATES } from '#app/domain/tracking/side-effects.ts';
import {
  sideEffectReport,
  sideEffectStats,
  addTemplate,
  listTemplates,
  removeTemplate,
  addSideEffect,
  deleteSideEffect,
  getSideEffect,
  listSideEffects,
  resolveSideEffect,
  updateSideEffect,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf, fieldsOf } from '#tests/support/outcomes.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

let people = 0;
const premium = (more = {}) =>
  newPerson(db, `effects-${(people += 1)}@example.org`, { plan: 'trial', ...more });
const NAUSEA = { name: 'Nausea', severity: 3, startedAt: '2090-03-08T08:00' };

/** Stores a taken dose with the fields that the statistics use. */
async function taken(userId: string, at: string) {
  const takenAt = new Date(at);
  await testConnection(db)
    .collection('doses')
    .insertOne({
      _id: `dose_${userId}_${at}` as never,
      userId,
      status: 'taken',
      dueDate: takenAt,
      takenAt,
      name: 'A',
    });
}

describe('a side effect', () => {
  it('is saved as entered', async () => {
    const { ctx } = await premium({ timeZone: 'Europe/Berlin' });
    const { id } = await addSideEffect(ctx, {
      ...NAUSEA,
      severity: '3',
      notes: ' x ',
      name: ' Nausea  today ',
    });
    expect(await getSideEffect(ctx, id)).toMatchObject({
      id: expect.stringMatching(/^fx_/) as string,
      name: 'Nausea today',
      severity: 3,
      startedAt: new Date('2090-03-08T07:00:00Z'),
      resolvedDate: null,
      notes: 'x',
      images: [],
    });
  });

  it('reports what is wrong with each field', async () => {
    const { ctx } = await premium();
    const wrong = {
      name: ' ',
      severity: 6,
      startedAt: 'yesterday',
      resolvedDate: '2090-02-30',
      notes: 'x'.repeat(2001),
    };
    expect(Object.keys((await fieldsOf(addSideEffect(ctx, wrong))) ?? {}).sort()).toEqual(
      Object.keys(wrong).sort(),
    );
    for (const severity of [0, 2.5, '-1', '1e0', '', true])
      expect(await codeOf(addSideEffect(ctx, { ...NAUSEA, severity: severity as never }))).toBe(
        'INVALID_INPUT',
      );
    expect(await fieldsOf(addSideEffect(ctx, { ...NAUSEA, startedAt: '2091-01-01T00:00' }))).toHaveProperty(
      'startedAt',
    );
    expect(await fieldsOf(addSideEffect(ctx, { ...NAUSEA, resolvedDate: '2090-03-07' }))).toEqual({
      resolvedDate: ['The end cannot be before the start'],
    });
    expect(
      await fieldsOf(addSideEffect(ctx, { ...NAUSEA, compoundId: 'vial_x', doseId: null })),
    ).toHaveProperty('compoundId');
    expect(await fieldsOf(addSideEffect(ctx, { ...NAUSEA, doseId: 'dose_x' }))).toHaveProperty('doseId');
    expect((await listSideEffects(ctx)).total).toBe(0);
  });

  it('can be linked only to the user’s own vials and doses', async () => {
    const [owner, other] = [await premium(), await premium()];
    await taken(owner.signedIn.user.id, '2090-03-08T06:00:00Z');
    const doseId = `dose_${owner.signedIn.user.id}_2090-03-08T06:00:00Z`;
    expect((await addSideEffect(owner.ctx, { ...NAUSEA, doseId })).doseId).toBe(doseId);
    expect(await codeOf(addSideEffect(other.ctx, { ...NAUSEA, doseId }))).toBe('INVALID_INPUT');
  });

  it('can end on a day, at an instant or now, and can be reopened', async () => {
    const { ctx } = await premium({ timeZone: 'Europe/Berlin' });
    const { id } = await addSideEffect(ctx, NAUSEA);
    expect(await resolveSideEffect(ctx, id, { resolvedDate: '2090-03-09' })).toMatchObject({
      resolvedDate: '2090-03-09',
      resolvedAt: new Date('2090-03-09T11:00:00Z'),
    });
    expect(await resolveSideEffect(ctx, id, { resolvedDate: '2090-03-08' })).toMatchObject({
      resolvedDate: '2090-03-08',
    });
    expect(await resolveSideEffect(ctx, id, { resolvedDate: '2090-03-09T10:00:00+01:00' })).toMatchObject({
      resolvedDate: '2090-03-09T09:00:00.000Z',
    });
    expect((await resolveSideEffect(ctx, id)).resolvedAt).toEqual(db.clock.now());
    for (const resolvedDate of ['2090-03-07', '2091-01-01', '2090-03-08T07:59'])
      expect(await codeOf(resolveSideEffect(ctx, id, { resolvedDate })), resolvedDate).toBe('INVALID_INPUT');
    expect(await updateSideEffect(ctx, id, { resolvedDate: null })).toMatchObject({ resolvedAt: null });
  });

  it('can end before noon on the day it began', async () => {
    const { ctx } = await premium();
    const { id } = await addSideEffect(ctx, { ...NAUSEA, startedAt: '2090-03-08T18:00' });
    const { startedAt, resolvedAt } = await resolveSideEffect(ctx, id, { resolvedDate: '2090-03-08' });
    expect(resolvedAt).toEqual(startedAt);
  });

  it('changes only in the given fields, and never ends before it starts', async () => {
    const { ctx } = await premium();
    const { id } = await addSideEffect(ctx, { ...NAUSEA, notes: 'a', resolvedDate: '2090-03-09' });
    expect(await updateSideEffect(ctx, id, { severity: 5 })).toMatchObject({
      severity: 5,
      name: 'Nausea',
      notes: 'a',
      resolvedDate: '2090-03-09',
    });
    expect(await updateSideEffect(ctx, id, { notes: null })).toMatchObject({ notes: null, severity: 5 });
    expect(await fieldsOf(updateSideEffect(ctx, id, { startedAt: '2090-03-10T08:00' }))).toHaveProperty(
      'resolvedDate',
    );
    expect(await codeOf(updateSideEffect(ctx, id, { name: '' }))).toBe('INVALID_INPUT');
  });

  it('cannot be read, changed or deleted by another user', async () => {
    const [owner, other] = [await premium(), await premium()];
    const { id } = await addSideEffect(owner.ctx, NAUSEA);
    for (const attempt of [
      () => getSideEffect(other.ctx, id),
      () => updateSideEffect(other.ctx, id, { severity: 1 }),
      () => resolveSideEffect(other.ctx, id),
      () => deleteSideEffect(other.ctx, id),
    ])
      expect(await codeOf(attempt())).toBe('NOT_FOUND');
    expect((await listSideEffects(other.ctx)).total).toBe(0);
    expect((await deleteSideEffect(owner.ctx, id)).name).toBe('Nausea');
    expect(await codeOf(deleteSideEffect(owner.ctx, id))).toBe('NOT_FOUND');
  });

  it('is logged once when the form is sent twice, and only by premium accounts', async () => {
    const { ctx } = await premium();
    await Promise.all([1, 2, 3].map(() => addSideEffect(ctx, { ...NAUSEA, saveKey: 'idempotencyKey' })));
    expect((await listSideEffects(ctx)).total).toBe(1);
    const free = await newPerson(db, 'free-effects@example.org');
    expect(await codeOf(addSideEffect(free.ctx, NAUSEA))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(sideEffectStats(free.ctx))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(listTemplates(free.ctx))).toBe('PREMIUM_REQUIRED');
  });
});

describe('the list of side effects', () => {
  it('can be searched, filtered and paged', async () => {
    const { ctx } = await premium();
    for (let day = 1; day <= 9; day += 1)
      await addSideEffect(ctx, {
        name: day % 2 ? 'Headache' : 'Nausea',
        severity: (day % 5) + 1,
        startedAt: `2090-03-0${day}T08:00`,
        notes: day === 4 ? 'after (a+)+$ lunch' : null,
        resolvedDate: day < 4 ? `2090-03-0${day + 1}` : null,
      });
    const totals = async (query: object) => (await listSideEffects(ctx, query)).total;
    expect(await totals({})).toBe(9);
    expect(await totals({ search: 'nAUs' })).toBe(4);
    expect(await totals({ search: '(a+)+$' })).toBe(1);
    expect(await totals({ severity: 2 })).toBe(2);
    expect(await totals({ state: 'open' })).toBe(6);
    expect(await totals({ state: 'resolved' })).toBe(3);
    expect(await totals({ start: '2090-03-03', end: '2090-03-05' })).toBe(3);
    expect(await totals({ severity: 'x', state: 'no', start: 'never', page: -1, limit: 0 })).toBe(9);
    const page = await listSideEffects(ctx, { limit: 4, page: 2 });
    expect(page.items.map(({ startedAt }) => startedAt.toISOString().slice(8, 10))).toEqual([
      '05',
      '04',
      '03',
      '02',
    ]);
  });
});

describe('the statistics of side effects', () => {
  it('give count, mean severity, duration and onset', async () => {
    const { ctx, signedIn } = await premium();
    await taken(signedIn.user.id, '2090-03-01T06:00:00Z');
    await taken(signedIn.user.id, '2090-03-02T06:00:00Z');
    const add = (name: string, severity: number, startedAt: string, resolvedDate?: string) =>
      addSideEffect(ctx, { name, severity, startedAt, resolvedDate });
    await add('Nausea', 2, '2090-03-01T08:00', '2090-03-01T10:00');
    await add('nausea', 4, '2090-03-02T10:00', '2090-03-02T20:00');
    await add('Headache', 5, '2090-03-02T06:00');
    const stats = await sideEffectStats(ctx);
    expect(stats).toMatchObject({
      count: 3,
      open: 1,
      maxSeverity: 5,
      medianDurationHours: 6,
      medianOnsetHours: 2,
    });
    expect(stats.meanSeverity).toBeCloseTo(11 / 3, 12);
    expect(stats.byName.map(({ name, count, meanSeverity }) => [name, count, meanSeverity])).toEqual([
      ['Nausea', 2, 3],
      ['Headache', 1, 5],
    ]);
    const report = await sideEffectReport(ctx, { start: '2090-03-02', end: '2090-03-02' });
    expect(report.sideEffects.map(({ name }) => name)).toEqual(['Headache', 'nausea']);
    expect(report).toMatchObject({ leftOut: 0, stats: { count: 2 } });
  });

  it('are empty without side effects', async () => {
    const { ctx } = await premium();
    expect(await sideEffectStats(ctx)).toEqual({
      count: 0,
      open: 0,
      meanSeverity: null,
      maxSeverity: null,
      medianDurationHours: null,
      medianOnsetHours: null,
      withOnset: 0,
      byName: [],
    });
  });

  it.each([
    [{ start: '2090-03-02', end: '2090-03-01' }, 'The end date must not be before the start date'],
    [{ start: '2040-01-01', end: '2090-01-01' }, 'Choose a period of at most 5 years'],
    [{ start: '2090-02-30', end: '2090-03-01' }, 'Enter a date as YYYY-MM-DD'],
    [{ start: '', end: '' }, 'Enter a date as YYYY-MM-DD'],
  ])('refuse the period %o', async (period, message) => {
    const { ctx } = await premium();
    expect(Object.values((await fieldsOf(sideEffectReport(ctx, period))) ?? {}).flat()).toContain(message);
  });
});

describe('side-effect templates', () => {
  it('are the twelve built-in ones and the user’s own', async () => {
    const { ctx } = await premium();
    await addTemplate(ctx, { name: ' Cold  hands ' });
    expect((await listTemplates(ctx)).map(({ name }) => name)).toEqual([
      ...SIDE_EFFECT_TEMPLATES,
      'Cold hands',
    ]);
    for (const name of ['Cold hands', 'COLD HANDS', 'nausea'])
      expect(await codeOf(addTemplate(ctx, { name }))).toBe('ALREADY_EXISTS');
    expect(await codeOf(addTemplate(ctx, { name: ' ' }))).toBe('INVALID_INPUT');
    expect(await codeOf(removeTemplate(ctx, { name: 'Nausea' }))).toBe('NOT_FOUND');
    await removeTemplate(ctx, { name: 'Cold hands' });
    expect(await listTemplates(ctx)).toHaveLength(12);
  });

  it('are limited to fifty, even when many are added at once', async () => {
    const { ctx } = await premium();
    const codes = await Promise.all(
      Array.from({ length: 60 }, (_, index) => codeOf(addTemplate(ctx, { name: `Own ${index}` }))),
    );
    expect(codes.filter((code) => code === 'done')).toHaveLength(50);
    expect(await listTemplates(ctx)).toHaveLength(62);
  });
});

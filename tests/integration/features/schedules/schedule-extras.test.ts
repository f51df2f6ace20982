import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_IN_TEMPLATES } from '#app/domain/schedules/schedule-templates.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import { createSchedule, deleteSchedule, getSchedule } from '#app/features/schedules/schedules.server.ts';
import {
  deleteTemplate,
  listTemplates,
  saveAsTemplate,
  getTemplateFacts,
} from '#app/features/schedules/schedule-templates.server.ts';
import { saveTravelChoices, listTravelQuestions } from '#app/features/schedules/schedule-travel.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';
import { BODY, ownerIdOf, premiumPerson } from '#tests/support/schedule-people.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

describe('schedule templates', () => {
  it('keep the dose, times and phases of a schedule, even after it is deleted', async () => {
    const ctx = await premiumPerson(db);
    const ramp = { start: '0.25', step: '0.25', everyWeeks: 4, target: '1' };
    const { id } = await createSchedule(ctx, { ...BODY, ramp, notes: 'left side' });
    await saveAsTemplate(ctx, id, { title: ' Slow  start ', saveKey: 'idempotencyKey' });
    await saveAsTemplate(ctx, id, { title: 'Slow start', saveKey: 'idempotencyKey' });
    await deleteSchedule(ctx, id);
    const own = await listTemplates(ctx);
    expect(own.map(({ title }) => title)).toEqual(['Slow start']);
    const facts = await getTemplateFacts(ctx, own[0]?.id ?? '');
    expect(facts).toEqual({
      name: 'BPC-157',
      doseAmount: '0.25',
      doseUnit: 'mg',
      frequency: { kind: 'daily' },
      times: ['08:00', '20:00'],
      ramp,
      course: null,
      route: null,
      notes: 'left side',
      reminderLeadMinutes: 15,
    });
    expect((await createSchedule(ctx, { ...facts, startDate: '2090-04-01' })).ramp).toEqual(ramp);
  });

  it('belong to their owner and need Premium', async () => {
    const [ctx, other] = [await premiumPerson(db), await premiumPerson(db)];
    const { id } = await createSchedule(ctx, BODY);
    expect(await codeOf(saveAsTemplate(other, id, { title: 'Mine' }))).toBe('NOT_FOUND');
    await saveAsTemplate(ctx, id, { title: 'Mine' });
    const [template] = await listTemplates(ctx);
    expect(await listTemplates(other)).toEqual([]);
    expect(await codeOf(getTemplateFacts(other, template?.id ?? ''))).toBe('NOT_FOUND');
    expect(await codeOf(deleteTemplate(other, template?.id ?? ''))).toBe('NOT_FOUND');
    expect(await codeOf(listTemplates((await newPerson(db, 'free@example.org')).ctx))).toBe(
      'PREMIUM_REQUIRED',
    );
    expect(await codeOf(saveAsTemplate(ctx, id, { title: ' ' }))).toBe('INVALID_INPUT');
    await deleteTemplate(ctx, template?.id ?? '');
    expect(await codeOf(deleteTemplate(ctx, template?.id ?? ''))).toBe('NOT_FOUND');
  });

  it('create schedules from built-in ones once a frequency is chosen', async () => {
    const ctx = await premiumPerson(db);
    for (const { id } of BUILT_IN_TEMPLATES) {
      const facts = await getTemplateFacts(ctx, id);
      const body = { ...facts, startDate: '2090-03-10', timeZone: 'UTC' };
      if (facts.frequency === null) expect(await codeOf(createSchedule(ctx, body))).toBe('INVALID_INPUT');
      const schedule = await createSchedule(ctx, {
        ...body,
        frequency: facts.frequency ?? { kind: 'daily' },
      });
      expect(schedule).toMatchObject({ name: facts.name, doseAmount: facts.doseAmount });
    }
  });
});

describe('travelling with schedules', () => {
  it('shows both instants of each dose for seven days, and asks only about active schedules', async () => {
    const ctx = await premiumPerson(db);
    const { id } = await createSchedule(ctx, { ...BODY, times: ['20:00'], timeZone: 'Europe/Berlin' });
    const [question, ...more] = await listTravelQuestions(ctx, 'America/New_York');
    expect(more).toEqual([]);
    expect(question).toMatchObject({ id, isKept: false, timeZone: 'Europe/Berlin' });
    expect(question?.doses).toHaveLength(7);
    // New York changes to summer time on 12 March 2090, Berlin on the 26th.
    expect(
      question?.doses.slice(0, 3).map(({ keepingHome, followingLocal }) => [keepingHome, followingLocal]),
    ).toEqual([
      ['14:00', '20:00'],
      ['14:00', '20:00'],
      ['15:00', '20:00'],
    ]);
    expect(question?.doses[0]?.homeInstant).toEqual(new Date('2090-03-10T19:00:00Z'));
    expect(question?.doses[0]?.localInstant).toEqual(new Date('2090-03-11T01:00:00Z'));
    expect(await listTravelQuestions(ctx, 'Europe/Paris')).toEqual([]);
    expect(await codeOf(listTravelQuestions(ctx, 'Nowhere'))).toBe('INVALID_INPUT');
  });

  it('keeps home time, or recreates upcoming doses in local time', async () => {
    const ctx = await premiumPerson(db);
    const [stays, goes] = [await createSchedule(ctx, BODY), await createSchedule(ctx, BODY)];
    await saveTravelChoices(
      ctx,
      'Asia/Tokyo',
      new Map([
        [stays.id, 'keep'],
        [goes.id, 'follow'],
        ['sched_none', 'follow'],
      ]),
    );
    expect(await getSchedule(ctx, stays.id)).toMatchObject({ timeZone: 'UTC', keptIn: 'Asia/Tokyo' });
    expect(await getSchedule(ctx, goes.id)).toMatchObject({ timeZone: 'Asia/Tokyo' });
    const doses = await db.repos.doses.list(ownerIdOf(ctx), {
      scheduleId: goes.id,
      from: db.clock.now(),
      limit: 2,
    });
    expect(doses.map(({ dueDate }) => dueDate.toISOString())).toEqual([
      '2090-03-10T23:00:00.000Z',
      '2090-03-11T11:00:00.000Z',
    ]);
    expect((await listTravelQuestions(ctx, 'Asia/Tokyo')).map(({ id, isKept }) => ({ id, isKept }))).toEqual([
      { id: stays.id, isKept: true },
    ]);
    const other = await premiumPerson(db);
    await saveTravelChoices(other, 'Asia/Seoul', new Map([[stays.id, 'follow']]));
    expect((await getSchedule(ctx, stays.id)).timeZone).toBe('UTC');
  });
});

describe('an export of schedules', () => {
  const exported = async (ctx: Parameters<typeof prepareExport>[0], more: object = {}) =>
    JSON.parse(
      await textOf((await prepareExport(ctx, { format: 'json', types: ['schedules'], ...more })).open()),
    ) as { schedules: Record<string, unknown>[] };

  it('selects the owner’s schedules by their first day, both ends included', async () => {
    const [ctx, other] = [await premiumPerson(db), await premiumPerson(db)];
    await createSchedule(other, BODY);
    for (const startDate of ['2090-03-12', '2090-03-10', '2090-03-11'])
      await createSchedule(ctx, { ...BODY, name: '=1+1', startDate });
    const all = (await exported(ctx)).schedules;
    expect(all.map((row) => row['startDate'])).toEqual(['2090-03-10', '2090-03-11', '2090-03-12']);
    expect(all[0]).toMatchObject({
      name: '=1+1',
      doseAmount: 0.25,
      frequency: 'daily',
      times: '08:00 20:00',
    });
    const some = await exported(ctx, { startDate: '2090-03-10', endDate: '2090-03-11' });
    expect(some.schedules).toHaveLength(2);
  });
});

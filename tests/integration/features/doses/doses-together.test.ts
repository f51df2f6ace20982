import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REPORTED_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { confirmDosesError } from '#app/domain/doses/dose-question.ts';
import { setCeiling } from '#app/features/amounts/index.server.ts';
import { getDose, takeDose } from '#app/features/doses/doses.server.ts';
import { listSlotDoses, takeDoses, undoDoses } from '#app/features/doses/doses-together.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { stored } from '#tests/support/acts.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
let ada: Person;
let people = 0;

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
beforeEach(async () => {
  people += 1;
  ada = await newPerson(db, `ada${people}@example.org`, { plan: 'trial' });
});
afterAll(() => db.dispose());

/** The clock is stopped at 12:00 on 10 March. */
const at = (text: string) => new Date(`2090-03-${text}:00Z`);

/** A dose of a schedule of its own. */
async function due(name: string, time = '10T11:50', person = ada) {
  return (await storedDose(db, await storedSchedule(db, person, { name }), at(time))).id;
}

const statuses = (ids: readonly string[], { ctx } = ada) =>
  Promise.all(ids.map(async (id) => (await getDose(ctx, id)).status));
const remaining = async (id: string) => (await db.repos.vials.find(ada.signedIn.user.id, id))?.remaining;

describe('taking several doses', () => {
  it('logs each as planned, all at one time, and draws each from its vial', async () => {
    const vials = [await stockedVial(ada), await stockedVial(ada, { name: 'TB-500' })];
    const ids = [await due('TB-500'), await due('BPC-157', '10T11:45')];
    const outcome = await takeDoses(ada.ctx, { ids, takenAt: '2090-03-10T11:55' });
    expect(outcome).toMatchObject({
      done: true,
      taken: [
        { dose: { name: 'BPC-157', status: 'taken', actualDose: '250', takenAt: at('10T11:55') } },
        { dose: { name: 'TB-500', status: 'taken', takenAt: at('10T11:55') } },
      ],
    });
    expect(await Promise.all(vials.map(({ id }) => remaining(id)))).toEqual(['4.75', '4.75']);
  });

  it('asks about each unusual dose, with nothing saved, and logs them all after the answers', async () => {
    await setCeiling(ada.ctx, { name: 'BPC-157', unit: 'mcg', perDose: '200' });
    await setCeiling(ada.ctx, { name: 'TB-500', unit: 'mcg', perDose: '100' });
    const ids = [await due('BPC-157'), await due('Ipamorelin'), await due('TB-500')];
    const before = await stored(db);
    const asked = await takeDoses(ada.ctx, { ids, confirmed: [...REPORTED_WARNINGS] });
    if (asked.done) throw new Error('nothing was asked');
    expect(asked.questions.map(({ name, warnings }) => [name, warnings.map(({ code }) => code)])).toEqual([
      ['BPC-157', ['ABOVE_CEILING']],
      ['TB-500', ['ABOVE_CEILING']],
    ]);
    expect(confirmDosesError(asked.questions)).toMatchObject({
      code: 'CONFIRM_DOSE',
      warnings: [
        { id: ids[0], code: 'ABOVE_CEILING', message: expect.stringMatching(/^BPC-157: /) },
        { id: ids[2], code: 'ABOVE_CEILING', message: expect.stringMatching(/^TB-500: /) },
      ],
    });
    const [first, second] = asked.questions.map(({ key }) => key);
    const half = await takeDoses(ada.ctx, { ids, confirmed: [...REPORTED_WARNINGS], answers: [first ?? ''] });
    expect(half).toMatchObject({ done: false, questions: [{ name: 'TB-500', key: second }] });
    expect(await stored(db)).toBe(before);
    const answers = [first ?? '', second ?? ''];
    const all = await takeDoses(ada.ctx, { ids, confirmed: [...REPORTED_WARNINGS], answers });
    expect(all.done).toBe(true);
    expect(await statuses(ids)).toEqual(['taken', 'taken', 'taken']);
  });

  it('asks again when the plan has changed since the answer', async () => {
    await setCeiling(ada.ctx, { name: 'BPC-157', unit: 'mcg', perDose: '200' });
    const ids = [await due('BPC-157')];
    const asked = await takeDoses(ada.ctx, { ids });
    const answers = asked.done ? [] : asked.questions.map(({ key }) => key);
    await db.repos.doses.change(ada.signedIn.user.id, ids[0] ?? '', { doseAmount: '400' });
    expect(await takeDoses(ada.ctx, { ids, answers })).toMatchObject({ done: false });
  });

  it('notices that a vial holds one of two doses, but not both', async () => {
    await stockedVial(ada, { totalAmount: '0.3', remaining: '0.3' });
    const ids = [await due('BPC-157', '10T11:45'), await due('BPC-157', '10T11:50')];
    const outcome = await takeDoses(ada.ctx, { ids });
    if (outcome.done) throw new Error('nothing was asked');
    const codes = outcome.questions.map(({ id, warnings }) => [id, warnings.map(({ code }) => code)]);
    expect(codes).toEqual([[ids[1], expect.arrayContaining(['TOO_SOON', 'OVER_DRAWN'])]]);
  });

  it('logs nothing twice: of two attempts at the same time one is refused, and a later one too', async () => {
    const vial = await stockedVial(ada);
    await stockedVial(ada, { name: 'TB-500' });
    const ids = [await due('BPC-157'), await due('TB-500')];
    const both = await Promise.allSettled([1, 2].map(() => takeDoses(ada.ctx, { ids })));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await codeOf(takeDoses(ada.ctx, { ids }))).toBe('DOSE_ALREADY_LOGGED');
    expect(await remaining(vial.id)).toBe('4.75');
  });

  it('logs none of them when one is already taken', async () => {
    const ids = [await due('BPC-157'), await due('TB-500')];
    await takeDose(ada.ctx, ids[1] ?? '');
    expect(await codeOf(takeDoses(ada.ctx, { ids }))).toBe('DOSE_ALREADY_LOGGED');
    expect(await statuses(ids)).toEqual(['pending', 'taken']);
  });

  it('refuses another account’s dose as not found, with nothing saved for either', async () => {
    const bo = await newPerson(db, `bo${people}@example.org`, { plan: 'trial' });
    const [own, foreign] = [await due('BPC-157'), await due('TB-500', '10T11:50', bo)];
    const before = await stored(db);
    for (const ids of [[own, foreign], [foreign], [own, 'dose_unknown']])
      expect(await codeOf(takeDoses(ada.ctx, { ids }))).toBe('NOT_FOUND');
    expect(await stored(db)).toBe(before);
  });

  it('needs at least one dose and at most 50, and Premium', async () => {
    expect(await codeOf(takeDoses(ada.ctx, { ids: [] }))).toBe('INVALID_INPUT');
    const many = Array.from({ length: 51 }, (_, index) => `dose_${index}`);
    expect(await codeOf(takeDoses(ada.ctx, { ids: many }))).toBe('INVALID_INPUT');
    const free = await newPerson(db, `free${people}@example.org`);
    expect(await codeOf(takeDoses(free.ctx, { ids: ['dose_1'] }))).toBe('PREMIUM_REQUIRED');
  });
});

describe('undoing several doses', () => {
  it('puts all of them back at once, and is refused the second time', async () => {
    const vial = await stockedVial(ada);
    const ids = [await due('BPC-157'), await due('TB-500')];
    await takeDoses(ada.ctx, { ids });
    await undoDoses(ada.ctx, { ids });
    expect(await statuses(ids)).toEqual(['pending', 'pending']);
    expect(await remaining(vial.id)).toBe('5');
    expect(await codeOf(undoDoses(ada.ctx, { ids }))).toBe('NOTHING_TO_UNDO');
  });

  it('undoes none when one of them cannot be undone or is someone else’s', async () => {
    const bo = await newPerson(db, `bo${people}@example.org`, { plan: 'trial' });
    const foreign = await due('TB-500', '10T11:50', bo);
    await takeDoses(bo.ctx, { ids: [foreign] });
    const [taken, pending] = [await due('BPC-157'), await due('TB-500')];
    await takeDoses(ada.ctx, { ids: [taken] });
    expect(await codeOf(undoDoses(ada.ctx, { ids: [taken, pending] }))).toBe('NOTHING_TO_UNDO');
    expect(await codeOf(undoDoses(ada.ctx, { ids: [taken, foreign] }))).toBe('NOT_FOUND');
    expect([...(await statuses([taken, pending])), ...(await statuses([foreign], bo))]).toEqual([
      'taken',
      'pending',
      'taken',
    ]);
  });
});

describe('the doses of a time slot', () => {
  it('are those of a quarter of an hour that are not logged, by default of the latest that is due', async () => {
    const [early, on, with14, next] = [
      await due('A', '10T08:00'),
      await due('B', '10T11:45'),
      await due('C', '10T11:59'),
      await due('D', '10T12:15'),
    ];
    const ids = async (instant?: Date) => (await listSlotDoses(ada.ctx, instant)).map(({ id }) => id);
    expect(await ids()).toEqual([on, with14]);
    expect(await ids(at('10T08:10'))).toEqual([early]);
    expect(await ids(at('10T12:15'))).toEqual([next]);
    await takeDoses(ada.ctx, { ids: [on, with14] });
    expect(await ids(at('10T11:45'))).toEqual([]);
    expect(await ids()).toEqual([early]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listSiteEntries } from '#app/features/tracking/sites/injection-sites.server.ts';
import {
  getDose,
  previewDose,
  missDose,
  setDoseSite,
  skipDose,
  takeDose,
  undoDose,
} from '#app/features/doses/doses.server.ts';
import { DOSE_MESSAGES } from '#app/domain/doses/dose-schema.ts';
import type { ScheduleRecord } from '#models/index.server.ts';
import { openTestDatabase, TERMINAL, VISITOR, type TestDatabase } from '#tests/support/database.ts';
import { codeOf, fieldsOf } from '#tests/support/outcomes.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
let ada: Person;
let schedule: ScheduleRecord;
let people = 0;

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
beforeEach(async () => {
  people += 1;
  ada = await newPerson(db, `ada${people}@example.org`, { plan: 'trial' });
  schedule = await storedSchedule(db, ada);
});
afterAll(() => db.dispose());

/** The clock is stopped at 12:00 on 10 March. */
const at = (text: string) => new Date(`2090-03-${text}:00Z`);
const due = (text = '10T08:00') => storedDose(db, schedule, at(text));
const ownerId = (person: Person) => person.signedIn.user.id;
const remaining = async (id: string) => (await db.repos.vials.find(ownerId(ada), id))?.remaining;
/** The number of entries in a vial's ledger. */
const entries = async (id: string) => (await db.repos.vials.find(ownerId(ada), id))?.ledger.length;

describe('taking a dose', () => {
  it('stores amount, time, site and notes, draws from the vial, and updates the dates of the schedule', async () => {
    const vial = await stockedVial(ada);
    const { id } = await due();
    await due('11T08:00');
    const outcome = await takeDose(ada.ctx, id, {
      actualDose: '300',
      takenAt: '2090-03-10T08:12',
      site: 'abdomen-upper-left',
      notes: ' calm ',
    });
    expect(outcome).toMatchObject({ done: true, warnings: [] });
    expect(await getDose(ada.ctx, id)).toMatchObject({
      status: 'taken',
      actualDose: '300',
      takenAt: at('10T08:12'),
      site: 'abdomen-upper-left',
      notes: 'calm',
      remindAt: null,
      draws: [{ compoundId: vial.id, mg: '0.3' }],
    });
    expect(await remaining(vial.id)).toBe('4.7');
    expect(await db.repos.schedules.find(ownerId(ada), schedule.id)).toMatchObject({
      lastDoseDate: at('10T08:12'),
      nextDoseDate: at('11T08:00'),
    });
    expect((await listSiteEntries(ada.ctx)).items).toMatchObject([
      { doseId: id, site: 'abdomen-upper-left', name: 'BPC-157', dose: '300', doseUnit: 'mcg' },
    ]);
  });

  it('refuses more than 100 mg, and asks whether mcg was meant', async () => {
    const inMg = await storedSchedule(db, ada, { doseAmount: '0.25', doseUnit: 'mg' });
    const { id } = await storedDose(db, inMg, at('10T08:00'));
    expect(await fieldsOf(takeDose(ada.ctx, id, { actualDose: '250 mg' }))).toEqual({
      actualDose: [DOSE_MESSAGES.amount, 'Did you mean 250 mcg?'],
    });
  });

  it('takes the planned dose now without any input', async () => {
    const { id } = await due();
    const outcome = await takeDose(ada.ctx, id);
    expect(outcome).toMatchObject({ dose: { actualDose: '250', takenAt: at('10T12:00'), draws: [] } });
  });

  it('is refused for a taken dose, and draws nothing', async () => {
    const vial = await stockedVial(ada);
    const { id } = await due();
    await takeDose(ada.ctx, id);
    expect(await codeOf(takeDose(ada.ctx, id))).toBe('DOSE_ALREADY_LOGGED');
    expect(await codeOf(skipDose(ada.ctx, id))).toBe('DOSE_ALREADY_LOGGED');
    expect(await codeOf(missDose(ada.ctx, id))).toBe('DOSE_ALREADY_LOGGED');
    expect(await remaining(vial.id)).toBe('4.75');
  });

  it('succeeds and draws once from twenty tabs at the same time', async () => {
    const vial = await stockedVial(ada);
    const { id } = await due();
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(takeDose(ada.ctx, id))));
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
    expect(codes.filter((code) => code === 'DOSE_ALREADY_LOGGED')).toHaveLength(19);
    expect(await remaining(vial.id)).toBe('4.75');
    expect(await entries(vial.id)).toBe(1);
  });

  it.each([
    [{ actualDose: '0' }, 'actualDose'],
    [{ actualDose: '-1' }, 'actualDose'],
    [{ actualDose: '100001' }, 'actualDose'],
    [{ actualDose: 'a lot' }, 'actualDose'],
    [{ takenAt: '2090-03-10T12:06' }, 'takenAt'],
    [{ takenAt: '2090-02-30T08:00' }, 'takenAt'],
    [{ takenAt: 'yesterday' }, 'takenAt'],
    [{ site: 'elbow' }, 'site'],
    [{ site: 'deltoid-left', notes: 'x'.repeat(2001) }, 'notes'],
  ])('refuses invalid input at its field (%#)', async (input, field) => {
    const { id } = await due();
    const error = await takeDose(ada.ctx, id, input as object).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INVALID_INPUT', fields: { [field]: [expect.any(String)] } });
    expect(await getDose(ada.ctx, id)).toMatchObject({ status: 'pending' });
  });

  it('reads the time in the owner’s time zone, even on days of a clock change', async () => {
    db.clock.advance(30 * 86_400_000);
    const ctx = { ...ada.ctx, actor: { ...ada.ctx.actor, timeZone: 'Europe/Berlin' } } as Person['ctx'];
    const { id } = await due();
    // On 26 March 2090, clocks in Berlin go from 02:00 to 03:00.
    expect(await takeDose(ctx, id, { takenAt: '2090-03-26T02:30' })).toMatchObject({
      dose: { takenAt: new Date('2090-03-26T01:30:00Z') },
    });
    db.clock.advance(-30 * 86_400_000);
  });
});

describe('warnings about taking a dose', () => {
  it('ask before a dose that is too soon, allow it once confirmed, and never appear when following the schedule', async () => {
    await stockedVial(ada);
    const first = await due('09T08:00');
    expect(await takeDose(ada.ctx, first.id, { takenAt: '2090-03-10T01:00' })).toMatchObject({ done: true });
    const { id } = await due();
    const early = { takenAt: '2090-03-10T08:00' };
    expect(await takeDose(ada.ctx, id, early)).toMatchObject({
      done: false,
      warnings: [{ code: 'TOO_SOON' }],
    });
    expect((await getDose(ada.ctx, id)).status).toBe('pending');
    expect(await takeDose(ada.ctx, id, { ...early, confirmed: ['TOO_SOON'] })).toMatchObject({
      done: true,
      warnings: [{ code: 'TOO_SOON' }],
    });
    const next = await due('11T08:00');
    db.clock.advance(86_400_000);
    expect(await takeDose(ada.ctx, next.id, { takenAt: '2090-03-11T08:00' })).toMatchObject({ warnings: [] });
    db.clock.advance(-86_400_000);
  });

  it('consider other schedules with the same name, however it is spelled', async () => {
    await stockedVial(ada);
    const twin = await storedSchedule(db, ada, { name: 'bpc-157 ', times: ['09:00'] });
    await takeDose(ada.ctx, (await due()).id);
    const other = await storedDose(db, twin, at('10T09:00'));
    expect(await previewDose(ada.ctx, other.id)).toMatchObject({ warnings: [{ code: 'TOO_SOON' }] });
    expect((await getDose(ada.ctx, other.id)).status).toBe('pending');
  });

  it('ask before drawing from an expired vial, and before over-drawing one', async () => {
    const old = await stockedVial(ada, { reconstitutionDate: '2090-01-01' });
    const { id } = await due();
    expect(await takeDose(ada.ctx, id, { compoundId: old.id })).toMatchObject({
      done: false,
      warnings: [{ code: 'PAST_DATE', message: expect.stringContaining('You can still log from it') }],
    });
    const all = { compoundId: old.id, actualDose: '6000', confirmed: ['PAST_DATE' as const] };
    expect(await takeDose(ada.ctx, id, all)).toMatchObject({
      done: false,
      warnings: [{ code: 'ABOVE_PLAN' }, { code: 'PAST_DATE' }, { code: 'OVER_DRAWN' }],
    });
    const confirmed = ['ABOVE_PLAN' as const, 'PAST_DATE' as const, 'OVER_DRAWN' as const];
    expect(await takeDose(ada.ctx, id, { ...all, confirmed })).toMatchObject({ done: true });
    expect(await remaining(old.id)).toBe('-1');
  });

  it('mention a missing vial without asking', async () => {
    const { id } = await due();
    expect(await takeDose(ada.ctx, id)).toMatchObject({ done: true, warnings: [{ code: 'NO_OPEN_VIAL' }] });
  });

  it("don't accept another person's vial", async () => {
    const eve = await newPerson(db, `eve${people}@example.org`, { plan: 'trial' });
    const foreign = await stockedVial(eve);
    const { id } = await due();
    expect(await codeOf(takeDose(ada.ctx, id, { compoundId: foreign.id }))).toBe('NOT_FOUND');
    expect((await getDose(ada.ctx, id)).status).toBe('pending');
  });
});

describe('skipping, missing and undoing a dose', () => {
  it('lets a skipped or missed dose be taken late, and undo restores it with stock and site', async () => {
    const vial = await stockedVial(ada);
    const { id } = await due();
    expect(await skipDose(ada.ctx, id, { notes: 'travel' })).toMatchObject({
      status: 'skipped',
      notes: 'travel',
      remindAt: null,
    });
    expect(await missDose(ada.ctx, id)).toMatchObject({ status: 'missed', notes: null });
    await takeDose(ada.ctx, id, { site: 'deltoid-left' });
    expect(await remaining(vial.id)).toBe('4.75');
    expect(await undoDose(ada.ctx, id)).toMatchObject({
      status: 'missed',
      takenAt: null,
      actualDose: null,
      site: null,
      draws: [],
    });
    expect(await remaining(vial.id)).toBe('5');
    expect((await listSiteEntries(ada.ctx)).items).toEqual([]);
    expect(await codeOf(undoDose(ada.ctx, id))).toBe('NOTHING_TO_UNDO');
  });

  it('makes a dose undone before its time pending again, with its reminder and the dates of its schedule', async () => {
    const { id } = await due('10T18:00');
    await takeDose(ada.ctx, id);
    expect(await undoDose(ada.ctx, id)).toMatchObject({
      status: 'pending',
      remindAt: at('10T17:45'),
      remindStage: 'upcoming',
    });
    expect(await db.repos.schedules.find(ownerId(ada), schedule.id)).toMatchObject({
      lastDoseDate: null,
      nextDoseDate: at('10T18:00'),
    });
  });

  it('draws a dose once in total when it is taken, undone and taken again', async () => {
    const vial = await stockedVial(ada);
    const { id } = await due();
    await takeDose(ada.ctx, id);
    await undoDose(ada.ctx, id);
    await takeDose(ada.ctx, id, { actualDose: '1000', confirmed: ['ABOVE_PLAN'] });
    expect(await remaining(vial.id)).toBe('4');
    expect(await getDose(ada.ctx, id)).toMatchObject({ status: 'taken' });
    expect(await entries(vial.id)).toBe(3);
  });

  it('has nothing to undo for a pending dose', async () => {
    expect(await codeOf(undoDose(ada.ctx, (await due()).id))).toBe('NOTHING_TO_UNDO');
  });
});

describe('the site of a taken dose', () => {
  it('is logged and changed afterwards, and undo removes it', async () => {
    await stockedVial(ada);
    const { id } = await due();
    expect(await fieldsOf(setDoseSite(ada.ctx, id, 'deltoid-left'))).toEqual({
      site: [DOSE_MESSAGES.siteOfTaken],
    });
    await takeDose(ada.ctx, id);
    await setDoseSite(ada.ctx, id, 'deltoid-left');
    expect(await setDoseSite(ada.ctx, id, 'deltoid-right')).toMatchObject({ id, site: 'deltoid-right' });
    expect((await listSiteEntries(ada.ctx)).items).toMatchObject([
      { doseId: id, site: 'deltoid-right', name: 'BPC-157', dose: '250', doseUnit: 'mcg' },
    ]);
    const other = await newPerson(db, `other${people}@example.org`, { plan: 'trial' });
    expect(await codeOf(setDoseSite(other.ctx, id, 'deltoid-left'))).toBe('NOT_FOUND');
    expect(await undoDose(ada.ctx, id)).toMatchObject({ site: null });
    expect((await listSiteEntries(ada.ctx)).items).toEqual([]);
  });
});

describe('access to doses', () => {
  it('is refused to other users with the same error as for a missing dose', async () => {
    const { id } = await due();
    const eve = await newPerson(db, `eve${people}@example.org`, { plan: 'trial' });
    for (const act of [getDose, takeDose, skipDose, missDose, undoDose]) {
      expect(await codeOf(act(eve.ctx, id))).toBe('NOT_FOUND');
      expect(await codeOf(act(ada.ctx, 'dose_none'))).toBe('NOT_FOUND');
    }
    expect((await getDose(ada.ctx, id)).status).toBe('pending');
  });

  it('needs a session and Premium', async () => {
    const { id } = await due();
    const free = await newPerson(db, `free${people}@example.org`);
    expect(await codeOf(takeDose(free.ctx, id))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(takeDose(db.ctx(VISITOR), id))).toBe('UNAUTHENTICATED');
    expect(await codeOf(takeDose(db.ctx(TERMINAL), id, {}, free.email))).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(takeDose(db.ctx(TERMINAL), id, {}, ada.email))).toBe('done');
  });
});

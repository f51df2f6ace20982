import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getAnalytics } from '#app/features/analytics/analytics.server.ts';
import { noAdherenceText } from '#app/domain/doses/adherence.ts';
import { getAdherence } from '#app/features/doses/adherence.server.ts';
import { backfillDoses, listUnloggedDoses } from '#app/features/doses/backfill.server.ts';
import { listDoses, listCalendarEvents, getCalendar } from '#app/features/doses/dose-lists.server.ts';
import {
  logDose,
  getDose,
  missDose,
  skipDose,
  takeDose,
  undoDose,
} from '#app/features/doses/doses.server.ts';
import { findNextDose, getToday, getStockForecasts } from '#app/features/doses/today.server.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
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
const dose = (text: string, more: Partial<DoseRecord> = {}) => storedDose(db, schedule, at(text), more);
const times = (rows: readonly { day: string; time: string }[]) =>
  rows.map(({ day, time }) => `${day.slice(8)} ${time}`);
const remaining = async (id: string) => (await db.repos.vials.find(ada.signedIn.user.id, id))?.remaining;

describe('the Today page', () => {
  it('lists pending (overdue first), logged, upcoming and missed doses', async () => {
    await stockedVial(ada);
    for (const text of ['09T20:00', '10T08:00', '10T11:45', '10T20:00', '11T08:00', '17T23:00', '18T00:00'])
      await dose(text);
    await dose('08T08:00', { status: 'missed' });
    await takeDose(ada.ctx, (await dose('10T06:00')).id, { confirmed: ['TOO_SOON'] });
    const today = await getToday(ada.ctx);
    expect(times(today.open.rows)).toEqual(['09 20:00', '10 08:00', '10 11:45', '10 20:00']);
    expect(today.open.rows.map(({ urgency }) => urgency)).toEqual(['overdue', 'overdue', 'due', 'later']);
    expect(today.open.rows[0]).toMatchObject({
      drawText: '10 units (0.1 ml)',
      lateText: 'Overdue by 16 h',
    });
    expect(times(today.done.rows)).toEqual(['10 06:00']);
    expect(times(today.upcoming.rows)).toEqual(['11 08:00', '17 23:00']);
    expect(times(today.missed.rows)).toEqual(['08 08:00']);
    expect(today).toMatchObject({ day: '2090-03-10', hasSchedules: true });
  });

  it('lists a dose that was logged and undone once, where it was before', async () => {
    const confirmed = ['TOO_SOON' as const];
    const ids = await Promise.all(
      ['10T06:00', '10T08:00', '10T20:00'].map(async (text) => (await dose(text)).id),
    );
    const [taken = '', skipped = '', missed = ''] = ids;
    await takeDose(ada.ctx, taken, { confirmed });
    await skipDose(ada.ctx, skipped);
    await missDose(ada.ctx, missed);
    expect((await getToday(ada.ctx)).done.rows).toHaveLength(3);
    for (const id of ids) await undoDose(ada.ctx, id);
    const late = await dose('09T08:00', { status: 'missed' });
    await takeDose(ada.ctx, late.id, { confirmed });
    await undoDose(ada.ctx, late.id);
    const today = await getToday(ada.ctx);
    expect(times(today.open.rows)).toEqual(['10 06:00', '10 08:00', '10 20:00']);
    expect(times(today.missed.rows)).toEqual(['09 08:00']);
    expect(today.done.rows).toEqual([]);
  });

  it('lists a limited number of rows and says if there are more', async () => {
    const start = at('10T00:00').getTime();
    for (let minute = 0; minute < 130; minute += 1)
      await storedDose(db, schedule, new Date(start + minute * 60_000));
    const { open } = await getToday(ada.ctx);
    expect(open.rows).toHaveLength(100);
    expect(open.more).toBe(true);
  });

  it('lists today’s doses, however many older ones there are', async () => {
    const start = at('01T00:00').getTime();
    for (let hour = 0; hour < 130; hour += 1)
      await storedDose(db, schedule, new Date(start + hour * 3_600_000));
    await dose('10T08:00');
    await dose('10T20:00');
    const { open } = await getToday(ada.ctx);
    expect(open.rows).toHaveLength(102);
    expect(open.more).toBe(true);
    expect(times(open.rows).slice(-2)).toEqual(['10 08:00', '10 20:00']);
  });

  it('shows the day in the owner’s time zone, not the server’s', async () => {
    await dose('10T09:30');
    await dose('10T10:30');
    const ctx = { ...ada.ctx, actor: { ...ada.ctx.actor, timeZone: 'Pacific/Kiritimati' } } as Person['ctx'];
    const { day, open } = await getToday(ctx);
    expect(day).toBe('2090-03-11');
    expect(times(open.rows)).toEqual(['10 23:30', '11 00:30']);
  });

  it('is empty for a new account, and knows that there is no schedule', async () => {
    const eve = await newPerson(db, `eve${people}@example.org`, { plan: 'trial' });
    expect(await getToday(eve.ctx)).toMatchObject({ hasSchedules: false, open: { rows: [], more: false } });
    expect(await getStockForecasts(eve.ctx)).toEqual({ forecasts: [], supplies: [] });
  });
});

describe('the next dose', () => {
  it('is the first that is overdue or due within 24 hours', async () => {
    await stockedVial(ada);
    await dose('11T12:00');
    expect(await findNextDose(ada.ctx)).toBeNull();
    await dose('11T11:59');
    expect(await findNextDose(ada.ctx)).toMatchObject({ day: '2090-03-11', time: '11:59', urgency: 'later' });
    const { id } = await dose('10T08:00');
    expect(await findNextDose(ada.ctx)).toMatchObject({
      id,
      amountText: '250 mcg',
      drawUnits: '10 units',
      urgency: 'overdue',
    });
    await takeDose(ada.ctx, id);
    expect(await findNextDose(ada.ctx)).toMatchObject({ time: '11:59' });
  });
});

describe('a dose without a schedule', () => {
  it('is logged once if its form is sent twice, and removed when undone', async () => {
    const vial = await stockedVial(ada);
    const confirmed = ['ABOVE_PLAN' as const];
    const input = { name: 'bpc-157', actualDose: '1', takenAt: '2090-03-10T09:00', confirmed };
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => logDose(ada.ctx, input, { idempotencyKey: 'one' })),
    );
    const ids = outcomes.map((outcome) => (outcome.done ? outcome.dose.id : 'asked'));
    expect(new Set(ids).size).toBe(1);
    expect(await remaining(vial.id)).toBe('4');
    expect(await getDose(ada.ctx, ids[0] ?? '')).toMatchObject({
      scheduleId: null,
      dueDate: at('10T09:00'),
      status: 'taken',
    });
    expect(await undoDose(ada.ctx, ids[0] ?? '')).toBeNull();
    await expect(getDose(ada.ctx, ids[0] ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await remaining(vial.id)).toBe('5');
  });

  it('asks for confirmation when it follows a scheduled dose of its name too soon', async () => {
    await stockedVial(ada);
    await takeDose(ada.ctx, (await dose('10T08:00')).id);
    expect(await logDose(ada.ctx, { name: 'BPC-157', actualDose: '0.25' })).toMatchObject({
      done: false,
      warnings: [{ code: 'TOO_SOON' }],
    });
  });

  it.each([
    [{ name: ' ', actualDose: '1' }, 'name'],
    [{ name: 'A', actualDose: '' }, 'actualDose'],
    [{ name: 'A', actualDose: '1', doseUnit: 'g' }, 'doseUnit'],
    [{ name: 'A', actualDose: '101', doseUnit: 'mg' }, 'actualDose'],
  ])('refuses %j', async (input, field) => {
    await expect(logDose(ada.ctx, input as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { [field]: expect.arrayContaining([expect.any(String)]) as string[] },
    });
  });
});

describe('adherence', () => {
  it('is not raised by doses without a schedule, and counts due doses that are not logged yet', async () => {
    await dose('10T08:00');
    await logDose(ada.ctx, { name: 'BPC-157', actualDose: '250', doseUnit: 'mcg', confirmed: ['TOO_SOON'] });
    const before = await getAdherence(ada.ctx);
    expect(before.total).toMatchObject({ taken: 0, due: 0, pending: 1, text: null });
    expect(noAdherenceText(before.total)).toBe('1 dose not logged yet');
    expect(before.streak).toBe(0);
    await dose('09T08:00', { status: 'missed' });
    expect((await getAdherence(ada.ctx)).total).toMatchObject({ taken: 0, missed: 1, text: '0%' });
    expect((await getAnalytics(ada.ctx, { days: 30, name: null })).compounds).toMatchObject([
      { taken: 0, missed: 1, text: '0%' },
    ]);
  });
});

describe('logging past days', () => {
  it('lists unlogged doses, and logs each ticked one at its own time, drawing it once', async () => {
    const vial = await stockedVial(ada);
    const [first, second, third] = [
      await dose('07T08:00', { status: 'missed' }),
      await dose('08T08:00'),
      await dose('09T08:00'),
    ];
    await dose('10T18:00');
    await skipDose(ada.ctx, (await dose('06T08:00')).id);
    const { rows, more } = await listUnloggedDoses(ada.ctx, { from: '2090-03-01', to: '2090-03-31' });
    expect({ times: times(rows), more }).toEqual({
      times: ['07 08:00', '08 08:00', '09 08:00'],
      more: false,
    });
    const ids = [first.id, third.id, first.id, 'dose_none'];
    expect(await backfillDoses(ada.ctx, { ids })).toEqual({ done: true, count: 2 });
    expect(await backfillDoses(ada.ctx, { ids })).toEqual({ done: true, count: 0 });
    expect(await getDose(ada.ctx, first.id)).toMatchObject({ status: 'taken', takenAt: at('07T08:00') });
    expect((await getDose(ada.ctx, second.id)).status).toBe('pending');
    expect(await remaining(vial.id)).toBe('4.5');
    expect(await undoDose(ada.ctx, first.id)).toMatchObject({ status: 'missed' });
  });

  it('asks before over-drawing, and skips future doses and other people’s doses', async () => {
    await stockedVial(ada, { totalAmount: '0.1' });
    const past = await dose('09T08:00');
    expect(await backfillDoses(ada.ctx, { ids: [past.id] })).toMatchObject({
      done: false,
      warnings: [{ code: 'OVER_DRAWN' }],
    });
    expect((await getDose(ada.ctx, past.id)).status).toBe('pending');
    const future = await dose('12T08:00');
    expect(await backfillDoses(ada.ctx, { ids: [future.id], confirmed: ['OVER_DRAWN'] })).toMatchObject({
      count: 0,
    });
    const eve = await newPerson(db, `eve${people}@example.org`, { plan: 'trial' });
    expect(await backfillDoses(eve.ctx, { ids: [past.id] })).toEqual({ done: true, count: 0 });
    await expect(backfillDoses(ada.ctx, { ids: [] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('lists of doses', () => {
  it('cover 24 hours ago to 7 days ahead by default, oldest first, at most 100 doses', async () => {
    for (const text of ['09T11:59', '09T12:00', '17T11:59', '17T12:00']) await dose(text);
    expect((await listDoses(ada.ctx)).doses.map(({ dueDate }) => dueDate)).toEqual([
      at('09T12:00'),
      at('17T11:59'),
    ]);
    expect(await listDoses(ada.ctx, { overdue: true })).toMatchObject({ total: 2 });
    expect(await listDoses(ada.ctx, { startDate: '2090-03-17', endDate: '2090-03-17' })).toMatchObject({
      total: 2,
    });
    expect((await listDoses(ada.ctx, { status: 'taken' })).doses).toEqual([]);
    const start = at('20T00:00').getTime();
    for (let minute = 0; minute < 120; minute += 1)
      await storedDose(db, schedule, new Date(start + minute * 60_000));
    const late = { startDate: '2090-03-20' };
    const first = await listDoses(ada.ctx, late);
    const second = await listDoses(ada.ctx, { ...late, page: 2 });
    expect([first.doses.length, second.doses.length, first.total]).toEqual([100, 20, 120]);
    const ids = [...first.doses, ...second.doses].map(({ id }) => id);
    expect(new Set(ids).size).toBe(120);
    expect((await listDoses(ada.ctx, { ...late, page: 3 })).doses).toEqual([]);
  });

  it('contain the doses of each calendar page, and so do calendar events', async () => {
    for (const text of ['09T08:00', '15T08:00', '16T08:00']) await dose(text);
    const week = await getCalendar(ada.ctx, 'week', '2090-03-10');
    expect([week.grid.first, week.grid.last]).toEqual(['2090-03-06', '2090-03-12']);
    expect(times(week.doses)).toEqual(['09 08:00']);
    expect((await getCalendar(ada.ctx, 'month', '2090-03-10')).doses).toHaveLength(3);
    expect(
      (await listCalendarEvents(ada.ctx, { startDate: '2090-03-15', endDate: '2090-03-15' })).events,
    ).toMatchObject([{ date: '2090-03-15', time: '08:00', title: 'BPC-157 250 mcg', status: 'pending' }]);
    await expect(
      listCalendarEvents(ada.ctx, { startDate: '2090-01-01', endDate: '2090-06-01' }),
    ).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('adherence', () => {
  it('counts due doses by week, schedule and compound, but no upcoming ones', async () => {
    const other = await storedSchedule(db, ada, { name: 'TB-500' });
    const plan: [string, DoseRecord['status']][] = [
      ['02T08:00', 'taken'],
      ['03T08:00', 'missed'],
      ['07T08:00', 'taken'],
      ['08T08:00', 'skipped'],
      ['09T08:00', 'taken'],
      ['10T08:00', 'pending'],
      ['10T20:00', 'pending'],
    ];
    for (const [text, status] of plan)
      await dose(text, { status, takenAt: status === 'taken' ? at(text) : null });
    await storedDose(db, other, at('05T09:00'), { status: 'missed' });
    const report = await getAdherence(ada.ctx);
    expect(report).toMatchObject({ startDate: '2090-02-10', endDate: '2090-03-10', streak: 2 });
    expect(report.total).toMatchObject({
      taken: 3,
      missed: 2,
      skipped: 1,
      pending: 1,
      text: '60%',
      numbers: '3 ÷ (3 + 2) = 60%',
    });
    expect(report.weeks.map(({ key, text }) => [key, text])).toEqual([
      ['2090-02-27', '33.3%'],
      ['2090-03-06', '100%'],
    ]);
    expect(report.schedules.map(({ name, text }) => [name, text])).toEqual(
      expect.arrayContaining([
        ['BPC-157', '75%'],
        ['TB-500', '0%'],
      ]),
    );
    expect(report.compounds.map(({ name, text }) => [name, text])).toEqual([
      ['BPC-157', '75%'],
      ['TB-500', '0%'],
    ]);
    const day = await getAdherence(ada.ctx, { startDate: '2090-03-08', endDate: '2090-03-08' });
    expect(day.total).toMatchObject({ due: 0, text: null, skipped: 1 });
  });

  it.each([
    [{ startDate: '2090-03-02', endDate: '2090-03-01' }, 'endDate'],
    [{ startDate: '2088-01-01', endDate: '2090-03-01' }, 'startDate'],
    [{ startDate: 'soon' }, 'startDate'],
  ])('refuses %j', async (input, field) => {
    await expect(getAdherence(ada.ctx, input)).rejects.toMatchObject({
      fields: { [field]: expect.arrayContaining([expect.any(String)]) as string[] },
    });
  });
});

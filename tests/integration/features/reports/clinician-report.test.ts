import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADHERENCE_FORMULA } from '#app/domain/doses/adherence.ts';
import { MAX_LISTED } from '#app/domain/reports/report-months.ts';
import type { ClinicianReport } from '#app/domain/reports/report-types.ts';
import type { ReportInput } from '#app/domain/reports/report-schema.ts';
import {
  clinicianReport,
  reportCompounds,
  usualPeriod,
} from '#app/features/reports/clinician-report.server.ts';
import { logSite } from '#app/features/tracking/sites/injection-sites.server.ts';
import { addMeasurement } from '#app/features/tracking/health/measurements.server.ts';
import { changeProfile } from '#app/features/accounts/profile.server.ts';
import { prepareReportFile } from '#app/features/reports/report-pdf.server.ts';
import { addSideEffect } from '#app/features/tracking/side-effects/side-effects.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { textOf } from '#tests/support/streams.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

let people = 0;
const premium = (more = {}) =>
  newPerson(db, `report-${(people += 1)}@example.org`, { plan: 'trial', ...more });

const MARCH: ReportInput = { start: '2090-03-01', end: '2090-03-31' };
const at = (text: string) => new Date(`2090-03-${text}Z`);
const rowsOf = ({ sections }: ClinicianReport, title: string) =>
  sections.find((section) => section.title === title)?.rows ?? expect.unreachable(title);
const read = async ({ ctx }: Person, input: ReportInput = MARCH) =>
  (await clinicianReport(ctx, input)).report;

/** Two compounds, five doses (one in the future), a side effect linked to a vial, an unlinked one, and an injection. */
async function livedIn(person: Person) {
  const bpc = await storedSchedule(db, person);
  const tb = await storedSchedule(db, person, { name: 'TB-500' });
  await storedDose(db, bpc, at('01T08:00'), { status: 'taken', takenAt: at('01T08:12'), notes: 'tired' });
  await storedDose(db, bpc, at('02T08:00'), { status: 'taken', takenAt: at('02T07:00') });
  await storedDose(db, bpc, at('03T08:00'), { status: 'missed' });
  await storedDose(db, bpc, at('20T08:00'));
  await storedDose(db, tb, at('04T08:00'), { status: 'skipped' });
  const { id } = await stockedVial(person);
  await stockedVial(person, { name: 'Old', status: 'discarded' });
  await addSideEffect(person.ctx, {
    name: 'Nausea',
    severity: 3,
    startedAt: '2090-03-02T09:00',
    resolvedDate: '2090-03-02T15:30',
    compoundId: id,
  });
  await addSideEffect(person.ctx, { name: 'Headache', severity: 1, startedAt: '2090-03-05T09:00' });
  await logSite(person.ctx, { site: 'deltoid-left', takenAt: '2090-03-01T08:12', compoundId: id });
}

describe('injections of a blend in the report', () => {
  it('show each component, for listed doses and for one that was due long before', async () => {
    const person = await premium();
    const schedule = await storedSchedule(db, person, { doseAmount: '500', doseUnit: 'mcg' });
    const drawn = {
      doseOf: 'TB-500',
      components: [
        { name: 'BPC-157', amount: '5' },
        { name: 'TB-500', amount: '10' },
      ],
    };
    const taken = async (due: string, takenAt: Date, more = {}) => {
      const dose = await storedDose(db, schedule, new Date(`2090-${due}Z`), {
        ...{ status: 'taken', takenAt },
        ...more,
      });
      await testConnection(db)
        .collection('injection_sites')
        .insertOne({
          ...({ _id: `site_of_${dose.id}` } as object),
          ...{ userId: person.signedIn.user.id, site: 'deltoid-left', takenAt, name: dose.name },
          ...{ dose: '500', doseUnit: 'mcg', pain: null, notes: null, doseId: dose.id, createdAt: takenAt },
        });
    };
    await taken('02-10T08:00', at('02T08:00'), { drawn });
    await taken('03-05T08:00', at('05T08:00'), { drawn });
    await taken('03-06T08:00', at('06T08:00'));
    const doses = rowsOf(await read(person), 'Injection sites').map((row) => row[3]);
    const each = 'BPC-157 250 mcg + TB-500 500 mcg';
    expect(doses).toEqual(['500 mcg', each, each]);
  });
});

describe('the clinician report', () => {
  it('shows the doses by status, how late they were, and the formula of adherence', async () => {
    const person = await premium();
    await livedIn(person);
    const report = await read(person);
    expect(report.adherence).toEqual({
      share: '66.7%',
      numbers: '2 ÷ (2 + 1) = 66.7%',
      formula: ADHERENCE_FORMULA,
      counts: '2 taken, 1 missed, 1 skipped, 0 not logged yet',
      timing: '1 of 2 taken within 30 min of the due time, 1 earlier, 0 later. Median: 1 h early.',
    });
    expect(rowsOf(report, 'Doses').map((cells) => [cells[0], cells[3], cells[6]])).toEqual([
      ['2090-03-04 08:00', 'Skipped', '–'],
      ['2090-03-03 08:00', 'Missed', '–'],
      ['2090-03-02 08:00', 'Taken', '1 h early'],
      ['2090-03-01 08:00', 'Taken', '12 min late'],
    ]);
    expect(rowsOf(report, 'Adherence by compound')).toEqual([
      ['BPC-157', '2', '1', '0', '0', '66.7%'],
      ['TB-500', '0', '0', '1', '0', '–'],
    ]);
  });

  it('shows side effects with their duration, sites and current vials', async () => {
    const person = await premium();
    await livedIn(person);
    const report = await read(person);
    expect(rowsOf(report, 'Side effects').map((cells) => cells.slice(1))).toEqual([
      ['Headache', expect.stringMatching(/^1 of 5/), 'ongoing', '–'],
      ['Nausea', expect.stringMatching(/^3 of 5/), '6.5 h', 'BPC-157'],
    ]);
    expect(rowsOf(report, 'Injection sites')).toEqual([
      ['2090-03-01 08:12', 'Deltoid, left', 'BPC-157', '–', '–'],
    ]);
    expect(rowsOf(report, 'Current vials').map(([name]) => name)).toEqual(['BPC-157']);
  });

  it("summarises measurements by measure and lists each, in the owner's units", async () => {
    const person = await premium();
    const { ctx } = person;
    const measure = (metric: string, value: number, day: string) =>
      addMeasurement(ctx, { metric, value, measuredAt: `2090-03-${day}T07:00`, notes: 'fasting' });
    await measure('weight', 82, '01');
    await measure('weight', 80.5, '05');
    await measure('weight', 81, '03');
    await measure('mood', 7, '02');
    const report = await read(person);
    expect(rowsOf(report, 'Measurements')).toEqual([
      ['Weight', '3', '82 kg', '80.5 kg', '80.5 kg', '82 kg', '81.17 kg'],
      ['Mood, 1 to 10', '1', '7', '7', '7', '7', '7'],
    ]);
    expect(rowsOf(report, 'Each measurement')[0]).toEqual(['2090-03-05 07:00', 'Weight', '80.5 kg']);
    expect(rowsOf(await read(person, { ...MARCH, notes: 'on' }), 'Each measurement')[0]?.[3]).toBe('fasting');
    await changeProfile(ctx, { timeZone: 'UTC', doseUnit: 'mg', units: 'imperial' });
    expect(rowsOf(await read(person), 'Measurements')[0]?.slice(2, 4)).toEqual(['180.8 lb', '177.5 lb']);
    expect(rowsOf(await read(person, { start: '2090-04-01', end: '2090-04-02' }), 'Measurements')).toEqual(
      [],
    );
  });

  it('of one compound leaves out the others, but not side effects without a link', async () => {
    const person = await premium();
    await livedIn(person);
    const report = await read(person, { ...MARCH, compound: ' tb-500 ' });
    expect(rowsOf(report, 'Doses')).toHaveLength(1);
    expect(rowsOf(report, 'Side effects').map((cells) => cells[1])).toEqual(['Headache']);
    expect(rowsOf(report, 'Injection sites')).toEqual([]);
    expect(rowsOf(report, 'Current vials')).toEqual([]);
    expect(report.adherence.share).toBeNull();
    expect(await reportCompounds(person.ctx)).toEqual(['BPC-157', 'Old', 'TB-500']);
  });

  it('includes notes only on request, and never the owner’s name', async () => {
    const person = await premium();
    await livedIn(person);
    expect(JSON.stringify(await read(person))).not.toMatch(/tired|example\.org/);
    expect(JSON.stringify(await read(person, { ...MARCH, notes: 'on' }))).toContain('tired');
  });

  it('counts a dose on the day in its schedule, wherever its owner is', async () => {
    const person = await premium({ timeZone: 'America/Los_Angeles' });
    const tokyo = await storedSchedule(db, person, { timeZone: 'Asia/Tokyo' });
    await storedDose(db, tokyo, at('01T00:00'), { status: 'taken', takenAt: at('01T00:00') });
    const days = { start: '2090-03-01', end: '2090-03-01' };
    expect(rowsOf(await read(person, days), 'Doses').map(([due]) => due)).toEqual(['2090-02-28 16:00']);
    expect(rowsOf(await read(person, { start: '2090-02-28', end: '2090-02-28' }), 'Doses')).toEqual([]);
  });

  it("never contains somebody else's data", async () => {
    const [owner, other] = [await premium(), await premium()];
    await livedIn(owner);
    const report = await read(other);
    expect(report.sections.every(({ rows }) => rows.length === 0)).toBe(true);
    expect(report.adherence.share).toBeNull();
    expect(await reportCompounds(other.ctx)).toEqual([]);
  });

  it('lists a thousand doses but counts all', async () => {
    const person = await premium();
    const schedule = await storedSchedule(db, person);
    const sample = await storedDose(db, schedule, at('01T08:00'), { status: 'missed' });
    const { id: _, ...rest } = sample;
    const many = Array.from({ length: MAX_LISTED + 4 }, (_none, index) => ({
      _id: `dose_many_${index}` as never,
      userId: person.signedIn.user.id,
      ...rest,
    }));
    await testConnection(db).collection('doses').insertMany(many);
    const report = await read(person);
    expect(rowsOf(report, 'Doses')).toHaveLength(MAX_LISTED);
    expect(report.sections.find(({ title }) => title === 'Doses')?.note).toContain('1000 of 1005');
    expect(report.adherence.counts).toContain('1005 missed');
  });

  it('starts with the summaries, and divides long lists by month with a summary of each', async () => {
    const person = await premium();
    const schedule = await storedSchedule(db, person);
    for (let day = 1; day <= 28; day += 1) {
      const date = String(day).padStart(2, '0');
      const [february, march] = [new Date(`2090-02-${date}T08:00Z`), at(`${date}T08:00`)];
      await storedDose(db, schedule, february, { status: 'taken', takenAt: february });
      if (day <= 9) await storedDose(db, schedule, march, { status: day === 9 ? 'missed' : 'skipped' });
    }
    for (const severity of [2, 4])
      await addSideEffect(person.ctx, { name: 'Nausea', severity, startedAt: `2090-03-0${severity}T09:00` });
    const report = await read(person, { start: '2090-02-01', end: '2090-03-31' });
    expect(report.sections.map(({ title }) => title)).toEqual([
      'Side effects by kind',
      'Measurements',
      'Current vials',
      'Doses',
      'Side effects',
      'Injection sites',
      'Each measurement',
    ]);
    const doses = report.sections.find(({ title }) => title === 'Doses');
    expect(doses?.months).toEqual([
      { title: 'March 2090', about: '0 taken, 1 missed, 8 skipped: 0%', rows: 9 },
      { title: 'February 2090', about: '28 taken, 0 missed, 0 skipped: 100%', rows: 28 },
    ]);
    expect(doses?.rows.map(([due]) => due?.slice(0, 7))).toEqual([
      ...Array.from({ length: 9 }, () => '2090-03'),
      ...Array.from({ length: 28 }, () => '2090-02'),
    ]);
    expect(rowsOf(report, 'Side effects by kind')).toEqual([['Nausea', '2', '2 to 4', '2', '–']]);
  });

  it('can be downloaded as a PDF file', async () => {
    const person = await premium();
    await livedIn(person);
    const pdf = await textOf((await prepareReportFile(person.ctx, MARCH)).open());
    expect(pdf.slice(0, 5)).toBe('%PDF-');
    expect(pdf).toContain('%%EOF');
  });
});

describe('the period of a clinician report', () => {
  it.each([
    [{ start: '2090-03-02', end: '2090-03-01' }, { end: ['The end date must not be before the start date'] }],
    [{ start: '2040-01-01', end: '2090-01-01' }, { end: ['Choose a period of at most 5 years'] }],
    [{ start: '2090-02-30', end: '2090-03-01' }, { start: ['Enter a date as YYYY-MM-DD'] }],
    [{ ...MARCH, compound: 'x'.repeat(101) }, { compound: ['Choose one of the compounds'] }],
  ])('%o is refused at its field', async (input, fields) => {
    const { ctx } = await premium();
    await expect(clinicianReport(ctx, input as ReportInput)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields,
    });
  });

  it("is the last 90 days in the user's zone by default", async () => {
    const { ctx } = await premium({ timeZone: 'Pacific/Auckland' });
    expect(usualPeriod(ctx)).toEqual({ start: '2089-12-12', end: '2090-03-11' });
  });

  it('requires Premium', async () => {
    const { ctx } = await newPerson(db, 'report-free@example.org');
    await expect(clinicianReport(ctx, MARCH)).rejects.toMatchObject({ code: 'PREMIUM_REQUIRED' });
    await expect(clinicianReport(db.ctx(), MARCH)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

// Tracking data for benchmarks: one row of each kind is written by the program, the others are copies of it.
import { openWithHistories } from './calculation-data.mjs';

const DAY = 86_400_000;
const BATCH = 2000;

/** A Premium account as operations receive it. */
export function personOf(id) {
  const entitlement = {
    isPremium: true,
    subscription: 'premium',
    status: 'active',
    source: 'grant',
    trialDaysLeft: null,
  };
  const account = { id, email: `${id}@example.org`, role: 'user', timeZone: 'UTC', doseUnit: 'mg' };
  return { kind: 'user', ...account, sessionId: 'bench', entitlement };
}

const dayOf = (at) => at.toISOString().slice(0, 10);
const instant = (now, ago) => new Date(now - Math.round(ago * DAY));

/** The fields that differ between copies of a kind; `at` is their time. */
const VARY = {
  doses: (at) => ({
    takenAt: at,
    dueDate: at,
    localDay: dayOf(at),
    wallTime: at.toISOString().slice(11, 16),
  }),
  side_effects: (at, index) => ({ startedAt: at, severity: 1 + (index % 5) }),
  injection_sites: (at, index) => ({ takenAt: at, site: index % 2 ? 'deltoid-left' : 'deltoid-right' }),
  measurements: (at, index) => ({ measuredAt: at, value: 80 + (index % 40) / 10 }),
  // Used up, like past vials.
  compounds: (at, index) => ({ createdAt: at, status: 'empty', slot: `past_${index}` }),
  schedules: (at) => ({ startDate: dayOf(at), createdAt: at, isActive: false }),
  nutrition: (at) => ({ date: dayOf(at) }),
};

/** Writes one row of each kind with the program's services. */
async function writeOne(program, ctx) {
  const takenAt = instant(Date.now(), 0.5).toISOString();
  const name = 'BPC-157';
  await program.addVial(ctx, { name, amountMg: '5', cost: '29.90', currency: 'USD' });
  const confirmed = ['TOO_SOON', 'NO_OPEN_VIAL', 'OVER_DRAWN', 'PAST_DATE', 'NOT_RECONSTITUTED'];
  await program.logDose(ctx, { name, actualDose: '0.25', doseUnit: 'mg', takenAt, confirmed });
  await program.logSite(ctx, { site: 'deltoid-left', takenAt, name });
  await program.addSideEffect(ctx, { name: 'Headache', severity: 2, startedAt: takenAt, notes: 'a note' });
  await program.addMeasurement(ctx, { metric: 'weight', value: '80.5', measuredAt: takenAt });
  await program.saveNutrition(ctx, { date: takenAt.slice(0, 10), calories: 2100 });
  const daily = { doseAmount: '250', doseUnit: 'mcg', frequency: { kind: 'daily' }, times: ['08:00'] };
  await program.createSchedule(ctx, {
    name: 'Past',
    ...daily,
    startDate: '2020-01-01',
    endDate: '2020-02-01',
  });
}

/**
 * Copies the first row of a kind.
 * @param ago days before now of the row at an index
 */
async function copy(program, userId, name, count, ago) {
  const collection = program.mongoose.connections.at(-1).collection(name);
  const sample = await collection.findOne({ userId });
  if (sample === null) throw new Error(`no row in ${name}`);
  const now = Date.now();
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, place) => {
      const index = from + place;
      const id = `${name}_${userId}_${String(index).padStart(9, '0')}`;
      return { ...sample, _id: id, ...VARY[name](instant(now, ago(index)), index) };
    });
    await collection.insertMany(rows);
  }
}

/**
 * Opens a database with premium accounts.
 * @param people by id: how many calculations, and by collection how many rows and how many days ago each one is
 */
export async function openWithTrackers(people) {
  const calculations = Object.entries(people).map(([id, { calculations: rows = 0 }]) => [id, rows]);
  const opened = await openWithHistories(Object.fromEntries(calculations));
  for (const [id, { tracked }] of Object.entries(people)) {
    await writeOne(opened.program, opened.ctx(personOf(id)));
    for (const [name, { count, ago }] of Object.entries(tracked))
      await copy(opened.program, id, name, count, ago);
  }
  return opened;
}

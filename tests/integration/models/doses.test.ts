import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { calendarDay, instantOfWallTime } from '#app/domain/time/zoned-time.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import { dueOnDays, PLANNED } from '#models/doses/dose.server.ts';
import { createMigrationStatus, runMigrations } from '#models/store/migrations/run.server.ts';
import { unusedIndexes } from '#models/store/migrations/unused-indexes.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const day = (n: number) => `2090-03-${String(n).padStart(2, '0')}`;
const due = (n: number) => new Date(`${day(n)}T08:00:00Z`);

function dose(id: string, n: number, more: Partial<DoseRecord> = {}): DoseRecord {
  return {
    id,
    scheduleId: 's',
    scheduleRevision: 1,
    name: 'BPC-157',
    compoundId: null,
    localDay: day(n),
    wallTime: '08:00',
    timeZone: 'UTC',
    dueDate: due(n),
    doseAmount: '250',
    doseUnit: 'mcg',
    route: null,
    status: 'pending',
    takenAt: null,
    actualDose: null,
    notes: null,
    site: null,
    round: 0,
    draws: [],
    remindAt: null,
    remindStage: 'due',
    remindCount: 0,
    remindClaimedUntil: null,
    version: 0,
    ...more,
  };
}

const ids = (doses: readonly { id: string }[]) => doses.map(({ id }) => id);

describe('the dose repository', () => {
  it('adds missing doses, even when several callers do so at once', async () => {
    const doses = [dose('a1', 1), dose('a2', 2), dose('a3', 3)];
    await Promise.all([1, 2, 3, 4].map(() => db.repos.doses.createMany('ann', doses)));
    await db.repos.doses.createMany('ann', [dose('a3', 3, { doseAmount: '500' }), dose('a4', 4)]);
    const all = await db.repos.doses.list('ann', {});
    expect(ids(all)).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(all[2]).toMatchObject(dose('a3', 3));
  });

  it('reports a failure that is not a duplicate', async () => {
    const broken = { ...dose('x', 1), name: undefined } as unknown as DoseRecord;
    await expect(db.repos.doses.createMany('ann', [broken])).rejects.toThrow();
  });

  it('selects by time, status and schedule', async () => {
    const { doses } = db.repos;
    await doses.createMany('bob', [
      dose('b1', 1),
      dose('b2', 2, { status: 'taken' }),
      dose('b3', 3),
      dose('b4', 3, { scheduleId: 'other' }),
    ]);
    expect(ids(await doses.listBetween('bob', due(1), due(3)))).toEqual(['b1', 'b2']);
    expect(ids(await doses.futureOf('bob', due(1), due(4)))).toEqual(['b1', 'b3', 'b4']);
    expect(ids(await doses.list('bob', { status: ['taken', 'missed'] }))).toEqual(['b2']);
    expect(ids(await doses.list('bob', { scheduleId: 's', limit: 2, latestFirst: true }))).toEqual([
      'b3',
      'b2',
    ]);
    expect(await doses.find('ann', 'b1')).toBeNull();
  });

  it('removes pending doses of one schedule, and no others', async () => {
    const { doses } = db.repos;
    await doses.createMany('cem', [
      dose('c1', 1),
      dose('c2', 2),
      dose('c3', 3, { status: 'taken' }),
      dose('c4', 4, { scheduleRevision: 2 }),
      dose('c5', 5, { scheduleId: 'other' }),
    ]);
    await doses.deleteFuturePending('cem', 's', due(1), 2);
    expect(ids(await doses.list('cem', {}))).toEqual(['c1', 'c3', 'c4', 'c5']);
    await doses.deleteFuturePending('dan', 's', null);
    await doses.deleteFuturePending('cem', 's', null);
    expect(ids(await doses.list('cem', {}))).toEqual(['c3', 'c5']);
  });

  it('changes only doses of their owner, and counts the changes', async () => {
    const { doses } = db.repos;
    await doses.createMany('eve', [dose('e1', 1)]);
    const changes = { status: 'taken' as const, takenAt: due(1) };
    expect(await doses.change('ann', 'e1', changes)).toBeNull();
    expect(await doses.change('eve', 'e1', changes)).toMatchObject(dose('e1', 1, { ...changes, version: 1 }));
  });

  it('marks a dose as missed once, when it is still pending and its time has come', async () => {
    const { doses } = db.repos;
    await doses.createMany('fay', [dose('f1', 1, { missAt: due(2) }), dose('f2', 1, { status: 'taken' })]);
    expect(await doses.miss('fay', 'f1', due(1))).toBeNull();
    const both = await Promise.all([1, 2].map(() => doses.miss('fay', 'f1', due(2))));
    expect(both.filter((one) => one !== null)).toMatchObject([{ id: 'f1', status: 'missed' }]);
    expect(await doses.miss('fay', 'f2', due(2))).toBeNull();
  });
});

function schedule(id: string, userId: string, more: Partial<ScheduleRecord> = {}): ScheduleRecord {
  return {
    id,
    userId,
    name: 'BPC-157',
    compoundId: null,
    doseAmount: '250',
    doseUnit: 'mcg',
    frequency: { kind: 'daily' },
    times: ['08:00'],
    timeZone: 'UTC',
    startDate: day(1),
    endDate: null,
    route: null,
    reminderLeadMinutes: 0,
    notes: null,
    ramp: null,
    course: null,
    isActive: true,
    nextDoseDate: null,
    lastDoseDate: null,
    createdAt: due(1),
    updatedAt: due(1),
    revision: 1,
    madeUntil: due(1),
    claimedUntil: null,
    keptIn: null,
    ...more,
  };
}

describe('the schedule repository', () => {
  it('returns schedules of every kind as they were stored', async () => {
    const { schedules } = db.repos;
    const kinds: Partial<ScheduleRecord>[] = [
      { frequency: { kind: 'weekdays', weekdays: ['mon', 'fri'] } },
      { frequency: { kind: 'interval', every: 3 }, course: { weeksOn: 4, weeksOff: 2 } },
      { frequency: { kind: 'cycle', on: 5, off: 2 }, endDate: day(9) },
      { ramp: { start: '0.25', step: '0.25', everyWeeks: 4, target: '1' } },
    ];
    for (const [index, more] of kinds.entries()) {
      const made = schedule(`k${index}`, 'kim', more);
      await schedules.create(made);
      expect(await schedules.find('kim', made.id)).toEqual(made);
      expect(await schedules.find('ann', made.id)).toBeNull();
    }
    expect(await schedules.count('kim')).toBe(4);
    expect(await schedules.list('kim', 1, 2)).toHaveLength(2);
  });

  it('gives each change of what its doses are made of a revision of its own, and only its owner makes one', async () => {
    const { schedules } = db.repos;
    await schedules.create(schedule('m1', 'mia'));
    const both = await Promise.all(
      ['09:00', '10:00'].map((time) => schedules.revise('mia', 'm1', { times: [time] })),
    );
    expect(both.map((one) => one?.revision).sort()).toEqual([2, 3]);
    await schedules.set('mia', 'm1', { notes: 'x' });
    await schedules.set('ann', 'm1', { notes: 'y' });
    expect(await schedules.revise('ann', 'm1', { times: ['11:00'] })).toBeNull();
    expect(await schedules.find('mia', 'm1')).toMatchObject({ revision: 3, notes: 'x' });
  });

  it('lets only one worker claim a schedule, until its lease ends', async () => {
    const { schedules } = db.repos;
    await schedules.create(schedule('n1', 'noa', { madeUntil: new Date(0) }));
    await schedules.create(schedule('n2', 'noa', { madeUntil: new Date(0), isActive: false }));
    const claim = (now: Date) => schedules.claimUnmade(new Date(1), now, new Date(now.getTime() + 1000));
    const claims = await Promise.all([1, 2, 3].map(() => claim(due(1))));
    expect(claims.filter((one) => one !== null).map(({ id }) => id)).toEqual(['n1']);
    expect(await claim(new Date(due(1).getTime() + 999))).toBeNull();
    expect((await claim(new Date(due(1).getTime() + 1000)))?.id).toBe('n1');
  });
});

describe('counts by day', () => {
  it('have every dose of a day, in whichever zone that day is, and read no others', async () => {
    const zones = ['Pacific/Kiritimati', 'Etc/GMT+12', 'UTC', 'America/St_Johns'];
    const doses = zones.flatMap((timeZone) =>
      ['00:00', '12:00', '23:59'].flatMap((wallTime) =>
        [8, 9, 10, 11, 12].map((n) => {
          const dueDate = instantOfWallTime(day(n), wallTime, timeZone);
          expect(calendarDay(dueDate, timeZone)).toBe(day(n));
          return dose(`${timeZone} ${wallTime} ${n}`, n, { dueDate, wallTime, timeZone, status: 'taken' });
        }),
      ),
    );
    const far = Array.from({ length: 200 }, (_, n) => {
      const at = new Date(due(1).getTime() - (n + 10) * 86_400_000);
      return dose(`far ${n}`, 1, { dueDate: at, localDay: at.toISOString().slice(0, 10) });
    });
    await db.repos.doses.createMany('zones', [...doses, ...far]);
    const range = { first: day(9), last: day(11) };
    const end = new Date('2090-04-01T00:00:00Z');
    const counts = await db.repos.doses.countBy('zones', range, 'localDay', end);
    expect(counts.map(({ key, count }) => [key, count]).sort()).toEqual([9, 10, 11].map((n) => [day(n), 12]));
    const found = await db.repos.analytics.doseCounts('zones', range, end, true);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(36);
    // What is not due yet does not count.
    const early = await db.repos.doses.countBy('zones', range, 'localDay', due(9));
    expect(early.reduce((sum, { count }) => sum + count, 0)).toBe(
      doses.filter(({ dueDate, localDay }) => dueDate <= due(9) && localDay >= day(9)).length,
    );
    const filter = { userId: 'zones', ...dueOnDays(range, end), ...PLANNED };
    const plan = await testConnection(db).db?.command({
      explain: { find: 'doses', filter },
      verbosity: 'executionStats',
    });
    const { executionStats } = plan as { executionStats: { totalDocsExamined: number } };
    expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(doses.length);
  });

  it('lose the indexes that they were read along before', async () => {
    const rows = testConnection(db).collection('doses');
    const names = async () => (await rows.indexes()).map(({ name }) => name);
    const before = await names();
    await rows.createIndex({ userId: 1, localDay: 1, status: 1 });
    await rows.createIndex({ userId: 1, scheduleId: 1, dueDate: 1 });
    await runMigrations(testConnection(db), SILENT_LOG, unusedIndexes);
    expect(await createMigrationStatus(testConnection(db), unusedIndexes).finish(SILENT_LOG)).toBe(2);
    expect(await names()).toEqual(before);
  });
});

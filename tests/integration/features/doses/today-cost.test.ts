import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getStockForecasts, getToday, getTodayPage } from '#app/features/doses/today.server.ts';
import { getTravelZones } from '#app/features/schedules/index.server.ts';
import { schedulesAtOnce } from '#models/index.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';

/** What Today reads does not grow with the owner's schedules and history. */
const DAY_MS = 86_400_000;
/** More schedules than Today lists or forecasts for. */
const SOME = 130;
let db: TestDatabase;
let asked: Record<string, unknown>[] = [];

beforeAll(async () => {
  db = await openTestDatabase({ monitorCommands: true });
  const note = ({ commandName, command }: CommandStartedEvent) => {
    if (commandName !== 'explain') asked.push(command);
  };
  testConnection(db).getClient().on('commandStarted', note);
});
afterAll(() => db.dispose());

const scheduleRow = (userId: string, id: string, more: object = {}) => {
  const now = db.clock.now();
  return {
    _id: id,
    userId,
    name: 'Compound 0',
    compoundId: null,
    doseAmount: '250',
    doseUnit: 'mcg',
    frequency: { kind: 'daily' },
    times: ['08:00'],
    timeZone: 'UTC',
    startDate: '2090-01-01',
    endDate: null,
    ramp: null,
    course: null,
    reminderLeadMinutes: 0,
    isActive: true,
    createdAt: now,
    updatedAt: now,
    revision: 1,
    madeUntil: new Date(now.getTime() + 1000 * DAY_MS),
    ...more,
  };
};

async function insert(collection: string, rows: readonly object[]): Promise<void> {
  await testConnection(db)
    .collection(collection)
    .insertMany(rows as never[]);
}

/** A user with daily schedules, their doses from yesterday on, and past doses. */
async function somebody(name: string, { schedules, past }: { schedules: number; past: number }) {
  const person = await newPerson(db, `${name}@example.com`, { plan: 'trial' });
  const userId = person.signedIn.user.id;
  const row = ({ id, ...dose }: ReturnType<typeof pendingDose>) => ({ _id: id, userId, ...dose });
  const start = db.clock.now().getTime() - DAY_MS;
  const ids = Array.from({ length: schedules }, (_, index) => `sched_${name}_${index}`);
  await insert(
    'schedules',
    ids.map((id, index) => scheduleRow(userId, id, { name: `Compound ${index % 30}` })),
  );
  const ahead = ids.flatMap((scheduleId, index) =>
    [0, 1, 2].map((day) => {
      const more = { scheduleId, name: `Compound ${index % 30}` };
      return row(pendingDose(`${scheduleId}_${day}`, new Date(start + day * DAY_MS), more));
    }),
  );
  const before = Array.from({ length: past }, (_, index) => {
    const at = new Date(start - 9 * DAY_MS - index * 3_600_000);
    const taken = { status: 'taken', takenAt: at, actedAt: at, actualDose: '250', round: 1 } as const;
    const more = { scheduleId: ids[0] ?? null, name: 'Compound 0', nameKey: 'compound 0', ...taken };
    return row(
      pendingDose(`past_${name}_${index}`, at, { ...more, before: { status: 'pending', notes: null } }),
    );
  });
  await insert('doses', [...ahead, ...before]);
  return person;
}

/** The commands that Today sends, and the documents the database examines for them. */
async function costOf({ ctx }: Person): Promise<{ commands: number; documents: number; names: string[] }> {
  asked = [];
  await getTodayPage(ctx);
  const commands = asked;
  const names = [...new Set(commands.map((command) => Object.keys(command)[0] ?? ''))];
  let documents = 0;
  for (const { lsid: _session, $db: _db, maxTimeMS: _most, ...command } of commands) {
    if (!('find' in command || 'count' in command)) continue;
    const told = await testConnection(db).db?.command({ explain: command });
    documents += (told as { executionStats: { totalDocsExamined: number } }).executionStats.totalDocsExamined;
  }
  return { commands: commands.length, documents, names };
}

describe('the reads of the Today page', () => {
  it('are the same with three times as many schedules', async () => {
    const some = await costOf(await somebody('some', { schedules: SOME, past: 1 }));
    const crowd = await somebody('many', { schedules: 3 * SOME, past: 1 });
    const many = await costOf(crowd);
    expect(many).toEqual(some);
    // Today's doses don't crowd out those of the next days.
    const { open, upcoming } = await getToday(crowd.ctx);
    expect([open.rows.length, open.more]).toEqual([200, true]);
    expect([upcoming.rows.length, upcoming.more]).toEqual([60, true]);
    // No list is fetched in several batches.
    expect(many.names).not.toContain('getMore');
  });

  it('are the same with a long history', async () => {
    // Two: the previous dose shows that no other was taken at the same instant as the last.
    const short = await costOf(await somebody('short', { schedules: 1, past: 2 }));
    expect(await costOf(await somebody('long', { schedules: 1, past: 1000 }))).toEqual(short);
  });
});

describe("an owner's schedules on Today", () => {
  it('are read once, and give the same page as reading each part on its own', async () => {
    const { ctx } = await somebody('once', { schedules: 40, past: 3 });
    const userId = ctx.actor.kind === 'user' ? ctx.actor.id : '';
    const pause = (lastDay: string) => ({
      pauses: [{ firstDay: '2000-01-01', lastDay }],
      restsUntil: lastDay,
    });
    await insert('schedules', [
      scheduleRow(userId, 'sched_once_a', { frequency: { kind: 'as-needed' } }),
      scheduleRow(userId, 'sched_once_d', pause('2100-01-01')),
      scheduleRow(userId, 'sched_once_b', { isActive: false, timeZone: 'Asia/Tokyo' }),
      scheduleRow(userId, 'sched_once_c', { timeZone: 'Asia/Kathmandu', keptIn: 'UTC' }),
    ]);
    const alone = {
      today: await getToday(ctx),
      stock: await getStockForecasts(ctx),
      travel: await getTravelZones(ctx),
    };
    asked = [];
    const page = await getTodayPage(ctx);
    expect(page.today).toEqual(alone.today);
    expect(page.today.asNeeded).toHaveLength(1);
    expect(page.today.paused).toHaveLength(1);
    expect(page.stock).toEqual(alone.stock);
    expect(new Set(page.travel.schedules)).toEqual(new Set(alone.travel.schedules));
    expect(page.travel.schedules).toHaveLength(2);
    const found = asked.filter((command) => command['find'] === 'schedules');
    expect(found).toHaveLength(1);
  });

  it('are listed the same from one read as through their indexes', async () => {
    const person = await newPerson(db, 'alike@example.com', { plan: 'trial' });
    const userId = person.signedIn.user.id;
    const kinds = ['daily', 'as-needed', 'weekdays', 'after-last'];
    const rows = Array.from({ length: 60 }, (_, index) => {
      const lastDay = `2090-01-${String((index % 28) + 1).padStart(2, '0')}`;
      return scheduleRow(userId, `sched_alike_${index}`, {
        frequency: { kind: kinds[index % 4] },
        isActive: index % 3 > 0,
        timeZone: index % 5 > 1 ? 'UTC' : 'Asia/Tokyo',
        ...(index % 8 > 3 && { keptIn: 'Europe/Berlin' }),
        ...(index % 7 > 2 && { pauses: [{ firstDay: '2090-01-01', lastDay }], restsUntil: lastDay }),
        createdAt: new Date(db.clock.now().getTime() - (index % 10) * DAY_MS),
      });
    });
    await insert('schedules', rows);
    const { schedules } = db.repos;
    for (const most of [100, 60, 59]) {
      const once = schedulesAtOnce(schedules, userId, most);
      expect(await once.list(userId, 7, 9)).toEqual(await schedules.list(userId, 7, 9));
      expect(await once.listActive(userId)).toEqual(await schedules.listActive(userId));
      expect(await once.listAsNeeded(userId, 11)).toEqual(await schedules.listAsNeeded(userId, 11));
      const resting = await schedules.listResting(userId, '2090-01-09', 12);
      expect(resting).toHaveLength(12);
      expect(await once.listResting(userId, '2090-01-09', 12)).toEqual(resting);
      const zones = await schedules.listActiveZones(userId);
      expect(new Set(await once.listActiveZones(userId))).toEqual(new Set(zones));
      expect(zones.length).toBeGreaterThan(2);
      // The cached schedules are never used for another owner.
      expect(await once.listActive('nobody')).toEqual([]);
    }
  });
});

describe('the last doses of several compounds', () => {
  it('are found with one command if they were taken recently', async () => {
    const person = await newPerson(db, 'lately@example.com', { plan: 'trial' });
    const userId = person.signedIn.user.id;
    const names = ['bpc-157', 'tb-500', 'semaglutide'];
    const at = new Date(db.clock.now().getTime() - DAY_MS);
    const taken = { status: 'taken', takenAt: at, actedAt: at, actualDose: '250', round: 1 } as const;
    await insert(
      'doses',
      names.map((nameKey) => {
        const { id, ...dose } = pendingDose(`lately_${nameKey}`, at, { ...taken, nameKey });
        return { _id: id, userId, ...dose };
      }),
    );
    asked = [];
    const found = await db.repos.doses.lastTaken(userId, names, db.clock.now());
    expect(names.map((name) => found.get(name)?.takenAt)).toEqual([at, at, at]);
    expect(asked.map((command) => Object.keys(command)[0])).toEqual(['find']);
  });
});

describe('the time zones that Today asks about', () => {
  it('are those of active schedules with times of day, each pair once, however many schedules share it', async () => {
    const person = await newPerson(db, 'zones@example.com', { plan: 'trial' });
    const userId = person.signedIn.user.id;
    const zones = ['America/New_York', 'Europe/Berlin', 'UTC'];
    const kept = [null, 'Asia/Tokyo', 'Europe/Berlin'];
    const kinds = ['after-last', 'as-needed', 'daily', 'weekdays'];
    const row = (index: number, more: object) => scheduleRow(userId, `sched_zone_${index}`, more);
    const named = zones.flatMap((timeZone) =>
      kept.flatMap((keptIn) => kinds.map((kind) => ({ timeZone, keptIn, frequency: { kind } }))),
    );
    // More in one zone than are read at once, with and without `keptIn`.
    const crowd = Array.from({ length: 240 }, (_, index) => named[index % 2 === 0 ? 2 : 6] ?? {});
    const others = [
      { timeZone: 'Asia/Kathmandu', isActive: false },
      { timeZone: 'Pacific/Apia', frequency: { kind: 'as-needed' } },
    ];
    await insert(
      'schedules',
      [...named, ...crowd, ...others].map((more, index) => row(index, more)),
    );
    const { schedules } = await getTravelZones(person.ctx);
    const expected = zones.flatMap((timeZone) =>
      kept.map((keptIn) => ({ isActive: true, timeZone, keptIn })),
    );
    const inOrder = (found: object[]) => found.map((zone) => JSON.stringify(zone)).sort();
    expect(inOrder(schedules)).toEqual(inOrder(expected));
  });
});

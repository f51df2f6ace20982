import type { Connection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import { listUsers } from '#app/features/admin/users/users.server.ts';
import { finishMigrations } from '#app/features/system/index.server.ts';
import { openDatabase } from '#models/index.server.ts';
import {
  MIGRATIONS,
  type Migration,
  createMigrationStatus,
  runMigrations,
} from '#models/store/migrations/run.server.ts';
import { runCli } from '#tests/support/cli.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { databaseEnv } from '#tests/support/named-deployment.ts';
import { newPerson } from '#tests/support/people.ts';
import { namingShards } from '#tests/support/shard-watch.ts';

let db: TestDatabase;
let connection: Connection;
const TIMES = { leaseMs: 300, pauseMs: 20 };
/** A lease that no process loses, however slow the machine is. */
const LONG = { ...TIMES, leaseMs: 60_000 };
const DOCUMENTS = 50;
const rows = () => connection.collection<{ _id: number; mg?: number; dose: number }>('old_rows');

beforeEach(async () => {
  db = await openTestDatabase({ monitorCommands: true });
  connection = testConnection(db);
  await rows().insertMany(Array.from({ length: DOCUMENTS }, (_, n) => ({ _id: n, dose: n })));
});
afterEach(() => db.dispose());

/** Gives every row its dose in mg, ten rows a piece. `between` runs after a piece was written, before that is noted. */
const inMg = (between: () => Promise<void> = () => Promise.resolve()): Migration => ({
  id: '2090-01-01-dose-in-mg',
  description: 'Doses in mg.',
  async step(_connection, cursor) {
    const from = Number(cursor ?? 0);
    if (from >= DOCUMENTS) return null;
    const range = { _id: { $gte: from, $lt: from + 10 } };
    const changes = (await rows().find(range).toArray()).map(({ _id, dose }) => ({
      updateOne: { filter: { _id }, update: { $set: { mg: dose / 1000 } } },
    }));
    const { modifiedCount } = await rows().bulkWrite(changes);
    await between();
    return { cursor: String(from + 10), changed: modifiedCount };
  },
});
/** Runs migrations, and what they leave for later. */
async function runAll(migrations: readonly Migration[], times = LONG): Promise<void> {
  await runMigrations(connection, SILENT_LOG, migrations, times);
  await createMigrationStatus(connection, migrations).finish(SILENT_LOG, undefined, times);
}
/** One of the program's own, by the end of its id. */
const released = (name: string): Migration =>
  MIGRATIONS.find(({ id }) => id.endsWith(name)) ?? expect.unreachable(`no migration ${name}`);
const status = (migration: Migration) => createMigrationStatus(connection, [migration]).list();
/** The same migration as one that has not run here yet. */
const asNew = (migration: Migration): Migration =>
  namingShards(connection, { ...migration, id: `${migration.id}-again` });
const right = async () => (await rows().find().toArray()).every(({ dose, mg }) => mg === dose / 1000);

it('changes everything once, however many processes start at once', async () => {
  const migration = inMg();
  expect(await status(migration)).toMatchObject([{ state: 'waiting', changed: 0 }]);
  await Promise.all(
    Array.from({ length: 4 }, () => runMigrations(connection, SILENT_LOG, [migration], LONG)),
  );
  expect(await right()).toBe(true);
  expect(await status(migration)).toMatchObject([{ state: 'done', changed: DOCUMENTS }]);
  await runMigrations(connection, SILENT_LOG, [migration], LONG);
  expect(await status(migration)).toMatchObject([{ changed: DOCUMENTS }]);
});

it('continues where a killed process stopped, and repeats only its last piece', async () => {
  let pieces = 0;
  const dies = inMg(() => {
    pieces += 1;
    return pieces === 3 ? Promise.reject(new Error('killed')) : Promise.resolve();
  });
  await expect(runMigrations(connection, SILENT_LOG, [dies], TIMES)).rejects.toThrow('killed');
  expect(await status(dies)).toMatchObject([{ state: 'running', changed: 20, doneAt: null }]);
  let repeated = 0;
  const goesOn = inMg(() => Promise.resolve(void (repeated += 1)));
  await runMigrations(connection, SILENT_LOG, [goesOn], TIMES);
  expect(repeated).toBe(3);
  expect(await right()).toBe(true);
  expect(await status(goesOn)).toMatchObject([{ state: 'done' }]);
});

it('a process that was thought dead does not overwrite the progress of the one that took over', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let first = true;
  const slow = inMg(() => {
    if (!first) return Promise.resolve();
    first = false;
    return held;
  });
  const late = runMigrations(connection, SILENT_LOG, [slow], TIMES);
  await expect.poll(() => first).toBe(false);
  await runMigrations(connection, SILENT_LOG, [inMg()], TIMES);
  const before = await status(slow);
  release();
  await late;
  expect(await status(slow)).toEqual(before);
  expect(await right()).toBe(true);
});

it('serves before the pieces that can wait, which stop between two when asked and go on later', async () => {
  const background: Migration = { ...inMg(), inBackground: (cursor) => Number(cursor ?? 0) >= 20 };
  await runMigrations(connection, SILENT_LOG, [background], LONG);
  expect(await status(background)).toMatchObject([{ state: 'running', changed: 20 }]);
  await runMigrations(connection, SILENT_LOG, [background], LONG);
  expect(await status(background)).toMatchObject([{ changed: 20 }]);
  const stopping = new AbortController();
  let pieces = 0;
  const stops = inMg(() => Promise.resolve(void ((pieces += 1) === 2 && stopping.abort())));
  const beside = (migration: Migration) => createMigrationStatus(connection, [migration]);
  expect(await beside(stops).finish(SILENT_LOG, stopping.signal, LONG)).toBe(0);
  expect(await status(background)).toMatchObject([{ state: 'running', changed: 40 }]);
  // Its claim is free at once.
  expect(await beside(background).finish(SILENT_LOG, undefined, LONG)).toBe(1);
  expect(await status(background)).toMatchObject([{ state: 'done', changed: DOCUMENTS }]);
  expect(await right()).toBe(true);
  expect(await beside(background).finish(SILENT_LOG, undefined, LONG)).toBe(0);
});

it('converts again what an older version wrote until its last process ended, once', async () => {
  const migration = inMg();
  const migrations = createMigrationStatus(connection, [migration]);
  const repeat = () => migrations.repeat(SILENT_LOG, undefined, LONG);
  // Nothing to repeat yet.
  expect(await repeat()).toBe(0);
  await runMigrations(connection, SILENT_LOG, [migration], LONG);
  await rows().updateMany({ _id: { $lt: 15 } }, { $unset: { mg: '' } });
  expect(await right()).toBe(false);
  // Beside each other, as two workers do it.
  await Promise.all([repeat(), repeat()]);
  expect(await right()).toBe(true);
  expect(await status(migration)).toMatchObject([{ state: 'done', changed: DOCUMENTS }]);
  expect(await repeat()).toBe(0);
});

it('leaves a migration alone that would do harm the second time', async () => {
  const migration: Migration = { ...inMg(), once: 'people may have changed them' };
  await runMigrations(connection, SILENT_LOG, [migration], LONG);
  expect(await createMigrationStatus(connection, [migration]).repeat(SILENT_LOG, undefined, LONG)).toBe(0);
});

it('the worker waits with that until no process that knows fewer migrations is left', async () => {
  const person = await newPerson(db, 'late@example.org');
  await runMigrations(connection, SILENT_LOG);
  const worker = () => finishMigrations(db.ctx(TERMINAL));
  const mine = { userId: person.signedIn.user.id };
  const parts = connection.collection('address_parts');
  const whole = await parts.countDocuments(mine);
  const now = db.clock.now();
  const none = { memoryMb: 1, heapShare: 0, lagMs: 0, databaseMs: 0, requestsPerMinute: 0, errorShare: null };
  const sample = { at: now, ...none, backlog: 0, backlogSeconds: 0 };
  const process = { host: 'web-1', pid: 1, kind: 'server' as const, startedAt: now, seenAt: now, sample };
  await db.repos.serverProcesses.report(process);
  expect(await worker()).toBeGreaterThan(0);
  // A registration by the older version, whose address nobody can search for.
  expect((await parts.deleteMany(mine)).deletedCount).toBe(whole);
  // And an act of it, after which stock is to be checked.
  const checks = connection.collection('stock_checks');
  await checks.updateOne(mine, { $set: { checkAt: new Date('2099-01-01') } });
  expect(await worker()).toBe(0);
  expect(await parts.countDocuments(mine)).toBe(0);
  // It is replaced by one of this version.
  await db.repos.serverProcesses.report({ ...process, migrations: MIGRATIONS.length });
  expect(await worker()).toBe(MIGRATIONS.filter(({ once }) => once === undefined).length);
  expect(await parts.countDocuments(mine)).toBe(whole);
  expect(
    ((await checks.findOne(mine)) as unknown as { checkAt: Date }).checkAt.getTime(),
  ).toBeLessThanOrEqual(Date.now());
  expect(await worker()).toBe(0);
});

it('runs them in order', async () => {
  const order: string[] = [];
  const named = (id: string): Migration => ({
    id,
    description: id,
    step() {
      order.push(id);
      return Promise.resolve(null);
    },
  });
  await runMigrations(connection, SILENT_LOG, [named('a'), named('b'), named('c')], TIMES);
  expect(order).toEqual(['a', 'b', 'c']);
});

it('are shown on the command line, and leave an unused store empty', async () => {
  const { env } = db;
  const waiting = async (...args: string[]) => {
    const shown = await runCli(['db', 'migrate', '--json', ...args], { env });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    return (JSON.parse(shown.stdout) as { waiting: number }).waiting;
  };
  expect(await waiting()).toBe(MIGRATIONS.length);
  expect(await connection.collection('migrations').countDocuments()).toBe(0);
  await newPerson(db, 'first@example.org');
  expect(await waiting('--status')).toBe(MIGRATIONS.length);
  expect(await waiting()).toBe(0);
});

it('remove user-entered names from the audit trail, and leave the rest unchanged', async () => {
  const migration = namingShards(connection, released('audit-names'));
  const audit = connection.collection<{ _id: string }>('audit');
  const row = (n: number, action: string, after: object) => ({
    ...{ _id: `old-${n}`, at: new Date(), actor: 'a', action, subjectId: 'a' },
    ...{ before: {}, after, reason: null, from: '192.0.2.1' },
  });
  await audit.insertMany([
    row(1, 'api-token.create', { name: 'Home server', scope: 'read' }),
    row(2, 'report-share.create', {
      start: '2026-01-01',
      end: '2026-02-01',
      compound: 'BPC-157',
      expiresAt: null,
    }),
    row(3, 'flag.switch', { name: 'import', isOn: true }),
  ]);
  const step = await migration.step(connection, null);
  expect(step).toMatchObject({ changed: 2 });
  expect(await migration.step(connection, step?.cursor ?? null)).toBeNull();
  expect((await migration.step(connection, null))?.changed).toBe(0);
  const rows = await audit
    .find({ _id: /^old-/ as never })
    .sort({ _id: 1 })
    .toArray();
  expect(rows.map((kept) => (kept as unknown as { after: object }).after)).toEqual([
    { scope: 'read' },
    { expiresAt: null },
    { name: 'import', isOn: true },
  ]);
});

it('frees addresses that no account followed, but not those of a registration that may be running', async () => {
  const migration = namingShards(connection, released('unused-addresses'));
  const { signedIn } = await newPerson(db, 'there@example.org');
  const addresses = connection.collection<{ _id: string; userId: string }>('addresses');
  const idOf = (at: number) => Math.floor(at / 1000).toString(16) + '0'.repeat(16);
  await addresses.insertMany([
    { _id: 'abandoned@example.org', userId: idOf(Date.now() - 86_400_000) },
    { _id: 'begun@example.org', userId: idOf(Date.now()) },
  ]);
  const step = await migration.step(connection, null);
  expect(step).toMatchObject({ changed: 1 });
  expect(await migration.step(connection, step?.cursor ?? null)).toBeNull();
  const left = await addresses.find().sort({ _id: 1 }).toArray();
  expect(left.map(({ _id }) => _id)).toEqual(['begun@example.org', 'there@example.org']);
  expect(left.at(-1)?.userId).toBe(signedIn.user.id);
});

it.each([
  ['-28-update-times', ['injection_sites', 'nutrition', 'measurements']],
  ['-29-more-update-times', ['suppliers', 'orders', 'compounds', 'calculations', 'doses']],
])(
  'notes rows of older versions as changed now, in pieces, and leaves the others alone: %s',
  async (end, names) => {
    const migration = namingShards(connection, released(end));
    const before = new Date();
    const known = new Date('2026-01-01T00:00:00Z');
    const rowsOf = (name: string) => connection.collection<{ _id: string; updatedAt?: Date }>(name);
    const old = (_id: string) => ({ _id, userId: _id });
    for (const name of names) {
      await rowsOf(name).deleteMany({});
      await rowsOf(name).insertMany([{ ...old('known'), updatedAt: known }, old('old:1')]);
    }
    await rowsOf(names.at(-1) ?? '').insertMany(
      Array.from({ length: 1500 }, (_, index) => old(`old:${index + 2}`)),
    );
    await runAll([asNew(migration)]);
    expect(await status(asNew(migration))).toMatchObject([{ state: 'done', changed: 1500 + names.length }]);
    for (const name of names) {
      const rows = await rowsOf(name).find().toArray();
      const isRight = ({ _id, updatedAt = known }: (typeof rows)[number]) =>
        _id === 'known' ? updatedAt.getTime() === known.getTime() : updatedAt >= before;
      expect(rows.filter((row) => !isRight(row))).toEqual([]);
    }
  },
);

it('recreates upcoming doses of ramps with weeks off, and leaves other schedules alone', async () => {
  const migration = namingShards(connection, released('ramps-in-courses'));
  const schedules = connection.collection<{ _id: string }>('schedules');
  const [ramp, course] = [{ start: '1' }, { weeksOn: 2, weeksOff: 2 }];
  const row = (_id: string, more: object) => ({
    _id,
    userId: 'u',
    revision: 3,
    madeUntil: new Date(0),
    ...more,
  });
  await schedules.insertMany([
    row('both', { ramp, course }),
    row('ramp', { ramp, course: null }),
    row('course', { ramp: null, course }),
  ]);
  const step = await migration.step(connection, null);
  expect(step).toMatchObject({ changed: 1 });
  expect(await migration.step(connection, step?.cursor ?? null)).toBeNull();
  const rows = await schedules.find({ userId: 'u' }).sort({ _id: 1 }).toArray();
  expect(rows.map(({ _id, ...row }) => [_id, (row as unknown as { revision: number }).revision])).toEqual([
    ['both', 4],
    ['course', 3],
    ['ramp', 3],
  ]);
});

it('creates lots from vials and received orders, and links each vial to its lot', async () => {
  const migration = namingShards(connection, released('-lots'));
  const row = (_id: string, more: object) => ({ _id, userId: 'u', createdAt: new Date(0), ...more });
  const order = { supplierId: 's', supplierName: 'Acme', state: 'received' };
  const line = { name: 'BPC-157', lot: 'A-1', expirationDate: '2028-05-31' };
  await connection
    .collection<{ _id: string }>('orders')
    .insertMany([
      row('o1', { ...order, lines: [line, { name: 'TB-500', lot: null, expirationDate: null }] }),
      row('o2', { ...order, state: 'draft', lines: [{ ...line, lot: 'A-9' }] }),
    ]);
  const vials = connection.collection<{ _id: string; lotId?: string }>('compounds');
  await vials.insertMany([
    row('v1', { name: 'bpc-157', lot: 'a-1', supplierId: 's', slot: '1' }),
    row('v2', { name: 'BPC-157', lot: 'A-1', supplierId: null, slot: '2' }),
    row('v3', { name: 'BPC-157', lot: 'A-1', supplierId: 'other', slot: '3' }),
    row('v4', { name: 'BPC-157', lot: null, supplierId: null, slot: '4' }),
    row('v5', { name: 'BPC-157', lot: 'A-1', supplierId: null, userId: 'w', slot: '5' }),
  ]);
  await connection
    .collection<{ _id: string }>('doses')
    .insertMany([
      row('d1', { status: 'taken', round: 2, draws: [{ compoundId: 'v1', mg: '1' }] }),
      row('d2', { status: 'taken', round: 1, draws: [] }),
      row('d3', { status: 'pending', round: 1, draws: [{ compoundId: 'v1', mg: '1' }] }),
    ]);
  const lots = () => connection.collection<{ _id: string }>('lots').find({}).toArray();
  const all = async () => {
    let cursor: string | null = null;
    for (;;) {
      const step = await migration.step(connection, cursor);
      if (step === null) return;
      cursor = step.cursor;
    }
  };
  await all();
  const made = await lots();
  expect(made).toHaveLength(3);
  expect(await connection.collection('dose_draws').find({}).toArray()).toEqual([
    { _id: 'd1:2:v1', userId: 'u', compoundId: 'v1', doseId: 'd1', round: 2 },
  ]);
  const lotOf = async (id: string) => (await vials.findOne({ _id: id }))?.lotId ?? null;
  const [one, two, three, four, five] = await Promise.all(['v1', 'v2', 'v3', 'v4', 'v5'].map(lotOf));
  expect([one === two, one === three, four, five === one]).toEqual([true, false, null, false]);
  expect(made.find(({ _id }) => _id === one)).toMatchObject({
    number: 'A-1',
    product: 'BPC-157',
    orderId: 'o1',
    supplierName: 'Acme',
    expirationDate: '2028-05-31',
    netContentMg: null,
  });
  await all();
  expect(await lots()).toEqual(made);
});

describe('accounts of older versions', () => {
  const [accountFields] = MIGRATIONS;
  const at = new Date('2026-01-01T00:00:00.000Z');
  /** As the first version stored an account. */
  const old = (n: number, more: object = {}) => ({
    _id: n.toString(16).padStart(24, '0'),
    email: `person${n}@old${n % 3}.example`,
    passwordHash: '-',
    role: 'user',
    timeZone: 'UTC',
    createdAt: at,
    lastLogin: null,
    lastSeenAt: at,
    suspendedAt: null,
    trialStartedAt: null,
    trialEndsAt: null,
    creditUntil: null,
    grantedAt: null,
    billingStatus: 'none',
    pastDueSince: null,
    stripeCustomerId: null,
    referredByCode: null,
    termsAcceptedAt: null,
    ...more,
  });
  const users = () => connection.collection<ReturnType<typeof old>>('users');
  const ofDomain = async (search: string) =>
    (await listUsers(db.ctx(TERMINAL), { search, limit: '100' })).users.map(({ email }) => email).sort();

  it('can be found by domain, even more of them than fit into one piece, and lose nothing', async () => {
    const count = 1100;
    await users().insertMany(Array.from({ length: count }, (_, n) => old(n)));
    expect(await ofDomain('@old1.example')).toEqual([]);
    await runAll(MIGRATIONS.map(asNew), TIMES);
    expect((await ofDomain('@old1.example')).length).toBe(100);
    expect(await users().countDocuments({ emailDomain: 'old1.example' } as object)).toBe(367);
    expect(await users().findOne({ _id: old(7)._id })).toEqual({
      ...old(7),
      emailDomain: 'old1.example',
      // They were never asked to confirm it.
      emailConfirmedAt: at,
      name: null,
      doseUnit: 'mg',
      units: 'metric',
      creditGrants: [],
      referralCode: null,
      secondFactorAt: null,
      deleteAfter: null,
      deletionClaimedUntil: null,
      adminRevision: null,
    });
  });

  it('get the missing fields also if their owner changes one meanwhile, which is left as it is', async () => {
    await users().insertMany([old(1), old(2)]);
    let isFirst = true;
    const meanwhile = async () => {
      if (isFirst) await users().updateOne({ _id: old(1)._id }, { $set: { name: 'Ada' } as object });
      isFirst = false;
    };
    const rows = connection.collection('users');
    const slow = {
      find: rows.find.bind(rows),
      bulkWrite: async (...args: Parameters<typeof rows.bulkWrite>) => {
        await meanwhile();
        return rows.bulkWrite(...args);
      },
    };
    await accountFields?.step({ collection: () => slow } as unknown as Connection, null);
    expect(await users().findOne({ _id: old(1)._id })).toMatchObject({
      ...{ name: 'Ada', units: 'metric', emailDomain: 'old1.example' },
    });
    expect(await users().findOne({ _id: old(2)._id })).toMatchObject({ name: null, units: 'metric' });
  });

  it('keep their data, and a second run changes nothing', async () => {
    const kept = { name: 'Ada', doseUnit: 'mcg', units: 'imperial', adminRevision: 7 };
    await users().insertMany([old(1, { ...kept, emailDomain: '', emailConfirmedAt: null }), old(2)]);
    await runAll(MIGRATIONS.map(asNew), TIMES);
    expect(await users().findOne({ _id: old(1)._id })).toMatchObject({
      ...kept,
      emailDomain: 'old1.example',
      emailConfirmedAt: null,
    });
    const again = await accountFields?.step(connection, null);
    expect(again?.changed).toBe(0);
  });

  it('are migrated when the program starts, before anyone can sign in', async () => {
    await users().insertOne(old(5));
    await connection.collection('migrations').deleteMany({});
    const later = await openDatabase(parseSettings(databaseEnv(db.env)), SILENT_LOG);
    await later.close();
    expect(await ofDomain('@old2.example')).toEqual(['person5@old2.example']);
  });
});

import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { getDose, logDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { generateAllDoses } from '#app/features/schedules/dose-generation.server.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import {
  createMigrationStatus,
  MIGRATIONS,
  type Migration,
  runMigrations,
} from '#models/store/migrations/run.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { namingShards } from '#tests/support/shard-watch.ts';

let db: TestDatabase;
let connection: Connection;
let ada: Person;
let people = 0;

const migration = MIGRATIONS.find(({ id }) => id.endsWith('half-done-doses')) as Migration;
const doses = () => connection.collection<{ _id: string }>('doses');

beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' }, monitorCommands: true });
  connection = testConnection(db);
});
beforeEach(async () => {
  people += 1;
  ada = await newPerson(db, `ada${people}@example.org`, { plan: 'trial' });
});
afterAll(() => db.dispose());

const ownerId = () => ada.signedIn.user.id;
const remaining = async (id: string) => (await db.repos.vials.find(ownerId(), id))?.remaining;
const sites = () => connection.collection('injection_sites').countDocuments({ userId: ownerId() });
const drawn = async (vialId: string) =>
  (await db.repos.doses.listDrawnFrom(ownerId(), [vialId], { skip: 0, limit: 10 })).total;
const ledger = async (id: string) => (await db.repos.vials.find(ownerId(), id))?.ledger ?? [];

/** Leaves a dose as an earlier version did when its process died right after it had saved the dose. */
async function cutOff(_id: string, changes: object): Promise<void> {
  const found = await doses().updateOne({ _id }, { $set: { ...changes, stockDone: false } });
  expect(found.matchedCount).toBe(1);
}

/** Runs the migration like a process that is killed after each piece and started again. */
async function migrate(): Promise<void> {
  let cursor: string | null = null;
  for (;;) {
    const step = await namingShards(connection, migration).step(connection, cursor);
    const again = await namingShards(connection, migration).step(connection, cursor);
    if (step === null || again === null) return expect(again).toBeNull();
    cursor = again.cursor;
  }
}

const vialOf = (totalAmount = '5') =>
  addVial(ada.ctx, { name: 'BPC-157', concentration: '2.5', totalAmount, reconstitutionDate: '2090-03-01' });
const dayIn = (days: number) =>
  new Date(db.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

/** A schedule with its first dose. */
async function planned(vialId: string, more: object = {}) {
  const { id } = await createSchedule(ada.ctx, {
    ...{ name: 'BPC-157', compoundId: vialId, doseAmount: '250', doseUnit: 'mcg' },
    ...{ frequency: { kind: 'daily' }, times: ['08:00'], timeZone: 'UTC', startDate: dayIn(1) },
    ...{ confirm: true, ...more },
  });
  const [dose] = await db.repos.doses.list(ownerId(), { scheduleId: id, limit: 1 });
  return { scheduleId: id, doseId: dose?.id ?? '' };
}

describe('a change of a dose that an earlier version was interrupted in', () => {
  it('is finished when it was taking it: drawn once, with its site, and undo reverses it', async () => {
    const vial = await vialOf();
    const { scheduleId, doseId } = await planned(vial.id);
    const takenAt = db.clock.now();
    await cutOff(doseId, {
      ...{ status: 'taken', takenAt, actedAt: takenAt, actualDose: '250', round: 1, site: 'deltoid-left' },
      ...{ draws: [{ compoundId: vial.id, mg: '0.25' }], before: { status: 'pending', notes: null } },
    });
    await connection.collection<{ _id: string }>('dose_draws').insertOne({
      ...{ _id: `${doseId}:1:${vial.id}`, userId: ownerId(), compoundId: vial.id, doseId, round: 1 },
    } as never);
    await migrate();
    expect(await remaining(vial.id)).toBe('4.75');
    expect([await sites(), await drawn(vial.id), (await ledger(vial.id)).length]).toEqual([1, 1, 1]);
    await generateAllDoses(db.ctx(TERMINAL));
    expect((await db.repos.schedules.find(ownerId(), scheduleId))?.lastDoseDate).toEqual(takenAt);
    expect(await undoDose(ada.ctx, doseId)).toMatchObject({ status: 'pending', draws: [] });
    expect(await remaining(vial.id)).toBe('5');
    expect([await sites(), await drawn(vial.id)]).toEqual([0, 0]);
  });

  it('is finished when it was undoing it: its stock, site and draws are returned', async () => {
    const vial = await vialOf();
    const { doseId } = await planned(vial.id);
    await takeDose(ada.ctx, doseId, { site: 'deltoid-left' });
    await cutOff(doseId, { status: 'pending', takenAt: null, actualDose: null, before: null, site: null });
    await migrate();
    expect(await remaining(vial.id)).toBe('5');
    expect([await sites(), await drawn(vial.id)]).toEqual([0, 0]);
    expect(await getDose(ada.ctx, doseId)).toMatchObject({ status: 'pending', draws: [] });
    await takeDose(ada.ctx, doseId);
    expect(await remaining(vial.id)).toBe('4.75');
  });

  it('removes a dose that was created when it was taken, and returns its stock', async () => {
    const vial = await vialOf();
    const logged = await logDose(ada.ctx, { name: 'BPC-157', actualDose: '1', confirmed: ['ABOVE_PLAN'] });
    if (!logged.done) return expect.unreachable('it should be logged');
    await cutOff(logged.dose.id, { undoing: true });
    await migrate();
    expect(await remaining(vial.id)).toBe('5');
    await expect(getDose(ada.ctx, logged.dose.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('removes an undone dose that its deleted schedule no longer has', async () => {
    const vial = await vialOf();
    const { scheduleId, doseId } = await planned(vial.id);
    await takeDose(ada.ctx, doseId);
    // Years after the database's own clock, so that it is still due.
    await cutOff(doseId, { status: 'pending', takenAt: null, actualDose: null, before: null });
    await db.repos.schedules.delete(ownerId(), scheduleId);
    await migrate();
    expect(await remaining(vial.id)).toBe('5');
    await expect(getDose(ada.ctx, doseId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('stops the schedule of a vial that it empties', async () => {
    const vial = await vialOf('0.25');
    const { scheduleId, doseId } = await planned(vial.id, { endsWithVial: true });
    const at = db.clock.now();
    await cutOff(doseId, {
      ...{ status: 'taken', takenAt: at, actedAt: at, actualDose: '250', round: 1 },
      draws: [{ compoundId: vial.id, mg: '0.25' }],
    });
    await migrate();
    await generateAllDoses(db.ctx(TERMINAL));
    expect(await db.repos.schedules.find(ownerId(), scheduleId)).toMatchObject({ stopsAt: at });
  });
});

it('all doses lose the marks, and the database the index that found them', async () => {
  const { doseId } = await planned((await vialOf()).id);
  await doses().updateMany({}, { $set: { stockDone: true } });
  await doses().createIndex({ stockDone: 1, actedAt: 1 });
  await connection.collection<{ _id: string }>('job_runs').insertOne({ _id: 'finish-doses' });
  const before = await getDose(ada.ctx, doseId);
  expect(before).toHaveProperty('stockDone', true);
  await runMigrations(connection, SILENT_LOG, [migration]);
  // Only what was interrupted holds up the start.
  const later = createMigrationStatus(connection, [migration]);
  expect(await later.list()).toMatchObject([{ state: 'running' }]);
  await later.finish(SILENT_LOG);
  expect(await doses().countDocuments({ stockDone: { $exists: true } } as never)).toBe(0);
  expect((await doses().indexes()).map(({ name }) => name)).not.toContain('stockDone_1_actedAt_1');
  expect(
    await connection.collection<{ _id: string }>('job_runs').findOne({ _id: 'finish-doses' }),
  ).toBeNull();
  const { stockDone: _, ...rest } = before as typeof before & { stockDone?: boolean };
  expect(await getDose(ada.ctx, doseId)).toEqual(rest);
});

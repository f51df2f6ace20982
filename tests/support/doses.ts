import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import { scheduledDoseId } from '#app/platform/ids.server.ts';
import { insertVial } from '#app/features/vials/vial-writes.server.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import type { TestDatabase } from './database.ts';
import type { Person } from './people.ts';
import { vial } from './vials.ts';

let made = 0;

/** Stores a schedule directly: by default daily at 08:00 UTC, 250 mcg. */
export async function storedSchedule(
  db: TestDatabase,
  { signedIn }: Person,
  more: Partial<ScheduleRecord> = {},
): Promise<ScheduleRecord> {
  made += 1;
  const now = db.clock.now();
  const schedule: ScheduleRecord = {
    id: `sched_test_${made}`,
    userId: signedIn.user.id,
    name: 'BPC-157',
    compoundId: null,
    doseAmount: '250',
    doseUnit: 'mcg',
    frequency: { kind: 'daily' },
    times: ['08:00'],
    timeZone: 'UTC',
    startDate: '2090-01-01',
    endDate: null,
    route: null,
    reminderLeadMinutes: 15,
    notes: null,
    ramp: null,
    course: null,
    isActive: true,
    nextDoseDate: null,
    lastDoseDate: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
    madeUntil: new Date('2190-01-01T00:00:00Z'),
    claimedUntil: null,
    keptIn: null,
    ...more,
  };
  await db.repos.schedules.create(schedule);
  return schedule;
}

/** A pending dose of a schedule, due at an instant, as created ahead by the worker. */
export async function storedDose(
  db: TestDatabase,
  schedule: ScheduleRecord,
  dueDate: Date,
  more: Partial<DoseRecord> = {},
): Promise<DoseRecord> {
  const { id, name, compoundId, doseAmount, doseUnit, timeZone, route, revision } = schedule;
  const [localDay = '', wallTime = ''] = localDateTime(dueDate, timeZone).split(' ');
  const dose: DoseRecord = {
    id: scheduledDoseId(id, localDay, wallTime),
    scheduleId: id,
    scheduleRevision: revision,
    name,
    compoundId,
    localDay,
    wallTime,
    timeZone,
    dueDate,
    doseAmount,
    doseUnit,
    route,
    status: 'pending',
    takenAt: null,
    actualDose: null,
    notes: null,
    site: null,
    round: 0,
    draws: [],
    remindAt: dueDate,
    remindStage: 'due',
    remindCount: 0,
    remindClaimedUntil: null,
    version: 0,
    ...more,
  };
  await db.repos.doses.createMany(schedule.userId, [dose]);
  return dose;
}

/** Adds a vial of 5 mg in 2 ml to a person's stock. */
export async function stockedVial(
  person: Person,
  more: Partial<VialWithLedger> = {},
): Promise<VialWithLedger> {
  made += 1;
  const userId = person.signedIn.user.id;
  const fresh = vial({
    id: `vial_stock_${made}`,
    userId,
    name: 'BPC-157',
    reconstitutionDate: '2090-03-01',
    ...more,
  });
  return insertVial(person.ctx, { id: userId, isPremium: true }, fresh);
}

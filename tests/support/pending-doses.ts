import { stageAt } from '#app/domain/reminders/reminder-stages.ts';
import type { DoseRecord } from '#models/index.server.ts';
import { testConnection, type TestDatabase } from './database.ts';

/** Moves the clock to the next noon (UTC) and removes the previous test's doses and deliveries. */
export async function freshNoon(db: TestDatabase): Promise<void> {
  const { db: stored } = testConnection(db);
  await stored?.collection('doses').deleteMany({});
  await stored?.collection('deliveries').deleteMany({});
  const now = db.clock.now().getTime();
  db.clock.advance(new Date(now + 86_400_000).setUTCHours(12, 0, 0, 0) - now);
}

/** A pending dose of BPC-157 as created by a schedule, with its first reminder some minutes before it is due. */
export function pendingDose(
  id: string,
  dueDate: Date,
  { leadMinutes = 0, ...more }: Partial<DoseRecord> & { leadMinutes?: number } = {},
): DoseRecord {
  const remindAt = new Date(dueDate.getTime() - leadMinutes * 60_000);
  return {
    id,
    scheduleId: 'sched_test',
    scheduleRevision: 1,
    name: 'BPC-157',
    compoundId: null,
    localDay: dueDate.toISOString().slice(0, 10),
    wallTime: dueDate.toISOString().slice(11, 16),
    timeZone: 'UTC',
    dueDate,
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
    remindAt,
    remindStage: stageAt(dueDate, remindAt),
    remindCount: 0,
    remindClaimedUntil: null,
    version: 0,
    ...more,
  };
}

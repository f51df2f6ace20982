import type { ImportedDose, ImportedSchedule } from '#app/domain/import/import-types.ts';
import { vialNameKey } from '#app/domain/vials/vial-name-key.ts';
import { localDateTime } from '#app/domain/time/days.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { makeDosesAhead, factsOf } from '#app/features/schedules/index.server.ts';
import { otherId, PREFIXES, vialLinks, type ImportJob } from './import-ids.server.ts';

/** A dose as it was taken: nothing is drawn for it, since the stock of today says what is left today. */
function takenDose(job: ImportJob, dose: ImportedDose): DoseRecord {
  const { takenAt, name, amount, unit, site, notes } = dose;
  const [localDay = '', wallTime = ''] = localDateTime(takenAt, job.timeZone).split(' ');
  const when = { localDay, wallTime, timeZone: job.timeZone, dueDate: takenAt, takenAt };
  const what = { name, nameKey: vialNameKey(name), doseAmount: amount, actualDose: amount, doseUnit: unit };
  const noSchedule = { scheduleId: null, scheduleRevision: 0, compoundId: null, route: null };
  const noReminder = {
    remindAt: null,
    remindStage: 'due' as const,
    remindCount: 0,
    remindClaimedUntil: null,
  };
  const id = otherId('dose', job.ownerId, dose.id);
  const state = { status: 'taken' as const, round: 1, draws: [], stockDone: true, version: 0 };
  return { id, ...when, ...what, ...noSchedule, ...noReminder, ...state, site, notes };
}

/** Adds taken doses. */
export async function addDoses(ctx: Ctx, job: ImportJob, records: ImportedDose[]): Promise<void> {
  const doses = records.map((dose) => takenDose(job, dose));
  await ctx.repos.importedDoses.add(job.id, job.ownerId, doses);
}

/** Doses go on where the export left off: what came before was done where it comes from. */
const beginOf = ({ nextDoseDate }: ImportedSchedule, now: Date): Date =>
  nextDoseDate !== null && nextDoseDate > now ? nextDoseDate : now;

function scheduleOf(job: ImportJob, record: ImportedSchedule, now: Date): ScheduleRecord {
  const { id, createdAt, fields, isActive, lastDoseDate } = record;
  return {
    id,
    userId: job.ownerId,
    ...factsOf(fields, { timeZone: job.timeZone, lead: 0 }),
    isActive,
    nextDoseDate: null,
    lastDoseDate,
    lastDoseBefore: lastDoseDate,
    createdAt,
    updatedAt: now,
    revision: 1,
    madeUntil: beginOf(record, now),
    claimedUntil: null,
    keptIn: null,
  };
}

/** Adds schedules and makes their doses. */
export async function addSchedules(ctx: Ctx, job: ImportJob, records: ImportedSchedule[]): Promise<void> {
  const now = ctx.now();
  const linked = await vialLinks(
    ctx,
    job.ownerId,
    records.map(({ fields }) => fields.compoundId ?? null),
  );
  const batch = records.map((record) => {
    const schedule = scheduleOf(job, record, now);
    const compoundId = linked(schedule.compoundId);
    return {
      schedule: { ...schedule, compoundId },
      otherId: otherId(PREFIXES.schedules, job.ownerId, record.id),
    };
  });
  await ctx.repos.importedSchedules.add(job.id, job.ownerId, batch);
  const begins = new Map<string, Date>();
  batch.forEach(({ schedule, otherId: other }) => {
    begins.set(schedule.id, schedule.madeUntil);
    begins.set(other, schedule.madeUntil);
  });
  const added = await ctx.repos.importedSchedules.listAdded(job.ownerId, job.id, [...begins.keys()]);
  for (const id of added) await makeDosesAhead(ctx, job.ownerId, id, begins.get(id));
}

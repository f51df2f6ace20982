import { trusted, type Connection } from 'mongoose';
import type { ReminderStep } from '#app/domain/reminders/reminder-stages.ts';
import { claimBatch } from './work-queue.server.ts';
import { doseSchema, type DoseRow } from './dose.model.server.ts';
import { modelOf } from './model-of.server.ts';

/** A pending dose whose reminder is due, in the hands of a worker. */
export interface RemindableDose extends Pick<
  DoseRow,
  'userId' | 'name' | 'dueDate' | 'timeZone' | 'doseAmount' | 'doseUnit' | 'status' | 'remindCount'
> {
  id: string;
  step: ReminderStep;
}

/** The reminder that follows for a dose; null when there is none. */
export interface ReminderMove {
  userId: string;
  id: string;
  next: ReminderStep | null;
}

function toRemindable(row: DoseRow): RemindableDose {
  const { _id, userId, name, dueDate, timeZone, doseAmount, doseUnit, status, remindCount } = row;
  const step = { at: row.remindAt ?? dueDate, stage: row.remindStage };
  return { id: _id, userId, name, dueDate, timeZone, doseAmount, doseUnit, status, remindCount, step };
}

/** What is planned when a dose has no reminder left. */
const NO_REMINDER = { remindAt: null };
const planned = (next: ReminderStep | null) =>
  next === null ? NO_REMINDER : { remindAt: next.at, remindStage: next.stage };

/** When doses are to be reminded of. */
export function createDoseRemindingRepository(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  return {
    /** Takes doses of anybody whose reminder is due, until an instant. */
    async claim(now: Date, until: Date, mark: string, size: number): Promise<RemindableDose[]> {
      const rows = await claimBatch<DoseRow>(model, {
        free: { remindAt: trusted({ $lte: now }), remindClaimedUntil: trusted({ $not: { $gt: now } }) },
        sort: { remindAt: 1 },
        take: { $set: { remindClaim: mark, remindClaimedUntil: until } },
        taken: { remindClaim: mark },
        size,
      });
      return rows.map(toRemindable);
    },

    /** Plans what follows for doses that this worker still has in hand, and lets go of them. */
    async move(mark: string, moves: readonly ReminderMove[]): Promise<void> {
      if (moves.length === 0) return;
      await model.bulkWrite(
        moves.map(({ userId, id, next }) => ({
          updateOne: {
            filter: { userId, _id: id, remindClaim: mark },
            update: {
              $set: { ...planned(next), remindClaim: null, remindClaimedUntil: null },
              $inc: { remindCount: 1 },
            },
          },
        })),
        { ordered: false },
      );
    },

    /** Puts a pending dose's reminder off. @returns whether the dose is still pending */
    async snooze(userId: string, id: string, step: ReminderStep): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { userId, _id: id, status: 'pending' },
        { $set: { ...planned(step), remindClaim: null, remindClaimedUntil: null } },
      );
      return matchedCount === 1;
    },

    /** Which of an owner's doses wait to be taken. */
    async pendingAmong(userId: string, ids: readonly string[]): Promise<Set<string>> {
      const rows = await model
        .find({ userId, _id: trusted({ $in: [...ids] }), status: 'pending' }, { _id: 1 })
        .lean();
      return new Set(rows.map(({ _id }) => _id));
    },

    /** How many reminders of anybody's are due and not made yet, and since when the oldest. */
    async backlog(now: Date): Promise<{ waiting: number; oldestAt: Date | null }> {
      const due = { remindAt: trusted({ $lte: now }) };
      const waiting = await model.countDocuments(due);
      const first = await model.findOne(due, { remindAt: 1 }).sort({ remindAt: 1 }).lean();
      return { waiting, oldestAt: first?.remindAt ?? null };
    },
  };
}

export type DoseRemindingRepository = ReturnType<typeof createDoseRemindingRepository>;

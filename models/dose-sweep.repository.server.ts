import { trusted, type Connection } from 'mongoose';
import { doseSchema, type DoseRow } from './dose.model.server.ts';
import { toDoseRecord, type DoseRecord } from './dose.server.ts';
import { modelOf } from './model-of.server.ts';

/** A dose of anybody, for the worker. */
export interface OwnedDose {
  userId: string;
  dose: DoseRecord;
}

const owned = (row: DoseRow): OwnedDose => ({ userId: row.userId, dose: toDoseRecord(row) });

/** What the worker asks about doses of anybody. Changes are by owner and only from the state that was read. */
export function createDoseSweepRepository(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  return {
    /** Doses whose last change has not been written through, and was made before an instant. */
    async findUnsettled(before: Date, limit: number): Promise<OwnedDose[]> {
      const filter = { stockDone: false, actedAt: trusted({ $lt: before }) };
      return (await model.find(filter).sort({ actedAt: 1 }).limit(limit).lean()).map(owned);
    },

    /** Pending doses due up to an instant for which nobody has worked out yet when they become missed. */
    async findUntimed(dueUpTo: Date, limit: number): Promise<OwnedDose[]> {
      const filter = { status: 'pending' as const, missAt: null, dueDate: trusted({ $lte: dueUpTo }) };
      return (await model.find(filter).sort({ dueDate: 1 }).limit(limit).lean()).map(owned);
    },

    /** Pending doses that have become missed by an instant. */
    async findMissed(now: Date, limit: number): Promise<OwnedDose[]> {
      const filter = { status: 'pending' as const, missAt: trusted({ $lte: now }) };
      return (await model.find(filter).sort({ missAt: 1 }).limit(limit).lean()).map(owned);
    },

    /** Notes when a pending dose becomes missed. */
    async setMissTime(userId: string, id: string, missAt: Date): Promise<void> {
      await model.updateOne({ userId, _id: id, status: 'pending' }, { $set: { missAt } });
    },

    /** Asks again when pending doses become missed, because their owner has changed how long that takes. */
    async forgetMissTimes(userId: string): Promise<void> {
      const timed = { userId, status: 'pending' as const, missAt: trusted({ $gt: new Date(0) }) };
      await model.updateMany(timed, { $unset: { missAt: 1 } });
    },
  };
}

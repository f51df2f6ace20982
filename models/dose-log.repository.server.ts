import { trusted, type Connection } from 'mongoose';
import { doseSchema, type DoseRow } from './dose.model.server.ts';
import { toDoseRecord, type DoseChanges, type DoseRecord } from './dose.server.ts';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** When the taken doses of a name on both sides of a moment were taken. */
export interface Neighbours {
  before: Date | null;
  after: Date | null;
}

/** Logging doses: what the pages of today and the services that change a dose ask, always of one owner. */
export function createDoseLogRepository(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);

  /** The taken dose of a name that is nearest on one side. */
  async function neighbour(filter: object, order: 1 | -1): Promise<Date | null> {
    const row = await model.findOne(filter, { takenAt: 1 }).sort({ takenAt: order }).lean();
    return row?.takenAt ?? null;
  }

  return {
    /** Adds a dose. @returns it, or the one with its id that was there before */
    async insertLogged(userId: string, dose: DoseRecord): Promise<{ dose: DoseRecord; isNew: boolean }> {
      const { id, ...rest } = dose;
      try {
        await model.create({ _id: id, userId, ...rest });
        return { dose, isNew: true };
      } catch (error) {
        const earlier = isDuplicateKey(error) ? await model.findOne({ userId, _id: id }).lean() : null;
        if (earlier === null) throw error;
        return { dose: toDoseRecord(earlier), isNew: false };
      }
    },

    /** The taken doses of a name around a moment, but for one of them. */
    async neighbours(userId: string, nameKey: string, at: Date, exceptId: string): Promise<Neighbours> {
      const of = { userId, nameKey, _id: trusted({ $ne: exceptId }) };
      const [before, after] = await Promise.all([
        neighbour({ ...of, takenAt: trusted({ $lte: at }) }, -1),
        neighbour({ ...of, takenAt: trusted({ $gt: at }) }, 1),
      ]);
      return { before, after };
    },

    /** Doses that their owner changed since an instant, the last changed first. */
    async actedSince(userId: string, since: Date, limit: number): Promise<DoseRecord[]> {
      const filter = { userId, actedAt: trusted({ $gte: since }) };
      const rows = await model.find(filter).sort({ actedAt: -1 }).limit(limit).lean();
      return rows.map(toDoseRecord);
    },

    /** Notes that all that follows from a version of a dose has been written. The version stays. */
    async settle(userId: string, id: string, version: number, changes: DoseChanges): Promise<void> {
      await model.updateOne({ userId, _id: id, version }, { $set: { ...changes, stockDone: true } });
    },

    /** Removes a version of a dose. */
    async removeVersion(userId: string, id: string, version: number): Promise<void> {
      await model.deleteOne({ userId, _id: id, version });
    },
  };
}

import { trusted, type Connection } from 'mongoose';
import { doseSchema, type DoseRow } from './dose.model.server.ts';
import { modelOf } from './model-of.server.ts';

/** When doses were taken, for what is reckoned from them. Every call names the owner. */
export function createDoseIntakeRepository(connection: Connection) {
  const model = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  return {
    /** The instants at which doses that were due before another one were taken, oldest first. */
    async takenTimes(userId: string, dueBefore: Date, dueFrom = new Date(0)): Promise<Date[]> {
      const due = trusted({ $gte: dueFrom, $lt: dueBefore });
      const rows = await model.find({ userId, status: 'taken', dueDate: due }, { takenAt: 1 }).lean();
      return rows
        .flatMap(({ takenAt }) => (takenAt === null ? [] : [takenAt]))
        .sort((a, b) => a.getTime() - b.getTime());
    },

    /** The doses taken last, for choosing one. */
    async lastTaken(
      userId: string,
      limit: number,
    ): Promise<(Pick<DoseRow, 'name' | 'takenAt'> & { id: string })[]> {
      const rows = await model
        .find({ userId, status: 'taken' }, { name: 1, takenAt: 1 })
        .sort({ dueDate: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, name, takenAt }) => ({ id: _id, name, takenAt }));
    },
  };
}

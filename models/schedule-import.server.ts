import { trusted, type Connection } from 'mongoose';
import { doseSchema, type DoseRow, type DoseStatus } from './dose.model.server.ts';
import { importedRows } from './imported-rows.server.ts';
import { modelOf } from './model-of.server.ts';
import type { ScheduleRecord } from './schedule.server.ts';
import { scheduleSchema, type ScheduleRow } from './schedule.model.server.ts';

/** Many schedules at once. Their doses are made by whoever calls, as for any other schedule. */
export function createScheduleImport(connection: Connection) {
  const model = modelOf<ScheduleRow>(connection, 'Schedule', scheduleSchema);
  const doses = modelOf<DoseRow>(connection, 'Dose', doseSchema);
  const { owned, countImported, add } = importedRows(model);
  const pending: DoseStatus[] = ['pending', 'missed'];

  async function isInUse(userId: string, scheduleId: string): Promise<boolean> {
    const acted = await doses.findOne({ userId, scheduleId, status: trusted({ $nin: pending }) }, { _id: 1 });
    return acted !== null;
  }

  async function remove(userId: string, importId: string, id: string): Promise<void> {
    const gone = await model.deleteOne({ userId, _id: id, importId, revision: 1 });
    if (gone.deletedCount === 1)
      await doses.deleteMany({ userId, scheduleId: id, status: trusted({ $in: pending }) });
  }

  return {
    owned,
    countImported,

    async add(
      importId: string,
      userId: string,
      batch: readonly { schedule: ScheduleRecord; otherId: string }[],
    ): Promise<void> {
      const wanted = batch.map(({ schedule: { id, ...rest }, otherId }) => ({
        row: { _id: id, ...rest, importId },
        otherId,
      }));
      await add(userId, wanted);
    },

    /** Which of these ids are schedules that an import added. */
    async listAdded(userId: string, importId: string, ids: readonly string[]): Promise<string[]> {
      const filter = { userId, _id: trusted({ $in: [...ids] }), importId };
      return (await model.find(filter, { _id: 1 }).lean()).map(({ _id }) => _id);
    },

    /** Takes back those that nobody changed and of which no dose was taken or skipped. @returns how many stay */
    async removeImported(userId: string, importId: string): Promise<number> {
      const rows = await model.find({ userId, importId, revision: 1 }, { _id: 1 }).lean();
      for (const { _id } of rows) if (!(await isInUse(userId, _id))) await remove(userId, importId, _id);
      return model.countDocuments({ userId, importId });
    },
  };
}

import type { Connection } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { scheduleTemplateSchema, type ScheduleTemplateRow } from './schedule-template.model.server.ts';

/** A template of one's own. */
export interface ScheduleTemplateRecord extends Omit<ScheduleTemplateRow, '_id' | 'userId'> {
  id: string;
}

const toRecord = ({ _id, userId: _owner, ...rest }: ScheduleTemplateRow): ScheduleTemplateRecord => ({
  id: _id,
  ...rest,
});

/** Templates of schedules, always of one owner. */
export function createScheduleTemplateRepository(connection: Connection) {
  const model = modelOf<ScheduleTemplateRow>(connection, 'ScheduleTemplate', scheduleTemplateSchema);
  return {
    /** Adds one; one of the same id, from the same press of a button, stays as it is. */
    async insert(userId: string, { id, ...rest }: ScheduleTemplateRecord): Promise<void> {
      try {
        await model.create({ _id: id, userId, ...rest });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    async findOne(userId: string, id: string): Promise<ScheduleTemplateRecord | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : toRecord(row);
    },

    /** The newest first. */
    async list(userId: string, limit: number): Promise<ScheduleTemplateRecord[]> {
      return (await model.find({ userId }).sort({ createdAt: -1 }).limit(limit).lean()).map(toRecord);
    },

    async count(userId: string): Promise<number> {
      return model.countDocuments({ userId });
    },

    async remove(userId: string, id: string): Promise<boolean> {
      return (await model.deleteOne({ userId, _id: id })).deletedCount === 1;
    },
  };
}

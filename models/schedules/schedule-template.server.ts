import { Schema, type Connection } from 'mongoose';
import type { TemplateFacts } from '#app/domain/schedules/schedule-templates.ts';
import { insertUnlessTaken } from '../store/writes.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** A document of `schedule_templates`: a schedule from which others are created. */
interface ScheduleTemplateRow {
  _id: string;
  userId: string;
  /** The owner's name for it. */
  title: string;
  facts: TemplateFacts;
  createdAt: Date;
}

const text = { type: String, required: true } as const;

const scheduleTemplateSchema = new Schema<ScheduleTemplateRow>(
  {
    _id: text,
    userId: text,
    title: text,
    // Validated as a schedule before storing, and again when a schedule is created from it.
    facts: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'schedule_templates', minimize: false },
);

scheduleTemplateSchema.index({ userId: 1, createdAt: -1 });

/** A person's own template. */
export interface ScheduleTemplateRecord extends Omit<ScheduleTemplateRow, '_id' | 'userId'> {
  id: string;
}

const toRecord = ({ _id, userId: _owner, ...rest }: ScheduleTemplateRow): ScheduleTemplateRecord => ({
  id: _id,
  ...rest,
});

/** Schedule templates. Every call names the owner. */
export function createScheduleTemplateRepository(connection: Connection) {
  const model = modelOf<ScheduleTemplateRow>(connection, 'ScheduleTemplate', scheduleTemplateSchema);
  return {
    /** Adds a template; one with the same id, from an earlier submission, is left unchanged. */
    async create(userId: string, { id, ...rest }: ScheduleTemplateRecord): Promise<void> {
      await insertUnlessTaken(model, { _id: id, userId, ...rest });
    },

    async find(userId: string, id: string): Promise<ScheduleTemplateRecord | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : toRecord(row);
    },

    /** Newest first. */
    async list(userId: string, limit: number): Promise<ScheduleTemplateRecord[]> {
      return (await model.find({ userId }).sort({ createdAt: -1 }).limit(limit).lean()).map(toRecord);
    },

    async count(userId: string): Promise<number> {
      return model.countDocuments({ userId });
    },

    async delete(userId: string, id: string): Promise<boolean> {
      return (await model.deleteOne({ userId, _id: id })).deletedCount === 1;
    },
  };
}

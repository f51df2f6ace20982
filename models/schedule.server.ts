import { trusted, type Connection, type Model, type QueryFilter } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';
import { scheduleSchema, type ScheduleRow } from './schedule.model.server.ts';
import { STREAM_BATCH } from './stream-batch.ts';

/** A schedule. */
export interface ScheduleRecord extends Omit<ScheduleRow, '_id' | 'importId'> {
  id: string;
}

/** What may change about a schedule; identity and revision may not. */
export type ScheduleChanges = Partial<Omit<ScheduleRecord, 'id' | 'userId' | 'revision'>>;

function toRecord({ _id, importId: _import, ...rest }: ScheduleRow): ScheduleRecord {
  return { id: _id, ...rest };
}

const byStart = (userId: string, from: string | null, to: string | null): QueryFilter<ScheduleRow> => {
  const days = { ...(from !== null && { $gte: from }), ...(to !== null && { $lte: to }) };
  return { userId, ...(Object.keys(days).length > 0 && { startDate: trusted(days) }) };
};

const reading = (model: Model<ScheduleRow>) => ({
  async findOne(userId: string, id: string): Promise<ScheduleRecord | null> {
    const row = await model.findOne({ userId, _id: id }).lean();
    return row === null ? null : toRecord(row);
  },

  /** The newest first. */
  async list(userId: string, skip: number, limit: number): Promise<ScheduleRecord[]> {
    const rows = await model.find({ userId }).sort({ createdAt: -1, _id: -1 }).skip(skip).limit(limit).lean();
    return rows.map(toRecord);
  },

  async count(userId: string): Promise<number> {
    return model.countDocuments({ userId });
  },

  /** All that are not paused, for what looks further ahead than doses are made. */
  async listActive(userId: string): Promise<ScheduleRecord[]> {
    return (await model.find({ userId, isActive: true }).sort({ createdAt: -1, _id: -1 }).lean()).map(
      toRecord,
    );
  },
});

const readingByStart = (model: Model<ScheduleRow>) => ({
  /** How many start on the days from one to another, both included; null is open. */
  async countStarting(userId: string, from: string | null, to: string | null): Promise<number> {
    return model.countDocuments(byStart(userId, from, to));
  },

  /** The same schedules by their start date, a batch at a time. */
  async *streamStarting(
    userId: string,
    from: string | null,
    to: string | null,
  ): AsyncGenerator<ScheduleRecord[]> {
    const cursor = model
      .find(byStart(userId, from, to))
      .sort({ startDate: 1, _id: 1 })
      .lean()
      .cursor({ batchSize: STREAM_BATCH });
    let batch: ScheduleRecord[] = [];
    for await (const row of cursor) {
      if (batch.push(toRecord(row as ScheduleRow)) < STREAM_BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  },
});

const writing = (model: Model<ScheduleRow>) => ({
  /** Adds a schedule. @returns it, or the one that has the id already */
  async insert(schedule: ScheduleRecord): Promise<{ schedule: ScheduleRecord; isNew: boolean }> {
    const { id, ...rest } = schedule;
    try {
      await model.create({ _id: id, ...rest });
      return { schedule, isNew: true };
    } catch (error) {
      const { userId } = schedule;
      const earlier = isDuplicateKey(error) ? await model.findOne({ userId, _id: id }).lean() : null;
      if (earlier === null) throw error;
      return { schedule: toRecord(earlier), isNew: false };
    }
  },

  /**
   * Changes what its doses follow from, if nobody did since it was read: the revision goes up by one.
   * @returns the schedule as it is now, or null when it is gone or has another revision
   */
  async revise(
    userId: string,
    id: string,
    revision: number,
    changes: ScheduleChanges,
  ): Promise<ScheduleRecord | null> {
    const row = await model
      .findOneAndUpdate(
        { userId, _id: id, revision },
        { $set: changes, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean();
    return row === null ? null : toRecord(row);
  },

  /** Changes what no dose follows from. @param revision only if it is still this one */
  async set(userId: string, id: string, changes: ScheduleChanges, revision?: number): Promise<boolean> {
    const filter = { userId, _id: id, ...(revision !== undefined && { revision }) };
    return (await model.updateOne(filter, { $set: changes })).matchedCount === 1;
  },

  async remove(userId: string, id: string): Promise<boolean> {
    return (await model.deleteOne({ userId, _id: id })).deletedCount === 1;
  },
});

const claiming = (model: Model<ScheduleRow>) => ({
  /**
   * Claims a schedule of anybody whose doses have not been made up to an instant.
   * @param until how long nobody else gets it
   */
  async claimUnmade(madeBefore: Date, now: Date, until: Date): Promise<ScheduleRecord | null> {
    const row = await model
      .findOneAndUpdate(
        {
          isActive: true,
          madeUntil: trusted({ $lt: madeBefore }),
          claimedUntil: trusted({ $not: { $gt: now } }),
        },
        { $set: { claimedUntil: until } },
        { returnDocument: 'after', sort: { madeUntil: 1 } },
      )
      .lean();
    return row === null ? null : toRecord(row);
  },
});

/** Schedules, always of one owner but for the step that makes doses ahead. */
export function createScheduleRepository(connection: Connection) {
  const model = modelOf<ScheduleRow>(connection, 'Schedule', scheduleSchema);
  return { ...reading(model), ...readingByStart(model), ...writing(model), ...claiming(model) };
}

export type ScheduleRepository = ReturnType<typeof createScheduleRepository>;

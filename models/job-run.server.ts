import { Schema, trusted, type Connection } from 'mongoose';
import { isDuplicateKey, retryOnDuplicate } from './duplicate-key.server.ts';
import { modelOf } from './model-of.server.ts';

/** A document of `job_runs`, keyed by the name of a job: how its last round that was noted went, on whichever worker. */
interface JobRunRow {
  _id: string;
  /** When that round ended. */
  at: Date;
  /** How long it took. */
  ms: number;
  /** Failed rounds in a row, 0 when it went well. */
  failures: number;
  error: string | null;
  /** For a job that one worker does for all: until when nobody does it again. */
  turnUntil?: Date;
}

const jobRunSchema = new Schema<JobRunRow>(
  {
    _id: { type: String, required: true },
    at: Date,
    ms: Number,
    failures: Number,
    error: String,
    turnUntil: Date,
  },
  { collection: 'job_runs' },
);

/** How a job went lately. */
export interface JobRunRecord extends Omit<JobRunRow, '_id'> {
  name: string;
}

/** How the worker's jobs went, for those who look after the server. Nobody owns them. */
export function createJobRunRepository(connection: Connection) {
  const model = modelOf<JobRunRow>(connection, 'JobRun', jobRunSchema);
  return {
    /** Keeps how a round went, in place of the one before. */
    async note(name: string, run: Omit<JobRunRow, '_id'>): Promise<void> {
      await retryOnDuplicate(() => model.updateOne({ _id: name }, { $set: run }, { upsert: true }));
    },

    /** Takes the turn of a job that one worker does for all. @returns whether it was free */
    async takeTurn(name: string, now: Date, until: Date): Promise<boolean> {
      try {
        const free = { _id: name, turnUntil: trusted({ $not: { $gt: now } }) };
        await model.updateOne(free, { $set: { turnUntil: until } }, { upsert: true });
        return true;
      } catch (error) {
        // The document is there and its turn is taken, so that the upsert tried to make another one.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Keeps a turn that was taken until then, or lets go of it sooner. */
    async keepTurn(name: string, until: Date): Promise<void> {
      await model.updateOne({ _id: name }, { $set: { turnUntil: until } });
    },

    /** All jobs that ever ran, by name. */
    async list(): Promise<JobRunRecord[]> {
      const rows = await model
        .find({ at: trusted({ $exists: true }) })
        .sort({ _id: 1 })
        .limit(100)
        .lean();
      return rows.map(({ _id, ...rest }) => ({ name: _id, ...rest }));
    },
  };
}
